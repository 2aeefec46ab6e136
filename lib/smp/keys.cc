#include "smp/keys.h"

#include <cmath>

#include "base/strings.h"
#include "smp/plan.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr double kInt64Limit = 9223372036854775808.0;  // 2^63

bool IsWhole(double d) { return d >= -kInt64Limit && d < kInt64Limit && std::floor(d) == d; }

// Length-prefixed, so that ("a","bc") and ("ab","c") differ.
void AppendKey(std::string& out, std::string_view identity) {
  out += StrCat(identity.size(), ":");
  out += identity;
}

// The schema states a zero default ("" or 0) for every required field; that is Go's zero value and names nothing.
const Value* MeaningfulDefault(const Field* field) {
  if (field == nullptr || field->default_value == nullptr) return nullptr;
  const Value& value = *field->default_value;
  const bool zero = (value.is_string() && value.empty()) || (value.is_int() && value.AsInt() == 0);
  return zero ? nullptr : &value;
}

}  // namespace

Result<std::string> ScalarIdentity(const Value& value) {
  switch (value.kind()) {
    case Kind::kString: return StrCat("s", value.AsString());
    case Kind::kInt: return StrCat("i", value.AsInt());
    case Kind::kDouble:
      if (IsWhole(value.AsDouble())) return StrCat("i", static_cast<int64_t>(value.AsDouble()));
      return StrCat("d", WriteNumber(value.AsDouble()));
    case Kind::kBool: return std::string(value.AsBool() ? "b1" : "b0");
    case Kind::kNull:
    case Kind::kArray:
    case Kind::kObject: break;
  }
  return Error::MergeKey(StrCat("a list is merged by strings, numbers and booleans, not by ", KindName(value.kind())));
}

Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys) {
  if (!item.is_object()) return Error::MergeKey(StrCat("expected an object, found ", KindName(item.kind())));
  if (keys.empty()) return Error::MergeKey("the schema names no merge key for this list");
  std::string out;
  for (const std::string& key : keys) {
    const Value* value = item.Find(key);
    if (value == nullptr) return Error::MergeKey(StrCat("needs `", key, "`, the merge key of this list"));
    SMP_ASSIGN(const std::string identity, ScalarIdentity(*value));
    if (keys.size() == 1) return identity;
    AppendKey(out, identity);
  }
  return out;
}

Result<std::string> IdentityOf(const Value& item, const Field& list, const Schema& schema) {
  if (!item.is_object()) return Error::MergeKey(StrCat("expected an object, found ", KindName(item.kind())));
  const std::vector<std::string>& keys = PairingKeys(list);
  if (keys.empty()) return Error::MergeKey("the schema names no merge key for this list");
  std::string out;
  for (const std::string& key : keys) {
    const Value* value = item.Find(key);
    if (value == nullptr) value = MeaningfulDefault(schema.Find(list.type, key));
    if (value == nullptr) return Error::MergeKey(StrCat("needs `", key, "`, the merge key of this list"));
    SMP_ASSIGN(const std::string identity, ScalarIdentity(*value));
    AppendKey(out, identity);
  }
  return out;
}

}  // namespace smp
