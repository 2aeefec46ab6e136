#include "karmada/override_run.h"

#include "base/strings.h"
#include "karmada/policy_reader.h"
#include "value/json.h"

namespace smp {

namespace {

std::optional<std::string> JsonAt(ObjectDraft& draft, const JsonPointer& at) {
  const auto value = draft.Get(at);
  return value.ok() ? std::optional(WriteJson(*value)) : std::nullopt;
}

Status EditAt(ObjectDraft& draft, int step, EditKind kind, const JsonPointer& at, const Value& value) {
  switch (kind) {
    case EditKind::kAdd: return draft.Add(at, value, step);
    case EditKind::kReplace: return draft.Replace(at, value, step);
    default: return draft.Remove(at, step);
  }
}

}  // namespace

int BeginStep(OverrideRun& run, const PolicyPlace& place, std::string what) {
  run.steps.push_back({place, run.policy->Label(), std::move(what), {}});
  return static_cast<int>(run.steps.size()) - 1;
}

Error Failed(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Error& error) {
  return {ErrorCode::kPolicy, StrCat(run.policy->Label(), " cannot ", what, ": ", error.message), place.path,
          place.source};
}

void Note(OverrideRun& run, const PolicyPlace& place, const std::string& message) {
  run.notes.push_back({ErrorCode::kPolicy, StrCat(run.policy->Label(), ": ", message), place.path, place.source});
}

Status EditObject(OverrideRun& run, int step, EditKind kind, const JsonPointer& at, const Value& value) {
  if (run.record == Record::kSteps) return EditAt(run.draft, step, kind, at, value);
  StepChange change = {ToString(run.draft.PathOf(at)), JsonAt(run.draft, at), {}};
  SMP_TRY(EditAt(run.draft, step, kind, at, value));
  if (kind != EditKind::kRemove) change.after = WriteJson(value);
  run.steps[static_cast<size_t>(step)].changes.push_back(std::move(change));
  return Ok();
}

Status ApplyPlaintext(const PatchOperation& operation, OverrideRun& run) {
  const std::string what = StrCat(EditKindName(operation.op), " \"", operation.path, "\"");
  const auto at = ParseJsonPointer(operation.path);
  if (!at.ok()) return Failed(run, operation.place, what, at.error());
  const int step = BeginStep(run, operation.place, what);
  const Status done = EditObject(run, step, operation.op, *at, operation.value.value_or(Value()));
  return done.ok() ? Ok() : Status(Failed(run, operation.place, what, done.error()));
}

// Differs from karmada, which drops the whole map if one of its values is not a string.
Status ApplyMap(const MapOverrider& overrider, const std::string& field, OverrideRun& run) {
  const std::string what = StrCat(EditKindName(overrider.op), " ", field);
  const int step = BeginStep(run, overrider.place, what);
  const auto edit = [&](EditKind kind, const JsonPointer& at, const Value& value) -> Status {
    const Status done = EditObject(run, step, kind, at, value);
    return done.ok() ? Ok() : Status(Failed(run, overrider.place, what, done.error()));
  };
  const auto map = run.draft.Get({"metadata", field});
  const bool absent = !map.ok() || map->is_null();
  if (absent && overrider.op != EditKind::kAdd) return Ok();
  if (absent && !overrider.values.empty()) {
    SMP_TRY(edit(EditKind::kAdd, {"metadata", field}, run.draft.arena().Object({})));
  }
  for (const auto& [key, text] : overrider.values) {
    const JsonPointer at = {"metadata", field, key};
    if (overrider.op != EditKind::kAdd && !run.draft.Has(at)) continue;  // skipped, as karmada does
    SMP_TRY(edit(overrider.op, at, run.draft.arena().String(text)));
  }
  return Ok();
}

}  // namespace smp
