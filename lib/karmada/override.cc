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

// Returns the names of the keys by which the step names an item; "" for an element.
std::string NamesOfKeys(const PathStep& step) {
  std::string out;
  for (const auto& [name, value] : step.keys) out += StrCat(name, ",");
  return out;
}

// Returns the step that names the item as `like` names one.
PathStep StepLike(const PathStep& like, const Value& item) {
  if (like.kind == PathStep::Kind::kElement) return PathStep::Element(item);
  std::vector<std::string> names;
  for (const auto& key : like.keys) names.push_back(key.first);
  return KeyStep(item, names);
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

Origins::Origins(const Overridden& overridden) : overridden_(overridden) {
  // The touched paths below one path follow each other.
  for (size_t i = 0; i < overridden.touched.size(); ++i) {
    const FieldPath& path = overridden.touched[i].path;
    FieldPath above;
    for (size_t depth = 0; depth <= path.size(); ++depth) {
      Touched& touched = touched_.try_emplace(ToString(above), Touched{i, i}).first->second;
      touched.end = i + 1;
      if (depth == path.size())
        touched.whole = i;
      else
        above.push_back(path[depth]);
    }
  }
}

const TextMap<size_t>& Origins::ItemsOf(const Value& list, const PathStep& like) {
  const auto [at, is_new] = items_.try_emplace({list.Items().data(), NamesOfKeys(like)});
  for (size_t i = 0; is_new && i < list.size(); ++i) {
    const Value& item = list.Items()[i];
    const bool may_be_named = like.kind == PathStep::Kind::kElement || item.is_object();
    if (may_be_named) at->second.try_emplace(ToString(StepLike(like, item)), i);
  }
  return at->second;
}

std::optional<size_t> Origins::IndexOf(const Value& list, const PathStep& step) {
  const TextMap<size_t>& items = ItemsOf(list, step);
  const auto found = items.find(ToString(step));
  return found == items.end() ? std::nullopt : std::optional(found->second);
}

// Returns the value one step below, and the step with an index instead of the keys of a list item; nullptr if it is
// absent.
std::pair<const Value*, PathStep> Origins::StepInto(const Value* value, const PathStep& step) {
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

std::vector<const OverrideStep*> Origins::StepsOf(const TouchedPath& touched) const {
  std::vector<const OverrideStep*> out;
  for (const int step : touched.steps) out.push_back(&overridden_.steps[static_cast<size_t>(step)]);
  return out;
}

std::optional<Origin> Origins::Of(const FieldPath& path) {
  FieldPath resolved;
  const Value* value = &overridden_.object.root();
  std::optional<size_t> above;
  auto touched = touched_.find("");
  for (size_t depth = 0; touched != touched_.end(); ++depth) {
    if (touched->second.whole) above = touched->second.whole;
    if (depth == path.size()) break;
    auto [below, step] = StepInto(value, path[depth]);
    resolved.push_back(std::move(step));
    value = below;
    touched = touched_.find(ToString(resolved));
  }
  if (above) return Origin{Origin::Extent::kWhole, StepsOf(overridden_.touched[*above])};
  if (touched == touched_.end()) return std::nullopt;
  Origin part = {Origin::Extent::kPart, {}};
  for (size_t i = touched->second.begin; i < touched->second.end; ++i) {
    for (const OverrideStep* step : StepsOf(overridden_.touched[i])) part.steps.push_back(step);
  }
  return part;
}

Source Origins::InGiven(const FieldPath& path) {
  const Value* value = &overridden_.given.root();
  for (const PathStep& step : path) value = StepInto(value, step).first;
  return value == nullptr ? Source() : overridden_.given.SourceOf(value);
}

}  // namespace smp::karmada
