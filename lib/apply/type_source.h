// TypeSource: finds the schema type of a document in OpenAPI files, in the built-in schema or on a server. For
// create-patch and merge, which process thousands of documents with one schema.
#pragma once

#include <map>
#include <memory>
#include <mutex>
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
  bool strategic = true;  // the server accepts strategic merge patches for the kind
};

// Reads only what is needed: each OpenAPI document is read and compiled once, when it may contain a requested kind. Thread-safe.
class TypeSource {
 public:
  virtual ~TypeSource() = default;

  // Both return nullopt if there is no such kind or component (OpenAPI schema name).
  Result<std::optional<FoundType>> OfKind(const GroupVersionKind& gvk);
  Result<std::optional<FoundType>> OfComponent(const std::string& name);
  // How the user can provide more types; the end of an error message.
  virtual std::string_view advice() const = 0;

  // Returns `found` as if it were the type of a built-in kind or of a custom resource, as `storage` says
  // (schema/reading.h). REQUIRES: `found` is from this source.
  FoundType Read(const FoundType& found, Storage storage);

 private:
  // Called by one thread at a time.
  virtual Result<std::optional<FoundType>> SearchKind(const GroupVersionKind& gvk) = 0;
  virtual Result<std::optional<FoundType>> SearchComponent(const std::string& name) = 0;

  std::mutex mutex_;
  std::map<std::pair<const Schema*, TypeId>, FoundType> read_;  // results of Read for another storage
};

// Types of the OpenAPI documents at `paths`: files, or folders of *.json; for --schema. Error: invalid-argument, if a
// path does not exist. A document is read when a kind is first looked up in it.
Result<std::unique_ptr<TypeSource>> TypesOfDocuments(const std::vector<std::string>& paths);

// The built-in schema.
std::unique_ptr<TypeSource> BuiltinTypes();

// Types from the server's OpenAPI documents.
std::unique_ptr<TypeSource> TypesOfServer(std::shared_ptr<kube::SchemaSource> schemas);

// The name of a type. If both are empty, the object's own apiVersion and kind are used.
struct TypeName {
  std::string_view gvk;
  std::string_view component;  // wins if both are given

  bool empty() const { return gvk.empty() && component.empty(); }
};

// Returns the type with that name. Error: schema, if the type is unknown; parse, if the name or the object is invalid.
Result<FoundType> FindType(TypeSource& types, const TypeName& name, const Value& object);

// Returns a type without any schema: patches replace every list as a whole.
FoundType UnknownType();

}  // namespace smp::apply
