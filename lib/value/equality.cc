#include "value/equality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "value/names.h"

namespace smp {

namespace {

template <class SameScalars>
bool Same(const Value& a, const Value& b, SameScalars same) {
  if (a.is_scalar() || b.is_scalar()) return a.is_scalar() && b.is_scalar() && same(a, b);
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  if (SharesMemory(a, b)) return true;
  if (a.is_array()) {
    return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(),
                      [same](const Value& x, const Value& y) { return Same(x, y, same); });
  }
  return std::equal(
      a.Members().begin(), a.Members().end(), b.Members().begin(),
      [same](const Member& x, const Member& y) { return SameNames(x.name, y.name) && Same(x.value, y.value, same); });
}

bool SameScalars(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kBool: return a.AsBool() == b.AsBool();
    case Kind::kInt: return a.AsInt() == b.AsInt();
    case Kind::kDouble: return a.AsDouble() == b.AsDouble();
    case Kind::kString: return SameNames(a.AsString(), b.AsString());
    default: return true;
  }
}

bool IsInteger(double d, int64_t i) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63, the first double beyond int64
  return d >= -kLimit && d < kLimit && std::trunc(d) == d && static_cast<int64_t>(d) == i;
}

double AsFloat64(const Value& number) {
  return number.is_int() ? static_cast<double>(number.AsInt()) : number.AsDouble();
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
  return Same(a, b, [](const Value& x, const Value& y) { return SameScalars(x, y); });
}

bool SameByNumber(const Value& a, const Value& b) {
  return Same(a, b, [](const Value& x, const Value& y) {
    if (x.is_int() && y.is_double()) return IsInteger(y.AsDouble(), x.AsInt());
    if (x.is_double() && y.is_int()) return IsInteger(x.AsDouble(), y.AsInt());
    return SameScalars(x, y);
  });
}

bool SameAsFloat64(const Value& a, const Value& b) {
  return Same(a, b, [](const Value& x, const Value& y) {
    return x.is_number() && y.is_number() ? AsFloat64(x) == AsFloat64(y) : SameScalars(x, y);
  });
}

bool SharesMemory(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  if (a.is_array()) return a.Items().data() == b.Items().data();
  return a.is_object() && a.Members().data() == b.Members().data();
}

bool SameOrBothAbsent(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return *a == *b;
}

}  // namespace smp
