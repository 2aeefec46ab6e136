#include "smp/refused_nulls.h"

#include <cstdint>
#include <utility>

namespace smp {

bool RefusesNull(const Place& place) {
  if (place.schema == nullptr || place.storage != Storage::kAsWritten) return false;
  const bool is_typed = place.is_list || place.schema->type(place.type).kind != TypeKind::kAny;
  return is_typed && !place.null_is_value && place.fallback == nullptr;
}

void AddRefusedNulls(const Value& value, const Place& place, FieldPath& path, std::vector<Refused>& out) {
  if (value.is_null() && RefusesNull(place)) out.push_back({path});
  const auto add_below = [&](PathStep step, const Value& below, const Place& its) {
    path.push_back(std::move(step));
    AddRefusedNulls(below, its, path, out);
    path.pop_back();
  };
  if (value.is_object()) {
    for (const Member& m : value.Members()) add_below(PathStep::Field(m.name), m.value, PlaceOfMember(place, m.name));
  }
  if (!value.is_array()) return;
  const Place item = PlaceOfItem(place);
  for (size_t i = 0; i < value.size(); ++i) {
    add_below(PathStep::Index(static_cast<int64_t>(i)), value.Items()[i], item);
  }
}

}  // namespace smp
