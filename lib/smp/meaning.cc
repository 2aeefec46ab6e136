#include "smp/meaning.h"

#include <algorithm>

namespace smp {

namespace {

bool HasNulls(const Value& value) {
  if (value.is_array()) return std::any_of(value.Items().begin(), value.Items().end(), HasNulls);
  if (!value.is_object()) return false;
  return std::any_of(value.Members().begin(), value.Members().end(),
                     [](const Member& m) { return m.value.is_null() || HasNulls(m.value); });
}

bool IsNumber(const Value& v) { return v.is_int() || v.is_double(); }

// An integer beyond 2^53 equals no double but the very same number; the comparison of doubles may not say otherwise.
bool SameNumber(const Value& a, const Value& b) {
  if (a.kind() == b.kind()) return a == b;
  const int64_t i = a.is_int() ? a.AsInt() : b.AsInt();
  const double d = a.is_double() ? a.AsDouble() : b.AsDouble();
  constexpr double kLimit = 9007199254740992.0;  // 2^53
  return d >= -kLimit && d <= kLimit && static_cast<double>(i) == d;
}

}  // namespace

Value WithoutNulls(const Value& value, Arena& arena) {
  if (!HasNulls(value)) return value;
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(WithoutNulls(item, arena));
    return arena.Array(items);
  }
  std::vector<Member> members;
  for (const Member& m : value.Members()) {
    if (!m.value.is_null()) members.push_back({m.name, WithoutNulls(m.value, arena)});
  }
  return arena.SortedObject(members);
}

bool SameMeaning(const Value& a, const Value& b) {
  if (IsNumber(a) && IsNumber(b)) return SameNumber(a, b);
  if (a.kind() != b.kind()) return false;
  if (SharesMemory(a, b)) return true;
  if (a.is_array()) {
    return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(), SameMeaning);
  }
  if (!a.is_object()) return a == b;
  const auto x = a.Members(), y = b.Members();
  const auto skip = [](auto& at, const auto& of) {
    while (at != of.end() && at->value.is_null()) ++at;
  };
  auto i = x.begin();
  auto j = y.begin();
  for (skip(i, x), skip(j, y); i != x.end() && j != y.end(); skip(++i, x), skip(++j, y)) {
    if (i->name != j->name || !SameMeaning(i->value, j->value)) return false;
  }
  return i == x.end() && j == y.end();
}

}  // namespace smp
