#include "smp/decide.h"

namespace smp {

namespace {

// Returns true if absent, or a null that the server would not store.
bool IsNothing(const Value* value, const Place& place) {
  return value == nullptr || (value->is_null() && !place.null_is_value);
}

Decision DecideAbsent(const Value* original, const Value* live, const Place& place) {
  if (IsNothing(live, place)) return {Op::kNone, Reason::kRemoved};
  if (IsNothing(original, place)) return {Op::kKeep, Reason::kLiveOnly};
  return {Op::kDelete, Reason::kRemoved};
}

Decision DecideNull(const Value* live) {
  const bool there = live != nullptr && !live->is_null();
  return {there ? Op::kDelete : Op::kNone, Reason::kExplicitNull};
}

}  // namespace

Decision Decide(const Value* original, const Value* modified, const Value* live, const Place& place) {
  if (modified == nullptr) return DecideAbsent(original, live, place);
  if (IsNothing(modified, place)) return DecideNull(live);
  const bool owned = !IsNothing(original, place);
  // Live has not lost what the server never stored, such as an empty list, or a null when the object was created.
  const bool lost = owned && !original->is_null() && !MeansNothing(*original, place);
  if (IsNothing(live, place)) return {Op::kSet, lost ? Reason::kRestored : Reason::kAdded};
  if (SameMeaning(*live, *modified, place)) return {Op::kNone, Reason::kInSync};
  if (!owned) return {Op::kSet, Reason::kOwned};
  if (SameMeaning(*original, *modified, place)) return {Op::kSet, Reason::kDrift};
  return {Op::kSet, SameMeaning(*live, *original, place) ? Reason::kChanged : Reason::kConflict};
}

}  // namespace smp
