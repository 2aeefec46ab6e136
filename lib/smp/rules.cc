#include "smp/rules.h"

namespace smp {

const std::vector<std::string>& PairingKeys(const Field& list) {
  return list.identity_keys.empty() ? list.patch_keys : list.identity_keys;
}

ListMerge FieldRules::MergeOf(const Field* list) const {
  if (list == nullptr) return ListMerge::kAtomic;
  if (strategic_) {
    if (!list->merge) return ListMerge::kAtomic;
    return PairingKeys(*list).empty() ? ListMerge::kSet : ListMerge::kKeyed;
  }
  switch (list->list_type) {
    case ListType::kMap: return ListMerge::kKeyed;
    case ListType::kSet: return ListMerge::kSet;
    case ListType::kAtomic:
    case ListType::kUnset: break;
  }
  return ListMerge::kAtomic;
}

}  // namespace smp
