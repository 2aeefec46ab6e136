#include "compat/compat_conflict.h"

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "compat/compat_plan.h"
#include "compat/keys.h"
#include "smp/align.h"
#include "smp/directives.h"
#include "value/path.h"

namespace smp::compat {

namespace {

Error Conflict() { return Error::Conflict("was also changed by others since it was last applied"); }

std::vector<Value> ItemsOf(const Value& list) { return {list.Items().begin(), list.Items().end()}; }

class Checker {
 public:
  Checker(const Schema& schema, Arena& arena) : schema_(schema), arena_(arena) {}

  Result<Value> Map(const Value& patch, const Value& others, TypeId type) {
    if (!others.is_object()) return Conflict();
    if (!SameOrBothAbsent(patch.Find(kPatchDirective), others.Find(kPatchDirective))) return Conflict();
    std::vector<Member> out;
    for (const Member& m : patch.Members()) {
      const Value* theirs = others.Find(m.name);
      if (theirs == nullptr || m.name == kPatchDirective || m.name == kRetainKeysDirective) {
        out.push_back(m);
        continue;
      }
      auto value = Field(m, *theirs, type);
      if (!value.ok()) return Under(PathStep::Field(m.name), std::move(value).error());
      out.push_back({m.name, *value});
    }
    return arena_.Object(std::move(out));
  }

 private:
  Result<Value> Field(const Member& ours, const Value& theirs, TypeId type) {
    if (ours.value.is_scalar()) {
      if (!(ours.value == theirs)) return Conflict();
      return ours.value;
    }
    SMP_ASSIGN(const FieldUse use, LookUp(schema_, type, ours.name, ours.value));
    if (ours.value.is_array()) return List(ours.value, theirs, use);
    if (use.field->patch.replace) {
      if (!theirs.is_object()) return Conflict();
      return ours.value;
    }
    return Map(ours.value, theirs, use.type);
  }

  Result<Value> List(const Value& ours, const Value& theirs, const FieldUse& use) {
    if (!theirs.is_array()) return Conflict();
    SMP_ASSIGN(const Kind kind, ElementKind(ours.Items(), theirs.Items()));
    if (use.field->patch.list != ListMerge::kAtomic)
      return kind == Kind::kObject ? Items(ours, theirs, use) : Result<Value>(ours);
    if (ours.size() != theirs.size()) return Conflict();
    return kind == Kind::kObject ? AtomicMaps(ours, theirs, use) : AtomicScalars(ours, theirs);
  }

  Result<Value> Items(const Value& ours, const Value& theirs, const FieldUse& use) {
    const std::vector<std::string>& keys = use.field->patch_keys;
    TextMap<const Value*> by_key;
    for (const Value& item : theirs.Items()) {
      SMP_ASSIGN(std::string text, KeyText(item, keys));
      by_key[std::move(text)] = &item;
    }
    TextMap<size_t> last;  // of equal keys only the last is compared
    for (size_t i = 0; i < ours.size(); ++i) {
      SMP_ASSIGN(std::string text, KeyText(ours.Items()[i], keys));
      last[std::move(text)] = i;
    }
    std::vector<Value> out = ItemsOf(ours);
    for (const auto& [text, i] : last) {
      const auto at = by_key.find(text);
      if (at == by_key.end()) continue;
      SMP_ASSIGN(out[i], Map(out[i], *at->second, use.type));
    }
    return arena_.Array(out);
  }

  Result<Value> AtomicMaps(const Value& ours, const Value& theirs, const FieldUse& use) {
    std::vector<Value> out;
    for (size_t i = 0; i < ours.size(); ++i) {
      SMP_ASSIGN(const Value item, Map(ours.Items()[i], theirs.Items()[i], use.type));
      out.push_back(item);
    }
    return arena_.Array(out);
  }

  // Compares the lists as sets. Returns the list of the patch sorted.
  Result<Value> AtomicScalars(const Value& ours, const Value& theirs) {
    Deduplicated mine = DeduplicateAsGo(ItemsOf(ours));
    const std::vector<Value> others = SortedByText(DeduplicateAsGo(ItemsOf(theirs)).kept);
    mine.kept = SortedByText(std::move(mine.kept));
    for (size_t i = 0; i < std::min(mine.kept.size(), others.size()); ++i) {
      if (!(mine.kept[i] == others[i])) return Conflict();
    }
    if (others.size() < mine.kept.size()) return Error::PatchFormat("atomic lists with duplicates cannot be compared");
    std::vector<Value> out = mine.kept;
    out.insert(out.end(), mine.rest.begin(), mine.rest.end());
    return arena_.Array(out);
  }

  const Schema& schema_;
  Arena& arena_;
};

}  // namespace

Result<Value> RefuseConflicts(const Value& patch, const Value& others, const Schema& schema, TypeId type,
                              Arena& arena) {
  return Checker(schema, arena).Map(patch, others, type);
}

}  // namespace smp::compat
