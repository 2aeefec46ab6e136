// --schema, --from-server and --gvk: where the types of objects come from, and which one an object has. For the
// commands that work on plain documents (create-patch, merge) and must answer thousands of requests from one schema.
#ifndef SMP_CMD_SCHEMA_FLAGS_H_
#define SMP_CMD_SCHEMA_FLAGS_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "schema/schema.h"
#include "smp/diff.h"

namespace smp {

// With the flags of the connection that --from-server needs.
std::vector<Flag> SchemaFlagTable();

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

// Error: invalid-argument, when a file of --schema does not exist. What is in it shows when it is read.
Result<std::unique_ptr<TypeSource>> MakeTypeSource(const ParsedFlags& flags, Io& io);

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

#endif  // SMP_CMD_SCHEMA_FLAGS_H_
