#include "smp/merge_place.h"

namespace smp {

ListMerge MergePlace::merge() const {
  if (field == nullptr) return ListMerge::kAtomic;
  return field->list_type != ListMerge::kAtomic ? field->list_type : field->strategy.list;
}

bool MergePlace::is_granular(const Value& map) const {
  const bool is_atomic = place.schema != nullptr && place.schema->type(place.type).atomic;
  return map.is_object() && (!is_atomic || (field != nullptr && field->granular));
}

MergePlace MergePlace::Member(std::string_view name) const {
  if (place.schema == nullptr || place.is_list) return {};
  MergePlace out = {PlaceOfMember(place, name), place.schema->FindMerged(place.type, name)};
  if (out.field != nullptr && out.field->is_list && !out.place.is_list) {  // a list in additionalProperties
    out.place.type = out.field->type;
    out.place.is_list = true;
  }
  return out;
}

}  // namespace smp
