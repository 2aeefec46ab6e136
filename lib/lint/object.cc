#include "lint/object.h"

#include "schema/definition.h"
#include "value/redact.h"

namespace smp::lint {

bool Object::is_secret() const { return IsSecret(root()) || IsSecret(gvk.ApiVersion(), gvk.kind); }

bool Object::Hides(const FieldPath& path) const { return is_secret() && IsMaskedInSecret(path); }

const Value* DefinedSchema(const Object& object) {
  if (object.kind->definition == nullptr) return nullptr;
  const Value* version = VersionOfDefinition(object.kind->definition->root(), object.gvk.version);
  return version == nullptr ? nullptr : version->FindPath({"schema", "openAPIV3Schema"});
}

const Value* DefinedNode(const Object& object, const FieldPath& path) {
  const Value* node = DefinedSchema(object);
  for (const PathStep& step : path) {
    if (node == nullptr) return nullptr;
    const Value* member = node->FindPath({"properties", step.name});
    const Value* additional = node->Find("additionalProperties");
    node = step.kind != PathStep::Kind::kField ? node->Find("items") : member != nullptr ? member : additional;
  }
  return node;
}

ValuePlaces::ValuePlaces(const Object& object) : root_(&object.root()), root_node_(object.node) {
  if (root_node_ != nullptr) Add(*root_, edit::Followed(root_node_));
}

const edit::TextEntry* ValuePlaces::EntryOf(const Value* value) const {
  const auto at = entries_.find(value);
  return at == entries_.end() ? nullptr : at->second;
}

const edit::TextNode* ValuePlaces::NodeOf(const Value* value) const {
  if (value == root_) return root_node_;
  const edit::TextEntry* entry = EntryOf(value);
  return entry == nullptr ? nullptr : entry->value;
}

// Values that aliases share have the place of the first use. The recursion is bounded by the parser's kMaxDepth.
void ValuePlaces::Add(const Value& value, const edit::TextNode* node) {
  if (value.is_object() && node->kind == edit::TextNode::Kind::kMapping) {
    for (const edit::TextEntry* entry : edit::EffectiveMembers(node)) {
      const Value* member = value.Find(entry->name);
      if (member == nullptr || !entries_.try_emplace(member, entry).second) continue;
      Add(*member, edit::Followed(entry->value));
    }
  }
  if (value.is_array() && node->kind == edit::TextNode::Kind::kSequence) {
    size_t i = 0;
    edit::ForEachEntry(node, [&](const edit::TextEntry* entry) {
      if (i == value.size()) return;
      const Value& item = value.Items()[i++];
      if (entries_.try_emplace(&item, entry).second) Add(item, edit::Followed(entry->value));
    });
  }
}

}  // namespace smp::lint
