#include "schema/node_unions.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "base/strings.h"
#include "value/at.h"

namespace smp {

namespace {

using FieldNames = std::vector<std::string>;

// Returns the required names of a branch that states nothing else; otherwise empty.
FieldNames OnlyRequired(const Value& branch) {
  return branch.size() == 1 ? TextsAt(branch, {"required"}) : FieldNames();
}

bool IsOnlyNot(const Value& branch) {
  return branch.is_object() && branch.size() == 1 && branch.Find("not") != nullptr;
}

Union UnionOf(const std::vector<FieldNames>& alternatives) {
  Union out;
  out.by_presence = true;
  for (const FieldNames& names : alternatives) {
    for (const std::string& name : names) out.members.emplace_back(name, Join(names, "+"));
  }
  std::sort(out.members.begin(), out.members.end());
  return out;
}

// A field that all alternatives require excludes nothing.
void DropCommon(std::vector<FieldNames>& alternatives) {
  std::map<std::string, size_t> counts;
  for (const FieldNames& names : alternatives) {
    for (const std::string& name : names) ++counts[name];
  }
  for (FieldNames& names : alternatives) {
    std::erase_if(names, [&](const std::string& name) { return counts[name] == alternatives.size(); });
  }
}

bool HasFieldTwice(const Union& fields) {
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  return std::adjacent_find(fields.members.begin(), fields.members.end(), same) != fields.members.end();
}

void AddOneOf(std::span<const Value> branches, std::vector<Union>& out) {
  std::vector<FieldNames> alternatives;
  for (const Value& branch : branches) {
    if (IsOnlyNot(branch)) continue;  // the others exclude each other whatever it says
    alternatives.push_back(OnlyRequired(branch));
    if (alternatives.back().empty()) return;
  }
  if (alternatives.size() < 2) return;
  DropCommon(alternatives);
  Union fields = UnionOf(alternatives);
  const bool complete =
      std::none_of(alternatives.begin(), alternatives.end(), [](const FieldNames& n) { return n.empty(); });
  if (complete && !HasFieldTwice(fields)) out.push_back(std::move(fields));
}

void AddPair(const Value& branch, std::vector<Union>& out) {
  const FieldNames names = OnlyRequired(branch);
  if (names.size() == 2 && names[0] != names[1]) out.push_back(UnionOf({{names[0]}, {names[1]}}));
}

void AddNot(const Value* branch, std::vector<Union>& out) {
  if (branch == nullptr || !branch->is_object()) return;
  AddPair(*branch, out);
  if (branch->size() != 1) return;
  for (const Value& one : ItemsAt(*branch, {"anyOf"})) AddPair(one, out);
}

void AddMaxProperties(const Value& node, std::vector<Union>& out) {
  const Value* most = node.Find("maxProperties");
  const Value* properties = node.Find("properties");
  if (most == nullptr || !most->is_int() || most->AsInt() != 1) return;
  if (properties == nullptr || !properties->is_object() || properties->size() < 2) return;
  std::vector<FieldNames> alternatives;
  for (const Member& property : properties->Members()) alternatives.push_back({std::string(property.name)});
  out.push_back(UnionOf(alternatives));
}

// Returns true if the alternatives are values of the discriminator. Documents generated from Go types have the name of
// a Go field instead (LocalhostProfile for Localhost).
bool NamesItsValues(const Value& node, const Union& fields) {
  const std::span<const Value> values = ItemsAt(node, {"properties", fields.discriminator, "enum"});
  return std::all_of(fields.members.begin(), fields.members.end(), [&](const auto& member) {
    return std::any_of(values.begin(), values.end(),
                       [&](const Value& v) { return v.is_string() && v.AsString() == member.second; });
  });
}

void AddExtension(const Value& node, std::vector<Union>& out) {
  for (const Value& item : ItemsAt(node, {"x-kubernetes-unions"})) {
    Union& one = out.emplace_back();
    one.discriminator = item.StringOr("discriminator");
    const Value* members = item.Find("fields-to-discriminateBy");
    if (members == nullptr || !members->is_object()) continue;
    for (const Member& m : members->Members()) {
      one.members.emplace_back(m.name, m.value.is_string() ? m.value.AsString() : m.name);
    }
    if (!NamesItsValues(node, one)) one.discriminator.clear();
  }
}

}  // namespace

std::vector<Union> UnionsOf(const Value& node) {
  std::vector<Union> out;
  AddExtension(node, out);
  if (node.Find("properties") == nullptr) return out;
  AddOneOf(ItemsAt(node, {"oneOf"}), out);
  AddNot(node.Find("not"), out);
  AddMaxProperties(node, out);
  for (const Value& part : ItemsAt(node, {"allOf"})) {
    AddOneOf(ItemsAt(part, {"oneOf"}), out);
    AddNot(part.Find("not"), out);
  }
  return out;
}

}  // namespace smp
