// Where the types of plain documents come from: OpenAPI documents or a server. For create-patch and merge, which answer
// thousands of requests from one schema.
#ifndef SMP_APPLY_TYPE_SOURCE_H_
#define SMP_APPLY_TYPE_SOURCE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kube/schema_source.h"
#include "schema/schema.h"
#include "smp/diff.h"

namespace smp {

struct FoundType {
  std::shared_ptr<const Schema> schema;
  TypeId type = kNoType;
  ListRules rules = ListRules::kStrategic;  // kListTypes: the server knows no strategic merge patch for the kind
};

// Knows types, and reads no more than it is asked for: a document is read and compiled once, when a kind may stand in
// it.
class TypeSource {
 public:
  virtual ~TypeSource() = default;

  // Nothing: there is no such kind, no such component.
  virtual Result<std::optional<FoundType>> OfKind(const GroupVersionKind& gvk) = 0;
  virtual Result<std::optional<FoundType>> OfComponent(const std::string& name) = 0;
  // How to have more types known, as the end of an error.
  virtual std::string_view advice() const = 0;
};

// Types of the OpenAPI documents at `paths`, files or folders of *.json, for --schema. Error: invalid-argument if one
// does not exist. A document is read when a kind is first looked up in it.
Result<std::unique_ptr<TypeSource>> TypesOfDocuments(const std::vector<std::string>& paths);

// The built-in schema.
std::unique_ptr<TypeSource> BuiltinTypes();

// Types that a server describes.
std::unique_ptr<TypeSource> TypesOfServer(std::shared_ptr<SchemaSource> schemas);

// What names a type. Both empty: the object's own apiVersion and kind do.
struct TypeName {
  std::string_view gvk;
  std::string_view component;  // counts where both are given

  bool empty() const { return gvk.empty() && component.empty(); }
};

// Error: schema, when the type is not known; parse, when the name or the object is none.
Result<FoundType> FindType(TypeSource& types, const TypeName& name, const Value& object);

// A type of which nothing is known: every list is replaced whole.
FoundType UnknownType();

}  // namespace smp

#endif  // SMP_APPLY_TYPE_SOURCE_H_
