#include "schema/node_unions.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "base/strings.h"

namespace smp {

namespace {

using Names = std::vector<std::string>;

std::span<const Value> ItemsOf(const Value* list) {
  return list != nullptr && list->is_array() ? list->Items() : std::span<const Value>();
}

// Returns the required names of a branch that states nothing else; otherwise empty.
Names OnlyRequired(const Value& branch) {
  Names names;
  if (!branch.is_object() || branch.size() != 1) return names;
  for (const Value& name : ItemsOf(branch.Find("required"))) {
    if (name.is_string()) names.emplace_back(name.AsString());
  }
  return names;
}

bool IsOnlyNot(const Value& branch) {
  return branch.is_object() && branch.size() == 1 && branch.Find("not") != nullptr;
}

Union UnionOf(const std::vector<Names>& alternatives) {
  Union out;
  out.by_presence = true;
  for (const Names& names : alternatives) {
    for (const std::string& name : names) out.members.emplace_back(name, Join(names, "+"));
  }
  std::sort(out.members.begin(), out.members.end());
  return out;
}

// A field that all alternatives require excludes nothing.
void DropCommon(std::vector<Names>& alternatives) {
  std::map<std::string, size_t> counts;
  for (const Names& names : alternatives) {
    for (const std::string& name : names) ++counts[name];
  }
  for (Names& names : alternatives) {
    std::erase_if(names, [&](const std::string& name) { return counts[name] == alternatives.size(); });
  }
}

bool HasFieldTwice(const Union& fields) {
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  return std::adjacent_find(fields.members.begin(), fields.members.end(), same) != fields.members.end();
}

void AddOneOf(const Value* branches, std::vector<Union>& out) {
  std::vector<Names> alternatives;
  for (const Value& branch : ItemsOf(branches)) {
    if (IsOnlyNot(branch)) continue;  // the others exclude each other whatever it says
    alternatives.push_back(OnlyRequired(branch));
    if (alternatives.back().empty()) return;
  }
  if (alternatives.size() < 2) return;
  DropCommon(alternatives);
  Union fields = UnionOf(alternatives);
  const bool complete =
      std::none_of(alternatives.begin(), alternatives.end(), [](const Names& n) { return n.empty(); });
  if (complete && !HasFieldTwice(fields)) out.push_back(std::move(fields));
}

void AddPair(const Value& branch, std::vector<Union>& out) {
  const Names names = OnlyRequired(branch);
  if (names.size() == 2 && names[0] != names[1]) out.push_back(UnionOf({{names[0]}, {names[1]}}));
}

void AddNot(const Value* branch, std::vector<Union>& out) {
  if (branch == nullptr || !branch->is_object()) return;
  AddPair(*branch, out);
  if (branch->size() != 1) return;
  for (const Value& one : ItemsOf(branch->Find("anyOf"))) AddPair(one, out);
}

void AddMaxProperties(const Value& node, std::vector<Union>& out) {
  const Value* most = node.Find("maxProperties");
  const Value* properties = node.Find("properties");
  if (most == nullptr || !most->is_int() || most->AsInt() != 1) return;
  if (properties == nullptr || !properties->is_object() || properties->size() < 2) return;
  std::vector<Names> alternatives;
  for (const Member& property : properties->Members()) alternatives.push_back({std::string(property.name)});
  out.push_back(UnionOf(alternatives));
}

// Documents generated from Go types give the name of a Go field instead of the discriminator's value (LocalhostProfile
// for Localhost).
bool NamesItsValues(const Value& node, const Union& fields) {
  const std::span<const Value> values = ItemsOf(node.FindPath({"properties", fields.discriminator, "enum"}));
  return std::all_of(fields.members.begin(), fields.members.end(), [&](const auto& member) {
    return std::any_of(values.begin(), values.end(),
                       [&](const Value& v) { return v.is_string() && v.AsString() == member.second; });
  });
}

void AddExtension(const Value& node, std::vector<Union>& out) {
  for (const Value& item : ItemsOf(node.Find("x-kubernetes-unions"))) {
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
  AddOneOf(node.Find("oneOf"), out);
  AddNot(node.Find("not"), out);
  AddMaxProperties(node, out);
  for (const Value& part : ItemsOf(node.Find("allOf"))) {
    AddOneOf(part.Find("oneOf"), out);
    AddNot(part.Find("not"), out);
  }
  return out;
}

}  // namespace smp
