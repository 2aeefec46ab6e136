#include "smp/managed_fields.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kItself = ".";

const Value* FieldsOf(const Value& entry) {
  const Value* fields = entry.Find("fieldsV1");
  return fields != nullptr && fields->is_object() ? fields : nullptr;
}

// A node without children is owned; a node with children only if it has a ".".
bool IsOwned(const Value& node) { return node.empty() || node.Find(kItself) != nullptr; }

bool Owns(const Value& entry, const std::vector<std::string_view>& names) {
  const Value* node = FieldsOf(entry);
  for (const std::string_view name : names) {
    if (node != nullptr) node = node->Find(StrCat("f:", name));
  }
  return node != nullptr && IsOwned(*node);
}

// One step of a path, as the server writes it in messages, and as our PathStep.
struct Named {
  std::string server;
  PathStep step;
};

Named NameKeys(const Value& keys) {
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> step;
  for (const Member& key : keys.Members()) {
    parts.push_back(StrCat(key.name, "=", WriteJson(key.value)));
    step.emplace_back(key.name, WriteJson(key.value));
  }
  return {StrCat("[", Join(parts, ","), "]"), PathStep::Key(std::move(step))};
}

std::optional<Named> NameOf(std::string_view key) {
  if (key.size() < 2 || key[1] != ':') return std::nullopt;
  const std::string_view rest = key.substr(2);
  if (key[0] == 'f') return Named{StrCat(".", rest), PathStep::Field(rest)};
  const Result<Document> value = ParseJson(rest);
  if (!value.ok()) return std::nullopt;
  const Value& root = value->root();
  if (key[0] == 'k' && root.is_object()) return NameKeys(root);
  if (key[0] == 'v') return Named{StrCat("[=", WriteJson(root), "]"), PathStep::Element(root)};
  if (key[0] == 'i' && root.is_int()) return Named{StrCat("[", root.AsInt(), "]"), PathStep::Index(root.AsInt())};
  return std::nullopt;
}

// The recursion is bounded by the parser's kMaxDepth.
void Visit(const Value& node, const std::string& server_path, FieldPath& path, const OwnedField& visit) {
  if (!node.is_object()) return;
  if (!path.empty() && IsOwned(node)) visit(server_path, path);
  for (const Member& member : node.Members()) {
    std::optional<Named> named = NameOf(member.name);
    if (!named) continue;
    path.push_back(std::move(named->step));
    Visit(member.value, server_path + named->server, path, visit);
    path.pop_back();
  }
}

bool IsBy(const Value& entry, std::string_view manager, std::string_view operation) {
  return entry.StringOr("manager") == manager && entry.StringOr("operation") == operation &&
         entry.StringOr("subresource").empty();
}

Value EmptyMap(Arena& arena) { return arena.SortedObject({}); }

using Entries = std::vector<Value>;

Entries::iterator FindBy(Entries& entries, std::string_view manager, std::string_view operation) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const Value& entry) { return IsBy(entry, manager, operation); });
}

void MigrateOne(Entries& entries, const std::string& from, const std::string& manager, Arena& arena) {
  auto into = FindBy(entries, manager, "Apply");
  if (into == entries.end()) {
    into = FindBy(entries, from, "Update");
    if (into == entries.end()) return;
    *into = WithAt(*into, {"operation"}, Value::UnownedString("Apply"), arena);
    *into = WithAt(*into, {"manager"}, arena.String(manager), arena);
  }
  // Fields of another API version may have other names, so they are not moved.
  const std::string version(into->StringOr("apiVersion"));
  const auto same_version = std::find_if(entries.begin(), entries.end(), [&](const Value& entry) {
    return IsBy(entry, from, "Update") && entry.StringOr("apiVersion") == version;
  });
  if (same_version != entries.end()) {
    const Value empty = EmptyMap(arena);
    const Value* mine = FieldsOf(*into);
    const Value* theirs = FieldsOf(*same_version);
    const Value fields = UnionOfFields(mine == nullptr ? empty : *mine, theirs == nullptr ? empty : *theirs, arena);
    *into = WithAt(*into, {"fieldsV1"}, fields, arena);
  }
  std::erase_if(entries, [&](const Value& entry) { return IsBy(entry, from, "Update"); });
}

// The root is not a field itself, so an empty root ({}) means that nothing is owned.
Value Union(const Value& a, const Value& b, bool root, Arena& arena) {
  std::vector<Member> members;
  const bool owned = !root && (IsOwned(a) || IsOwned(b));
  for (const Member& member : a.Members()) {
    const Value* other = b.Find(member.name);
    const bool both = other != nullptr && other->is_object() && member.value.is_object();
    if (member.name != kItself) {
      members.push_back({member.name, both ? Union(member.value, *other, false, arena) : member.value});
    }
  }
  for (const Member& member : b.Members()) {
    if (member.name != kItself && a.Find(member.name) == nullptr) members.push_back(member);
  }
  if (owned && !members.empty()) members.push_back({kItself, EmptyMap(arena)});
  return arena.Object(std::move(members));
}

}  // namespace

std::vector<Value> ManagedFields(const Value& object) {
  std::vector<Value> out;
  for (const Value& entry : ItemsAt(object, {"metadata", "managedFields"})) {
    if (entry.is_object()) out.push_back(entry);
  }
  return out;
}

std::set<std::string> OwnersOf(const std::vector<Value>& entries, std::string_view operation,
                               const std::vector<std::string_view>& names) {
  std::set<std::string> out;
  for (const Value& entry : entries) {
    if (entry.StringOr("operation") == operation && Owns(entry, names)) out.emplace(entry.StringOr("manager"));
  }
  return out;
}

void ForEachOwnedField(const Value& entry, const OwnedField& visit) {
  FieldPath path;
  if (const Value* fields = FieldsOf(entry)) Visit(*fields, "", path, visit);
}

Value UnionOfFields(const Value& a, const Value& b, Arena& arena) { return Union(a, b, true, arena); }

std::optional<std::vector<Value>> MigratedToServerSide(const std::vector<Value>& entries,
                                                       const std::set<std::string>& managers,
                                                       const std::string& manager, Arena& arena) {
  Entries out = entries;
  for (const std::string& from : managers) MigrateOne(out, from, manager, arena);
  if (out == entries) return std::nullopt;
  return out;
}

}  // namespace smp
