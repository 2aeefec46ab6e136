// The source of types for plain documents: OpenAPI documents or a server. For create-patch and merge, which answer
// thousands of requests from one schema.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "kube/schema_source.h"
#include "schema/schema.h"

namespace smp::apply {

struct FoundType {
  std::shared_ptr<const Schema> schema;
  TypeId type = kNoType;
  bool strategic = true;  // the server takes strategic merge patches of the kind
};

// Finds types, and reads no more than needed: each document is read and compiled once, when it may hold a requested
// kind.
class TypeSource {
 public:
  virtual ~TypeSource() = default;

  // nullopt if there is no such kind or component.
  virtual Result<std::optional<FoundType>> OfKind(const GroupVersionKind& gvk) = 0;
  virtual Result<std::optional<FoundType>> OfComponent(const std::string& name) = 0;
  // How to make more types known, as the end of an error message.
  virtual std::string_view advice() const = 0;

  // The type, read as that of a built-in kind or of a custom resource, whatever it is (schema/reading.h). `found` must
  // be of this source.
  FoundType Read(const FoundType& found, Storage storage);

 private:
  std::map<std::pair<const Schema*, TypeId>, FoundType> read_;  // those that had to be read in another way
};

// Types of the OpenAPI documents at `paths`, files or folders of *.json, for --schema. Error: invalid-argument if one
// does not exist. A document is read when a kind is first looked up in it.
Result<std::unique_ptr<TypeSource>> TypesOfDocuments(const std::vector<std::string>& paths);

// The built-in schema.
std::unique_ptr<TypeSource> BuiltinTypes();

// Types that the server describes.
std::unique_ptr<TypeSource> TypesOfServer(std::shared_ptr<kube::SchemaSource> schemas);

// The name of a type. Both empty: the object's own apiVersion and kind.
struct TypeName {
  std::string_view gvk;
  std::string_view component;  // wins if both are given

  bool empty() const { return gvk.empty() && component.empty(); }
};

// Error: schema, if the type is not known; parse, if the name or the object is invalid.
Result<FoundType> FindType(TypeSource& types, const TypeName& name, const Value& object);

// A type about which nothing is known: every list is replaced whole.
FoundType UnknownType();

}  // namespace smp::apply
