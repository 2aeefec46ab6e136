#include "schema/openapi_types.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/strings.h"
#include "schema/node_unions.h"
#include "value/at.h"

namespace smp {

namespace {

constexpr int kMaxAliases = 16;  // components that are nothing but a $ref to the next

// Returns the $ref of a node, or of the first part of its `allOf` (with which OpenAPI v3 states `default` and
// extensions beside a $ref); "" if there is none.
std::string_view RefOf(const Value& node) {
  if (node.Find("properties") != nullptr) return {};
  if (const std::string_view ref = node.StringOr("$ref"); !ref.empty()) return ref;
  const std::span<const Value> parts = ItemsAt(node, {"allOf"});
  return parts.empty() ? std::string_view() : parts[0].StringOr("$ref");
}

// CRDs may state no type beside it: then, any value is accepted.
bool PreservesUnknown(const Value& node) { return IsTrueAt(node, {"x-kubernetes-preserve-unknown-fields"}); }

TypeKind KindOf(const Value& node) {
  if (IsTrueAt(node, {"x-kubernetes-int-or-string"}) || node.StringOr("format") == "int-or-string") {
    return TypeKind::kIntOrString;
  }
  const std::string_view type = node.StringOr("type"), format = node.StringOr("format");
  if (type == "string" && format == "date-time") return TypeKind::kTime;
  if (type == "string" && format == "byte") return TypeKind::kBytes;
  if (type == "string") return TypeKind::kString;
  if (type == "integer") return TypeKind::kInteger;
  if (type == "number") return TypeKind::kNumber;
  if (type == "boolean") return TypeKind::kBoolean;
  if (type == "array") return TypeKind::kArray;
  if (type.empty() && PreservesUnknown(node)) return TypeKind::kAny;
  if (node.Find("items") != nullptr) return TypeKind::kArray;
  const bool has_members = node.Find("properties") != nullptr || node.Find("additionalProperties") != nullptr;
  return type == "object" || has_members ? TypeKind::kObject : TypeKind::kAny;
}

// IntOrString and Quantity are `oneOf` a string and a number in v3, and strings in v2. Only their names identify them.
TypeKind KindOfComponent(std::string_view name, const Value& node) {
  if (name.ends_with(".util.intstr.IntOrString")) return TypeKind::kIntOrString;
  if (name.ends_with(".api.resource.Quantity")) return TypeKind::kQuantity;
  return KindOf(node);
}

Type Described(const Value& node, TypeKind kind) {
  Type type;
  type.kind = kind;
  type.unions = UnionsOf(node);
  type.preserve_unknown = PreservesUnknown(node);
  type.embedded = IsTrueAt(node, {"x-kubernetes-embedded-resource"});
  type.nullable = IsTrueAt(node, {"nullable"});
  type.atomic = node.StringOr("x-kubernetes-map-type") == "atomic";
  return type;
}

// Splits at "," or "|", trims spaces and skips empty words.
std::vector<std::string> Words(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    if (const std::string_view word = Trim(text.substr(0, end)); !word.empty()) words.emplace_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Returns what the server says when one of the rules refuses a change; "" if the node has none of them. With optionalOldSelf, a
// rule means something else. (ruleMessageOrDefault of apiextensions-apiserver's schema/cel.)
std::string WordsOfRule(const Value& node, const std::vector<std::string>& rules) {
  for (const Value& rule : ItemsAt(node, {"x-kubernetes-validations"})) {
    const std::string_view text = Trim(rule.StringOr("rule"));
    const bool is_one = std::ranges::find(rules, text) != rules.end();
    if (!is_one || IsTrueAt(rule, {"optionalOldSelf"})) continue;
    // What the server says then, only it can evaluate.
    if (!rule.StringOr("messageExpression").empty()) return StrCat("refused by the rule ", text);
    const std::string_view message = Trim(rule.StringOr("message"));
    return message.empty() ? StrCat("failed rule: ", text) : std::string(message);
  }
  return {};
}

std::string WordsOfFixed(const Value& node) { return WordsOfRule(node, {"self == oldSelf"}); }

// Likewise of a rule of a map around the field. `path`: "spec.size", from that map.
std::string WordsOfFixedMember(const Value& map, std::string_view path) {
  if (map.Find("x-kubernetes-validations") == nullptr) return {};
  const std::string rule = StrCat("self.", path, " == oldSelf.", path);
  return WordsOfRule(map, {rule, StrCat("!has(oldSelf.", path, ") || ", rule)});
}

// A set of atomic maps or lists is replaced as a whole: nobody merges it. The server refuses it in a server-side apply.
ListMerge ListTypeOf(const Value& node, TypeKind element) {
  const std::string_view word = node.StringOr("x-kubernetes-list-type");
  if (word == "map") return ListMerge::kKeyed;
  const bool is_branch = element == TypeKind::kObject || element == TypeKind::kArray;
  return word == "set" && !is_branch ? ListMerge::kSet : ListMerge::kAtomic;
}

// "at most two; retainKeys is a flag, the other word is the strategy" (strategicpatch/meta.go,
// extractRetainKeysPatchStrategy). Unknown words are ignored. REQUIRES: the keys of `field` are set.
Status ReadStrategy(const Value& node, Field& field) {
  const std::string_view text = node.StringOr("x-kubernetes-patch-strategy");
  const std::vector<std::string> words = Words(text, ",|");
  const auto says = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  const ListMerge merged = field.identity_keys.empty() ? ListMerge::kSet : ListMerge::kKeyed;
  field.strategy = {says("merge") ? merged : ListMerge::kAtomic, says("replace"), says("retainKeys")};
  field.patch = field.strategy;
  if (words.size() > 2 || (words.size() == 2 && !field.strategy.retain_keys)) {
    return Error::Schema(
        StrCat("x-kubernetes-patch-strategy \"", text,
               "\" must be one of merge, replace, retainKeys, or one of the first two with retainKeys"));
  }
  return Ok();
}

// Builds the types without recursion: all components get their ids before any is filled, so they may refer to each
// other in cycles, and inline nodes are queued.
class TypeCompiler {
 public:
  TypeCompiler(const Value& components, std::string_view ref_prefix, Schema& schema)
      : components_(components), ref_prefix_(ref_prefix), schema_(schema) {}

  Status Compile() {
    for (const Member& component : components_.Members()) SMP_TRY(AddComponent(component));
    for (const Member& component : components_.Members()) SMP_TRY(AddAlias(component));
    for (size_t i = 0; i < nodes_.size(); ++i) SMP_TRY(Fill(i));
    for (const Member& component : components_.Members()) AddKinds(component);
    return Ok();
  }

 private:
  static constexpr size_t kComponent = static_cast<size_t>(-1);
  // Everything that a type without members states; the last one is fixed_words.
  using LeafKey = std::tuple<TypeKind, bool, bool, bool, bool, std::string_view>;

  struct Node {
    TypeId id;
    const Value* value;
    size_t parent;          // index of the enclosing node; kComponent for a component
    std::string_view step;  // name of the field (or component) that has this type
  };

  Error Failure(size_t node, std::string_view step, std::string_view what) const {
    std::string path(step);
    for (; node != kComponent; node = nodes_[node].parent) {
      path = path.empty() ? std::string(nodes_[node].step) : StrCat(nodes_[node].step, ".", path);
    }
    return Error::Schema(StrCat("invalid OpenAPI document: ", path, ": ", what));
  }

  Status AddComponent(const Member& component) {
    if (!component.value.is_object()) return Failure(kComponent, component.name, "a component must be an object");
    if (!RefOf(component.value).empty()) return Ok();
    Type type = Described(component.value, KindOfComponent(component.name, component.value));
    type.name = component.name;
    const TypeId id = schema_.Add(std::move(type));
    ids_.emplace(component.name, id);
    nodes_.push_back({id, &component.value, kComponent, component.name});
    return Ok();
  }

  // A component that is only a $ref is an alias of its target. A type of its own would copy everything in the target.
  Status AddAlias(const Member& component) {
    const Value* node = &component.value;
    for (int hops = 0; hops < kMaxAliases; ++hops) {
      const std::string_view ref = RefOf(*node);
      if (ref.empty()) return Ok();
      if (const auto at = ids_.find(ComponentName(ref)); at != ids_.end()) {
        ids_.emplace(component.name, at->second);
        return Ok();
      }
      node = components_.Find(ComponentName(ref));
      if (node == nullptr) return Failure(kComponent, component.name, UnknownComponent(ref));
    }
    return Failure(kComponent, component.name, "the chain of $ref is too long or circular");
  }

  std::string_view ComponentName(std::string_view ref) const {
    return ref.starts_with(ref_prefix_) ? ref.substr(ref_prefix_.size()) : std::string_view();
  }

  static std::string UnknownComponent(std::string_view ref) {
    return StrCat("$ref \"", ref, "\" does not refer to a component of the document");
  }

  Status Fill(size_t index) {
    const Node node = nodes_[index];
    Type type = schema_.type(node.id);
    if (type.kind == TypeKind::kArray) {
      SMP_ASSIGN(type.additional, TypeOfMember(index, "items", type.preserve_unknown));
      type.SetMergedList(ListTypeOf(*node.value, schema_.type(type.additional).kind),
                         TextsAt(*node.value, {"x-kubernetes-list-map-keys"}));
    } else if (const Value* additional = node.value->Find("additionalProperties");
               additional != nullptr && (additional->is_object() || IsTrueAt(*node.value, {"additionalProperties"}))) {
      type.has_additional = true;
      SMP_ASSIGN(type.additional, TypeOfMember(index, "additionalProperties"));
    }
    SMP_TRY(FillFields(index, type.fields));
    schema_.Mutable(node.id) = std::move(type);
    return Ok();
  }

  Status FillFields(size_t index, std::vector<Field>& fields) {
    const Value& node = *nodes_[index].value;
    const Value* properties = node.Find("properties");
    if (properties == nullptr) return Ok();
    if (!properties->is_object()) return Failure(index, {}, "properties must be an object");
    fields.reserve(properties->size());
    for (const Member& property : properties->Members()) {
      SMP_ASSIGN(Field field, FieldOf(index, property));
      fields.push_back(std::move(field));
    }
    return Ok();
  }

  // Extensions are on the property node, beside $ref, and are never read from the target of the $ref.
  Result<Field> FieldOf(size_t parent, const Member& property) {
    const Value& node = property.value;
    if (!node.is_object()) return Failure(parent, property.name, "a property must be an object");
    Field field;
    field.name = property.name;
    field.is_list = node.StringOr("type") == "array";
    if (const Value* described = field.is_list ? node.Find("items") : &node; described != nullptr) {
      SMP_ASSIGN(field.type, TypeOf(parent, property.name, *described, field.is_list && PreservesUnknown(node)));
    }
    field.granular =
        node.StringOr("x-kubernetes-map-type") == "granular" && schema_.type(field.type).atomic && !field.is_list;
    field.nullable = IsTrueAt(node, {"nullable"});
    field.kind = field.is_list ? TypeKind::kArray : schema_.type(field.type).kind;
    field.patch_keys = Words(node.StringOr("x-kubernetes-patch-merge-key"), ",");
    field.identity_keys = TextsAt(node, {"x-kubernetes-list-map-keys"});
    if (field.identity_keys.empty()) field.identity_keys = field.patch_keys;
    field.list_type = ListTypeOf(node, schema_.type(field.type).kind);
    if (Status status = ReadStrategy(node, field); !status.ok()) {
      return Failure(parent, property.name, status.error().message);
    }
    if (const Value* value = node.Find("default"); value != nullptr) field.default_value = schema_.Own(*value);
    std::string words = WordsOfFixed(node);
    if (words.empty()) words = WordsOfMapsAround(parent, property.name);
    field.fixed_words = FixedWords(words);
    return field;
  }

  std::string WordsOfMapsAround(size_t node, std::string_view name) const {
    constexpr int kMost = 4;  // maps around a field
    std::string path(name);
    for (int i = 0; i < kMost; ++i) {
      std::string words = WordsOfFixedMember(*nodes_[node].value, path);
      if (!words.empty() || nodes_[node].parent == kComponent) return words;
      path = StrCat(nodes_[node].step, ".", path);
      node = nodes_[node].parent;
    }
    return {};
  }

  const Value* FixedWords(const std::string& words) {
    return words.empty() ? nullptr : schema_.Own(Value::UnownedString(words));
  }

  Result<TypeId> TypeOfMember(size_t parent, std::string_view name, bool preserves = false) {
    const Value* node = nodes_[parent].value->Find(name);
    if (node == nullptr || !node->is_object()) return kNoType;
    return TypeOf(parent, name, *node, preserves);
  }

  // `preserves`: the node has the items of a list that preserves unknown fields, which the server takes as said of the items
  // (skipPrune of apiextensions-apiserver).
  Result<TypeId> TypeOf(size_t parent, std::string_view step, const Value& node, bool preserves) {
    if (const std::string_view ref = RefOf(node); !ref.empty()) {
      const auto at = ids_.find(ComponentName(ref));
      if (at == ids_.end()) return Failure(parent, step, UnknownComponent(ref));
      return at->second;
    }
    Type type = Described(node, KindOf(node));
    type.preserve_unknown |= preserves;
    type.fixed_words = FixedWords(WordsOfFixed(node));
    const bool holds_nodes = node.Find("properties") != nullptr || node.Find("additionalProperties") != nullptr ||
                             node.Find("items") != nullptr;
    if (!holds_nodes) return Leaf(std::move(type));
    const TypeId id = schema_.Add(std::move(type));
    nodes_.push_back({id, &node, parent, step});
    return id;
  }

  // Returns one shared type for all nodes that state the same kind and flags and have no members.
  TypeId Leaf(Type type) {
    const std::string_view words = type.fixed_words == nullptr ? std::string_view() : type.fixed_words->AsString();
    const LeafKey key(type.kind, type.preserve_unknown, type.embedded, type.nullable, type.atomic, words);
    if (key == LeafKey()) return kNoType;
    const auto [at, is_new] = leaves_.try_emplace(key, kNoType);
    if (is_new) at->second = schema_.Add(std::move(type));
    return at->second;
  }

  void AddKinds(const Member& component) {
    for (const Value& kind : ItemsAt(component.value, {"x-kubernetes-group-version-kind"})) {
      schema_.AddKind(GvkOfExtension(kind), ids_.at(component.name));
    }
  }

  const Value& components_;
  const std::string_view ref_prefix_;
  Schema& schema_;
  ViewMap<TypeId> ids_;
  std::map<LeafKey, TypeId> leaves_;
  std::vector<Node> nodes_;
};

}  // namespace

GroupVersionKind GvkOfExtension(const Value& extension) {
  return {std::string(extension.StringOr("group")), std::string(extension.StringOr("version")),
          std::string(extension.StringOr("kind"))};
}

Status CompileTypes(const Value& components, std::string_view ref_prefix, Schema& schema) {
  return TypeCompiler(components, ref_prefix, schema).Compile();
}

}  // namespace smp
