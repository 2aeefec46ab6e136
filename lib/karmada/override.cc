#include "karmada/override.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "karmada/container_overriders.h"
#include "karmada/field_overrider.h"
#include "karmada/override_run.h"
#include "karmada/policy_reader.h"
#include "karmada/select.h"
#include "value/json.h"

namespace smp::karmada {

namespace {

Status ApplyPlaintext(const PatchOperation& operation, OverrideRun& run) {
  const std::string what = StrCat(EditKindName(operation.op), " \"", operation.path, "\"");
  const auto at = ParseJsonPointer(operation.path);
  if (!at.ok()) return Failed(run, operation.place, what, at.error());
  const int step = BeginStep(run, operation.place, what);
  return Checked(run, operation.place, what,
                 EditObject(run, step, operation.op, *at, operation.value.value_or(Value())));
}

// `field`: "labels" or "annotations". Differs from karmada, which drops the whole map if any value is not a string.
Status ApplyMap(const MapOverrider& overrider, const std::string& field, OverrideRun& run) {
  const std::string what = StrCat(EditKindName(overrider.op), " ", field);
  const int step = BeginStep(run, overrider.place, what);
  const auto edit = [&](edit::EditKind kind, const JsonPointer& at, const Value& value) {
    return Checked(run, overrider.place, what, EditObject(run, step, kind, at, value));
  };
  const auto map = run.draft.Get({"metadata", field});
  const bool absent = !map.ok() || map->is_null();
  if (absent && overrider.op != edit::EditKind::kAdd) return Ok();
  if (absent && !overrider.values.empty()) {
    SMP_TRY(edit(edit::EditKind::kAdd, {"metadata", field}, run.draft.arena().Object({})));
  }
  for (const auto& [key, text] : overrider.values) {
    const JsonPointer at = {"metadata", field, key};
    if (overrider.op != edit::EditKind::kAdd && !run.draft.Has(at)) continue;  // absent keys are skipped, as in karmada
    SMP_TRY(edit(overrider.op, at, run.draft.arena().String(text)));
  }
  return Ok();
}

Status CheckObject(const OverrideRule& rule, OverrideRun& run) {
  if (rule.plaintext.empty() || !run.draft.TextAt({"kind"}).empty()) return Ok();
  return Failed(run, rule.plaintext.back().place, "do this", Error::InvalidArgument("the object would have no kind"));
}

// Applies the overriders in karmada's order, whatever their order in the file.
Status ApplyRule(const OverrideRule& rule, OverrideRun& run) {
  for (const auto& overrider : rule.images) SMP_TRY(ApplyImage(overrider, run));
  for (const auto& overrider : rule.command) SMP_TRY(ApplyContainer(overrider, "command", run));
  for (const auto& overrider : rule.args) SMP_TRY(ApplyContainer(overrider, "args", run));
  for (const auto& overrider : rule.labels) SMP_TRY(ApplyMap(overrider, "labels", run));
  for (const auto& overrider : rule.annotations) SMP_TRY(ApplyMap(overrider, "annotations", run));
  for (const auto& overrider : rule.fields) SMP_TRY(ApplyField(overrider, run));
  for (const auto& operation : rule.plaintext) SMP_TRY(ApplyPlaintext(operation, run));
  return CheckObject(rule, run);
}

Status ApplyPolicy(const OverridePolicy& policy, const MemberCluster& cluster, OverrideRun& run) {
  run.policy = &policy;
  run.draft.arena().Retain(policy.document);
  for (const Document& raw : policy.raw_documents) run.draft.arena().Retain(raw);
  for (const OverrideRule& rule : policy.rules) {
    auto is_for_cluster = IsForCluster(rule, cluster);
    if (!is_for_cluster.ok()) {
      Error error = std::move(is_for_cluster).error();
      error.message = StrCat(policy.Label(), ": ", error.message);
      return error;
    }
    if (*is_for_cluster) SMP_TRY(ApplyRule(rule, run));
  }
  return Ok();
}

// Returns the index of the item that has the step's keys, or equals its element; nullopt if there is no such item.
std::optional<size_t> IndexOf(const Value& list, const PathStep& step) {
  const auto names = [&](const Value& item) {
    if (step.kind == PathStep::Kind::kElement) return WriteJson(item) == step.element;
    return std::all_of(step.keys.begin(), step.keys.end(), [&](const auto& key) {
      const Value* value = item.Find(key.first);
      return value != nullptr && WriteJson(*value) == key.second;
    });
  };
  const auto found = std::find_if(list.Items().begin(), list.Items().end(), names);
  if (found == list.Items().end()) return std::nullopt;
  return static_cast<size_t>(found - list.Items().begin());
}

// Returns the value one step below, and the step with an index instead of the keys of a list item; nullptr if it is
// absent.
std::pair<const Value*, PathStep> StepInto(const Value* value, const PathStep& step) {
  if (value == nullptr) return {nullptr, step};
  switch (step.kind) {
    case PathStep::Kind::kField: return {value->Find(step.name), step};
    case PathStep::Kind::kIndex: return {nullptr, step};
    case PathStep::Kind::kKey:
    case PathStep::Kind::kElement: break;
  }
  const auto index = value->is_array() ? IndexOf(*value, step) : std::nullopt;
  if (!index) return {nullptr, step};
  return {&value->Items()[*index], PathStep::Index(static_cast<int64_t>(*index))};
}

// Returns the path with keys of list items replaced by indexes where the object has these items.
FieldPath Resolved(const Value& root, const FieldPath& path) {
  FieldPath out;
  const Value* value = &root;
  for (const PathStep& step : path) {
    auto [below, resolved] = StepInto(value, step);
    out.push_back(std::move(resolved));
    value = below;
  }
  return out;
}

bool IsAtOrBelow(const FieldPath& path, const FieldPath& above) {
  return path.size() >= above.size() && std::equal(above.begin(), above.end(), path.begin());
}

}  // namespace

Result<Overridden> ApplyPolicies(const Document& object, const std::string& default_namespace,
                                 std::span<const OverridePolicy> policies, const MemberCluster& cluster,
                                 Record record) {
  OverrideRun run(object, record);
  Overridden out;
  for (const PolicyScope scope : {PolicyScope::kCluster, PolicyScope::kNamespace}) {
    std::string name_space(run.draft.TextAt({"metadata", "namespace"}));  // a policy may have changed it
    if (name_space.empty()) name_space = default_namespace;
    const SelectedPolicies selected = SelectPolicies(policies, scope, run.draft.root(), name_space);
    for (const OverridePolicy* policy : selected.policies) SMP_TRY(ApplyPolicy(*policy, cluster, run));
    out.policies.insert(out.policies.end(), selected.policies.begin(), selected.policies.end());
    out.selectors.insert(out.selectors.end(), selected.selectors.begin(), selected.selectors.end());
  }
  out.given = object;
  out.object = run.draft.Finish(out.touched);
  out.steps = std::move(run.steps);
  out.notes = std::move(run.notes);
  return out;
}

std::optional<Origin> OriginOf(const Overridden& overridden, const FieldPath& path) {
  const FieldPath resolved = Resolved(overridden.object.root(), path);
  const TouchedPath* above = nullptr;
  Origin part = {Origin::Extent::kPart, {}};
  const auto step_at = [&](int step) { return &overridden.steps[static_cast<size_t>(step)]; };
  for (const TouchedPath& touched : overridden.touched) {
    if (IsAtOrBelow(resolved, touched.path)) {
      if (above == nullptr || above->path.size() <= touched.path.size()) above = &touched;
    } else if (IsAtOrBelow(touched.path, resolved)) {
      for (const int step : touched.steps) part.steps.push_back(step_at(step));
    }
  }
  if (above != nullptr) {
    Origin out;
    for (const int step : above->steps) out.steps.push_back(step_at(step));
    return out;
  }
  return part.steps.empty() ? std::nullopt : std::optional<Origin>(std::move(part));
}

Source SourceInGiven(const Overridden& overridden, const FieldPath& path) {
  const Value* value = &overridden.given.root();
  for (const PathStep& step : path) value = StepInto(value, step).first;
  return value == nullptr ? Source() : overridden.given.SourceOf(value);
}

}  // namespace smp::karmada
