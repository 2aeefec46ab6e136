// Three objects that nobody made for each other → a plan: if there is a patch, the server's merge of it is the outcome.
#include "compat/compat.h"
#include "explain/json.h"
#include "explain/report.h"
#include "explain/text.h"
#include "fuzz/check.h"
#include "fuzz/objects.h"
#include "schema/builtin.h"
#include "schema/reading.h"
#include "smp/conflicts.h"
#include "smp/json_merge.h"
#include "smp/json_patch.h"
#include "smp/meaning.h"
#include "smp/merge.h"
#include "smp/smp.h"
#include "value/json.h"

using namespace smp;

namespace {

// A guard keeps the version where the plan would take it away.
Value WithoutVersion(const Value& object, Arena& arena) {
  return ApplyJsonMergePatch(object, ParseJson(R"({"metadata":{"resourceVersion":null}})")->root(), arena);
}

void CheckYieldsOutcome(const VerifiedPatch& patch, const DiffInput& in) {
  const Value& body = patch.body.root();
  Arena arena;
  const Result<Value> merged =
      patch.format == PatchFormat::kStrategic ? Merge(*in.live, body, *in.schema, in.type, arena)
      : patch.format == PatchFormat::kJson    ? ApplyJsonPatch(*in.live, body, arena)
                                              : Result<Value>(ApplyJsonMergePatch(*in.live, body, arena));
  Check(merged.ok(), "the server takes the patch", WriteJson(body));
  const bool same = patch.guarded
                        ? SameMeaning(WithoutVersion(*merged, arena), WithoutVersion(patch.outcome.root(), arena))
                        : SameMeaning(*merged, patch.outcome.root());
  Check(same, "the merge of the patch is the outcome",
        WriteJson(body) + "\nmerged  " + WriteJson(*merged) + "\noutcome " + WriteJson(patch.outcome.root()));
}

void CheckPlan(const FuzzObjects& input, const DiffInput& in) {
  Result<VerifiedPatch> patch = PlanPatch(in);
  if (!patch.ok()) return;
  CheckYieldsOutcome(*patch, in);
  Check(!patch->empty() || patch->body.root().empty(), "an empty plan has an empty patch",
        WriteJson(patch->body.root()));
  (void)OverwrittenFields(patch->plan, *in.live, *in.schema);
  explain::Report report;
  report.objects.push_back(
      explain::ReportChange(input.values[1], input.values[2], *std::move(patch), {in.schema, in.type}, {}));
  (void)explain::PrintText(report);
  (void)WriteJson(explain::ToJson(report).root());
}

void RunCompat(const DiffInput& in) {
  Arena arena;
  for (const compat::Overwrite overwrite : {compat::Overwrite::kYes, compat::Overwrite::kNo}) {
    const Result<Value> patch = compat::KubectlThreeWayPatch(in, overwrite, arena);
    if (patch.ok()) (void)WriteJson(*patch);
  }
  if (in.original != nullptr) (void)compat::KubectlTwoWayPatch(in, arena).ok();
  (void)compat::KubectlJsonMergePatch(in, arena).ok();
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return MutateObjects(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::optional<FuzzObjects> input = ReadObjects(TextOf(data, size), 3);
  if (!input) return 0;
  const Value& original = input->values[0].root();
  const Value& modified = input->values[1].root();
  const Value& live = input->values[2].root();
  if (!modified.is_object() || !live.is_object()) return 0;
  const auto schema = BuiltinSchema();
  DiffInput in = {original.is_object() ? &original : nullptr, &modified, &live, schema.get(), input->type};
  CheckPlan(*input, in);
  RunCompat(in);
  const auto as_custom = WithReading(*schema, input->type, Storage::kAsWritten);
  in.schema = as_custom.get();
  CheckPlan(*input, in);
  return 0;
}
