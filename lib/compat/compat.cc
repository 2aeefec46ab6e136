#include "compat/compat.h"

#include <algorithm>

#include "base/strings.h"
#include "compat/compat_conflict.h"
#include "compat/compat_plan.h"
#include "compat/compat_render.h"
#include "smp/compose.h"
#include "smp/directives.h"
#include "smp/json_merge.h"
#include "smp/meaning.h"
#include "value/equality.h"

namespace smp::compat {

namespace {

bool HasDirective(const Value& v) {
  if (v.is_array()) return std::any_of(v.Items().begin(), v.Items().end(), HasDirective);
  if (!v.is_object()) return false;
  return std::any_of(v.Members().begin(), v.Members().end(), [](const Member& m) {
    return m.name.starts_with(kPatchDirective) || m.name.starts_with(kRetainKeysDirective) || IsOrderKey(m.name) ||
           IsDeleteFromListKey(m.name) || HasDirective(m.value);
  });
}

// If a list has a key twice, or the manifest contains directives, deletions and changes cannot be combined item by item:
// then the same plan is rendered twice and the patches are composed, as the reference always does.
Result<Value> RenderRegularOrNot(const CompatPlan& plan, const DiffInput& input, Arena& arena) {
  if (!plan.irregular && !HasDirective(*input.modified)) return RenderCompat(plan.root, CompatPart::kBoth, arena);
  const Value drops = RenderCompat(plan.root, CompatPart::kDrops, arena);
  const Value sets = RenderCompat(plan.root, CompatPart::kSets, arena);
  return Compose(drops, sets, *input.schema, input.type, arena);
}

// What happened to live since it was last applied: a two-way patch without order directives.
Result<Value> ChangesOfOthers(const DiffInput& input, Arena& arena) {
  SMP_ASSIGN(const CompatPlan plan, PlanAsKubectl({input.original, input.live, input.original}, *input.schema,
                                                  input.type, CompatOrder::kIgnore, arena));
  return RenderCompat(plan.root, CompatPart::kBoth, arena);
}

// jsonmergepatch.keepOrDeleteNullInObj: keeps only the nulls, or everything except nulls.
enum class Nulls { kOnly, kDrop };
Value FilterNulls(const Value& map, Nulls nulls, Arena& arena) {
  std::vector<Member> out;
  for (const Member& m : map.Members()) {
    if (m.value.is_null()) {
      if (nulls == Nulls::kOnly) out.push_back(m);
    } else if (m.value.is_object()) {
      const Value inner = FilterNulls(m.value, nulls, arena);
      if (!inner.empty() || (nulls == Nulls::kDrop && m.value.empty())) out.push_back({m.name, inner});
    } else if (nulls == Nulls::kDrop) {
      out.push_back(m);
    }
  }
  return arena.SortedObject(out);
}

// jsonpatch.CreateMergePatch: returns all differences, with whole lists, and null for removed members.
Value MergeDiff(const Value& a, const Value& b, Arena& arena) {
  std::vector<Member> out;
  for (const Member& m : a.Members()) {
    if (b.Find(m.name) == nullptr) out.push_back({m.name, Value()});
  }
  for (const Member& m : b.Members()) {
    const Value* there = a.Find(m.name);
    if (there == nullptr) {
      out.push_back(m);
    } else if (there->is_object() && m.value.is_object()) {
      const Value inner = MergeDiff(*there, m.value, arena);
      if (!inner.empty()) out.push_back({m.name, inner});
    } else if (!SameAsFloat64(*there, m.value)) {
      out.push_back(m);
    }
  }
  return arena.Object(std::move(out));
}

}  // namespace

Result<Value> KubectlThreeWayPatch(const DiffInput& input, Overwrite overwrite, Arena& arena) {
  SMP_ASSIGN(const CompatPlan plan, PlanAsKubectl({input.original, input.modified, input.live}, *input.schema,
                                                  input.type, CompatOrder::kKeep, arena));
  SMP_ASSIGN(const Value patch, RenderRegularOrNot(plan, input, arena));
  if (overwrite == Overwrite::kYes) return patch;
  SMP_ASSIGN(const Value others, ChangesOfOthers(input, arena));
  return RefuseConflicts(patch, others, *input.schema, input.type, arena);
}

Result<Value> KubectlTwoWayPatch(const DiffInput& input, Arena& arena) {
  SMP_ASSIGN(const CompatPlan plan, PlanAsKubectl({input.original, input.modified, input.original}, *input.schema,
                                                  input.type, CompatOrder::kKeep, arena));
  return RenderCompat(plan.root, CompatPart::kBoth, arena);
}

Result<Value> KubectlJsonMergePatch(const DiffInput& input, Arena& arena) {
  const Value none = arena.SortedObject({});
  const Value& original = input.original == nullptr ? none : *input.original;
  const Value add_and_change = FilterNulls(MergeDiff(*input.live, *input.modified, arena), Nulls::kDrop, arena);
  const Value deletions = FilterNulls(MergeDiff(original, *input.modified, arena), Nulls::kOnly, arena);
  // As jsonpatch.MergePatch does: the nulls of the deletions stay, but those of new values are dropped, also in lists.
  const Value patch = ApplyJsonMergePatch(deletions, WithoutNulls(add_and_change, arena), arena);
  for (const auto& path : {std::initializer_list<std::string_view>{"apiVersion"}, {"kind"}, {"metadata", "name"}}) {
    if (patch.FindPath(path) == nullptr) continue;
    return Error::PatchFormat(StrCat("at least one of apiVersion, kind and name was changed: ", Join(path, ".")));
  }
  return patch;
}

}  // namespace smp::compat
