#include "auth/config_node.h"

#include "base/strings.h"

namespace smp::auth {
namespace {

ConfigNode At(const ConfigNode& parent, const Value* value, std::string path) {
  const int line = parent.document->LineOf(value);
  return {parent.document, value, std::move(path), {parent.source.file, line > 0 ? line : parent.source.line}};
}

}  // namespace

Error NodeError(const ConfigNode& node, std::string message) {
  return {ErrorCode::kParse, std::move(message), node.path, node.source};
}

Error WrongKind(const ConfigNode& node, std::string_view expected) {
  return NodeError(node, StrCat("expected ", expected, ", found ", KindName(node.value->kind())));
}

std::optional<ConfigNode> Child(const ConfigNode& parent, std::string_view name) {
  const Value* value = parent.value->Find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return At(parent, value, parent.path.empty() ? std::string(name) : StrCat(parent.path, ".", name));
}

Result<std::optional<ConfigNode>> ObjectChild(const ConfigNode& parent, std::string_view name) {
  std::optional<ConfigNode> node = Child(parent, name);
  if (node && !node->value->is_object()) return WrongKind(*node, "a mapping");
  return node;
}

Result<std::vector<ConfigNode>> ListChildren(const ConfigNode& parent, std::string_view name) {
  std::vector<ConfigNode> items;
  const std::optional<ConfigNode> list = Child(parent, name);
  if (!list) return items;
  if (!list->value->is_array()) return WrongKind(*list, "a list");
  for (const Value& item : list->value->Items()) {
    items.push_back(At(*list, &item, StrCat(list->path, "[", items.size(), "]")));
  }
  return items;
}

Result<std::string> ReadString(const ConfigNode& parent, std::string_view name) {
  const std::optional<ConfigNode> node = Child(parent, name);
  if (!node) return std::string();
  if (!node->value->is_string()) return WrongKind(*node, "a string (quote it)");
  return std::string(node->value->AsString());
}

Result<bool> ReadBool(const ConfigNode& parent, std::string_view name) {
  const std::optional<ConfigNode> node = Child(parent, name);
  if (!node) return false;
  if (!node->value->is_bool()) return WrongKind(*node, "true or false");
  return node->value->AsBool();
}

Result<std::vector<std::string>> ReadStrings(const ConfigNode& parent, std::string_view name) {
  std::vector<std::string> out;
  SMP_ASSIGN(const std::vector<ConfigNode> items, ListChildren(parent, name));
  for (const ConfigNode& item : items) {
    if (!item.value->is_string()) return WrongKind(item, "a string (quote it)");
    out.emplace_back(item.value->AsString());
  }
  return out;
}

}  // namespace smp::auth
