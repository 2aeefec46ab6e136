// Object: an object of the input with all that the rules need: its kind's schema, and where its values are in the text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "apply/manifests.h"
#include "base/hash.h"
#include "edit/text_tree.h"
#include "lint/finding.h"
#include "schema/schema.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::lint {

// Whose schema an object is checked by.
enum class Authority {
  kNobody,      // no schema has the kind
  kBuiltin,     // the built-in schema: the kinds of one release of Kubernetes
  kDocument,    // an OpenAPI document of --schema
  kServer,      // the server's OpenAPI documents
  kDefinition,  // a CRD: of the input, of --schema or of the server
};

struct Kind {
  Authority authority = Authority::kNobody;
  std::shared_ptr<const Schema> schema;
  Resource resource;                     // its type is kNoType if the fields are unknown
  const Document* definition = nullptr;  // the CRD
  bool is_custom() const { return !resource.strategic && authority != Authority::kNobody; }
};

struct Object {
  size_t file = 0;
  size_t part = 0;                       // of the file
  const edit::TextNode* node = nullptr;  // in the part's tree; nullptr: only lines are known
  Document document;
  std::vector<ReadWarning> warnings = {};
  GroupVersionKind gvk;
  std::string name, name_space;
  std::optional<apply::Manifest> manifest = {};  // nullopt: apply would not take it, because it has no name, …
  std::shared_ptr<const Kind> kind = {};

  const Value& root() const { return document.root(); }
  // A patch does not state its kind: that is `gvk`.
  bool is_secret() const;
  // Returns true if the value at the path must not be shown.
  bool Hides(const FieldPath& path) const;
  bool has_type() const { return kind != nullptr && kind->resource.type != kNoType; }
  std::string Label() const { return apply::Label(gvk, name); }
};

// Returns the openAPIV3Schema of the object's version; nullptr if there is no CRD, or if it states none.
const Value* DefinedSchema(const Object& object);
// Returns the node of that schema for the value at a path; nullptr if there is none.
const Value* DefinedNode(const Object& object, const FieldPath& path);

// Where the values of an object are in the tree of its text, by their addresses.
class ValuePlaces {
 public:
  explicit ValuePlaces(const Object& object);

  // Returns the entry that has the value; nullptr if it is not known, or for the object itself.
  const edit::TextEntry* EntryOf(const Value* value) const;
  // Returns the node of the value; nullptr if it is not known.
  const edit::TextNode* NodeOf(const Value* value) const;

 private:
  void Add(const Value& value, const edit::TextNode* node);

  const Value* root_;
  const edit::TextNode* root_node_;
  std::unordered_map<const Value*, const edit::TextEntry*> entries_;
};

}  // namespace smp::lint
