#include "apply/stored_form.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/secret_data.h"
#include "schema/facts/unkept.h"
#include "value/at.h"
#include "value/derived_document.h"

namespace smp::apply {

namespace {

using Names = std::span<const std::string_view>;

enum class Emptied { kKeep, kDrop };

// Removes the members `names` of the maps at a path.
class Remover {
 public:
  Remover(Names names, Emptied emptied, Arena& arena) : names_(names), emptied_(emptied), arena_(arena) {}

  // Returns `value` itself if it has none of the members. Recursion depth: the length of the path.
  Value Without(const Value& value, Names path) {
    if (path.empty()) return WithoutMembers(value);
    if (path.front() == "[*]") return WithoutInItems(value, path.subspan(1));
    const Value* below = value.Find(path.front());
    if (below == nullptr) return value;
    const Value left = Without(*below, path.subspan(1));
    if (SharesMemory(left, *below)) return value;
    const bool drop = emptied_ == Emptied::kDrop && left.empty();
    return drop ? WithoutAt(value, {}, {path.front()}, arena_) : WithAt(value, {path.front()}, left, arena_);
  }

 private:
  Value WithoutMembers(const Value& map) {
    const auto has = [&](std::string_view name) { return map.Find(name) != nullptr; };
    return std::any_of(names_.begin(), names_.end(), has) ? WithoutAt(map, {}, names_, arena_) : map;
  }

  Value WithoutInItems(const Value& list, Names path) {
    if (!list.is_array()) return list;
    std::vector<Value> items;
    bool changed = false;
    for (const Value& item : list.Items()) {
      items.push_back(Without(item, path));
      changed |= !SharesMemory(items.back(), item);
    }
    return changed ? arena_.Array(items) : list;
  }

  const Names names_;
  const Emptied emptied_;
  Arena& arena_;
};

Document WithoutUnkept(const Document& object, const std::vector<const UnkeptFields*>& unkept, Emptied emptied) {
  Arena arena;
  arena.Retain(object);
  Value root = object.root();
  for (const UnkeptFields* fields : unkept) root = Remover(fields->names, emptied, arena).Without(root, fields->path);
  return SharesMemory(root, object.root()) ? object : DerivedDocument(object, std::move(arena), root);
}

}  // namespace

Document StoredForm(const Document& object, const Resource& resource, const Schema& schema, Existence existence) {
  std::vector<const UnkeptFields*> unkept = UnkeptFieldsOf(resource, schema);
  if (existence == Existence::kNew) std::erase_if(unkept, [](const UnkeptFields* f) { return f->kept_when_new; });
  return WithoutUnkept(WithStringDataStored(object), unkept, Emptied::kKeep);
}

Document StoredFormOfRecord(const Document& record, const Resource& resource, const Schema& schema) {
  return WithoutUnkept(WithStringDataStored(record), UnkeptFieldsOf(resource, schema), Emptied::kDrop);
}

}  // namespace smp::apply
