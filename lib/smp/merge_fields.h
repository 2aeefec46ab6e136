// The walk over fields and lists that merging a patch into an object (merge.h) and composing two patches (compose.h)
// share. The two differ in how they treat nulls and directives. Private to both.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

struct ListRule;
struct MergedList;

bool IsDeletion(const Value& item);  // true if it has `$patch: delete`

// The parts of a patch that concern one field: value, order, deletions. nullptr: the patch has no such part.
struct FieldPatch {
  std::string_view name;
  const Value* value = nullptr;
  const Value* order = nullptr;  // of $setElementOrder/name
  const Value* gone = nullptr;   // of $deleteFromPrimitiveList/name
};

Result<FieldPatch> ReadMember(const Member& m);
// Returns one entry per field, sorted by name.
std::vector<FieldPatch> JoinedByName(std::vector<FieldPatch> fields);

// Returns the value `v` of a patch for a field that live lacks: without maps with $patch, and without nulls unless
// kKeep. $retainKeys, $setElementOrder and $deleteFromPrimitiveList stay as fields, as on the server. nullopt if the
// value itself is a map with $patch.
enum class Nulls { kDrop, kKeep };
std::optional<Value> Stripped(const Value& v, Nulls nulls, Arena& arena);

class FieldMerger {
 public:
  FieldMerger(const Schema& schema, Arena& arena) : schema_(schema), arena_(arena) {}
  FieldMerger(const FieldMerger&) = delete;
  FieldMerger& operator=(const FieldMerger&) = delete;
  virtual ~FieldMerger() = default;

  // Merges `patch` into `live`; both are objects.
  virtual Result<Value> Maps(const Value& live, const Value& patch, TypeId type) = 0;

 protected:
  // Returns the new value of a field that is a scalar or null in the patch, or a map or list where live has no such
  // value. nullopt removes the field.
  virtual std::optional<Value> Replaced(const Value& patch) = 0;
  // Returns a new list item or the members of a map that replaces another. The server uses them as they are, with
  // nested directives and nulls.
  virtual Value Verbatim(const Value& patch) { return patch; }

  // REQUIRES: both are sorted by name.
  Result<Value> MergeFields(std::span<const Member> live, const std::vector<FieldPatch>& fields, TypeId type);

  const Schema& schema_;
  Arena& arena_;

 private:
  Status MergeField(std::optional<Value>& value, const FieldPatch& field, TypeId type);
  Status PlainField(std::optional<Value>& value, std::string_view name, const Value& patch, TypeId type);
  Result<const Field*> LookUp(std::string_view name, TypeId type) const;
  Status Branch(Value& value, std::string_view name, const Value& patch, TypeId type);
  Status OrderedList(std::optional<Value>& value, const FieldPatch& patch, TypeId type);
  Status DeleteFromList(std::optional<Value>& value, std::string_view name, const Value& gone, TypeId type);
  Result<MergedList> List(std::span<const Value> live, std::span<const Value> patch, const Field& field);
  Result<MergedList> ListOfMaps(std::span<const Value> live, std::span<const Value> patch, const ListRule& rule);
  Result<std::vector<Value>> MergeItems(const std::vector<Value>& kept, const std::vector<Value>& plain,
                                        const ListRule& rule);
};

}  // namespace smp
