#include "compat/keys.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "value/json.h"
#include "value/number.h"

namespace smp::compat {

namespace {

// Length-prefixed, so that ("a","bc") and ("ab","c") differ.
void AppendKey(std::string& out, std::string_view identity) {
  out += StrCat(identity.size(), ":");
  out += identity;
}

}  // namespace

Result<std::string> ScalarIdentity(const Value& value) {
  switch (value.kind()) {
    case Kind::kString: return StrCat("s", value.AsString());
    case Kind::kInt: return StrCat("i", value.AsInt());
    case Kind::kDouble: return StrCat("d", WriteNumber(value.AsDouble()));
    case Kind::kBool: return std::string(value.AsBool() ? "b1" : "b0");
    case Kind::kNull: return std::string("n");
    case Kind::kArray:
    case Kind::kObject: break;
  }
  return Error::MergeKey(
      StrCat("list items can only be merged by strings, numbers and booleans, not by ", KindName(value.kind())));
}

std::string GoText(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull: return "<nil>";
    case Kind::kBool: return value.AsBool() ? "true" : "false";
    case Kind::kInt: return std::to_string(value.AsInt());
    case Kind::kDouble: return GeneralNotation(ShortestDecimal(value.AsDouble()));
    case Kind::kString: return std::string(value.AsString());
    case Kind::kArray: {
      std::vector<std::string> items;
      for (const Value& item : value.Items()) items.push_back(GoText(item));
      return StrCat("[", Join(items, " "), "]");
    }
    case Kind::kObject: {
      std::vector<std::string> members;
      for (const Member& m : value.Members()) members.push_back(StrCat(m.name, ":", GoText(m.value)));
      return StrCat("map[", Join(members, " "), "]");
    }
  }
  return {};
}

std::vector<Value> SortedByText(std::vector<Value> values) {
  std::vector<std::pair<std::string, Value>> keyed;
  for (const Value& v : values) keyed.emplace_back(GoText(v), v);
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t i = 0; i < values.size(); ++i) values[i] = keyed[i].second;
  return values;
}

Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys) {
  if (!item.is_object()) return Error::MergeKey(StrCat("expected an object, found ", KindName(item.kind())));
  if (keys.empty()) return Error::MergeKey("the schema has no merge key for this list");
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

}  // namespace smp::compat
