#include "value/at.h"

#include <algorithm>

namespace smp {

namespace {

std::vector<Member> MembersOf(const Value* map) {
  if (map == nullptr || !map->is_object()) return {};
  return {map->Members().begin(), map->Members().end()};
}

// Recursion depth: the length of the path.
Value With(const Value* map, std::span<const std::string_view> path, const Value& member, Arena& arena) {
  if (path.empty()) return member;
  const Value* old = map == nullptr ? nullptr : map->Find(path.front());
  std::vector<Member> members = MembersOf(map);
  members.push_back({path.front(), With(old, path.subspan(1), member, arena)});
  return arena.Object(std::move(members));
}

}  // namespace

std::string_view TextAt(const Value& value, Names path) {
  const Value* found = value.FindPath(path);
  return found != nullptr && found->is_string() ? found->AsString() : std::string_view();
}

int64_t IntAt(const Value& value, Names path, int64_t fallback) {
  const Value* found = value.FindPath(path);
  return found != nullptr && found->is_int() ? found->AsInt() : fallback;
}

bool IsTrueAt(const Value& value, Names path) {
  const Value* found = value.FindPath(path);
  return found != nullptr && found->is_bool() && found->AsBool();
}

std::span<const Value> ItemsAt(const Value& value, Names path) {
  const Value* found = value.FindPath(path);
  return found != nullptr && found->is_array() ? found->Items() : std::span<const Value>();
}

std::vector<std::string> TextsAt(const Value& value, Names path) {
  std::vector<std::string> out;
  for (const Value& item : ItemsAt(value, path)) {
    if (item.is_string()) out.emplace_back(item.AsString());
  }
  return out;
}

Value WithAt(const Value& value, Names path, const Value& member, Arena& arena) {
  return With(&value, {path.begin(), path.size()}, member, arena);
}

Value WithoutAt(const Value& value, Names path, std::span<const std::string_view> members, Arena& arena) {
  const Value* map = value.FindPath(path);
  if (map == nullptr || !map->is_object()) return value;
  std::vector<Member> kept = MembersOf(map);
  std::erase_if(kept,
                [&](const Member& m) { return std::find(members.begin(), members.end(), m.name) != members.end(); });
  return WithAt(value, path, arena.SortedObject(kept), arena);
}

Value WithoutAt(const Value& value, Names path, Names members, Arena& arena) {
  return WithoutAt(value, path, std::span(members.begin(), members.size()), arena);
}

}  // namespace smp
