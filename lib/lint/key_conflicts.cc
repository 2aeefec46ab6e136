#include "lint/key_conflicts.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace smp::lint {

namespace {

bool IsConflict(const Field& field) {
  return field.is_list && field.strategy.list == ListMerge::kKeyed && field.identity_keys != field.patch_keys;
}

class ConflictWalk {
 public:
  ConflictWalk(const Schema& schema, const Resource& resource) : schema_(schema), resource_(resource) {}

  std::vector<KeyConflict> Take() {
    Enter(resource_.type);
    return std::move(out_);
  }

 private:
  // `inside_`: the types from the object to here.
  void Enter(TypeId id) {
    if (id == kNoType || std::ranges::find(inside_, id) != inside_.end()) return;
    inside_.push_back(id);
    const Type& type = schema_.type(id);
    for (const Field& field : type.fields) {
      names_.push_back(field.name);
      if (IsConflict(field)) out_.push_back({resource_.gvk, Join(names_, "."), type.name, &field});
      Enter(field.type);
      names_.pop_back();
    }
    inside_.pop_back();
  }

  const Schema& schema_;
  const Resource& resource_;
  std::vector<TypeId> inside_;
  std::vector<std::string> names_;
  std::vector<KeyConflict> out_;
};

}  // namespace

std::vector<KeyConflict> KeyConflictsOf(const Schema& schema, const Resource& resource) {
  return ConflictWalk(schema, resource).Take();
}

}  // namespace smp::lint
