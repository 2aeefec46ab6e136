#include "explain/of_others.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/strings.h"
#include "explain/one_line.h"
#include "value/columns.h"
#include "value/metadata.h"

namespace smp::explain {

namespace {

constexpr size_t kMostColumns = 60, kMostOfVariable = 40;

std::vector<FieldManager> OthersAmong(std::vector<FieldManager> managers) {
  std::erase_if(managers, [](const FieldManager& manager) { return !IsOfOthers(manager); });
  return managers;
}

FieldPath Below(FieldPath path, PathStep step) {
  path.push_back(std::move(step));
  return path;
}

// Returns the value in one line. Of a variable only its value is cut: {name: PROXY, value: http://…:3128}.
std::string InOneLine(const Value& value) {
  const bool is_variable = value.is_object() && value.size() == 2 && value.Members().front().name == "name" &&
                           value.Members().back().name == "value";
  if (!is_variable) return CutMiddle(OneLine(value), kMostColumns);
  const auto& name = value.Members().front().value;
  return StrCat("{name: ", OneLine(name),
                ", value: ", CutMiddle(OneLine(value.Members().back().value), kMostOfVariable), "}");
}

// Returns true for what the server fills in for whoever writes a Service, or has made a Namespace, and names as his.
bool IsFilledIn(const FieldPath& path, const Value& live) {
  if (path.size() == 3 && path[1].name == "labels") return path[2].name == "kubernetes.io/metadata.name";
  if (path.size() != 2 || path[0].name != "spec") return false;
  const std::string& field = path[1].name;
  if (field == "finalizers")
    return live.is_array() && live.size() == 1 && live.Items()[0] == Value::UnownedString("kubernetes");
  const bool is_policy = field == "externalTrafficPolicy" || field == "internalTrafficPolicy";
  return (is_policy && live == Value::UnownedString("Cluster")) ||
         (field == "allocateLoadBalancerNodePorts" && live == Value::Bool(true)) || field == "healthCheckNodePort";
}

bool AddItems(const Value& list, const FieldPath& path, const FieldOwners::Position& at, Values values,
              std::vector<FieldsOfManager>& out) {
  bool any = false;
  const std::vector<std::string> keys = at.KeyNames();
  for (const Value& item : keys.empty() ? std::span<const Value>() : list.Items()) {
    any |= AddFieldsOfOthers(item, Below(path, KeyStep(item, keys)), at.Item(item), values, out);
  }
  return any;
}

bool AddMembers(const Value& map, const FieldPath& path, const FieldOwners::Position& at, Values values,
                std::vector<FieldsOfManager>& out) {
  bool any = false;
  for (const Member& member : map.Members()) {
    any |=
        AddFieldsOfOthers(member.value, Below(path, PathStep::Field(member.name)), at.Field(member.name), values, out);
  }
  return any;
}

}  // namespace

void AddField(const FieldManager& manager, const FieldPath& path, std::string value,
              std::vector<FieldsOfManager>& out) {
  auto of = std::find_if(out.begin(), out.end(), [&](const auto& fields) { return fields.manager == manager; });
  if (of == out.end()) of = out.insert(of, {manager, {}});
  of->paths.push_back(path);
  of->values.push_back(std::move(value));
}

bool IsOfOthers(const FieldManager& manager) { return KindOf(manager) == ManagerKind::kOther; }

// The recursion is bounded by the parser's kMaxDepth.
bool AddFieldsOfOthers(const Value& live, const FieldPath& path, const FieldOwners::Position& at, Values values,
                       std::vector<FieldsOfManager>& out) {
  const std::vector<FieldManager> holders = OthersAmong(at.Setters());  // also of an atomic map that it is in
  if (holders.empty() || IsLastAppliedAnnotation(path) || IsFilledIn(path, live)) return false;
  if (live.is_array() && AddItems(live, path, at, values, out)) return true;
  if (live.is_object() && OthersAmong(at.Owners()).empty()) return AddMembers(live, path, at, values, out);
  const std::string value = values == Values::kShow ? InOneLine(live) : "";
  for (const FieldManager& manager : holders) AddField(manager, path, value, out);
  return true;
}

}  // namespace smp::explain
