// What merging a patch into an object (merge.h) and putting a patch on a patch (compose.h) have in common: the walk over
// fields and lists. They differ in what becomes of nulls and directives. Private to both.
#ifndef SMP_SMP_MERGE_FIELDS_H_
#define SMP_SMP_MERGE_FIELDS_H_

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

bool IsDeletion(const Value& item);  // `$patch: delete`

// What a patch says about one field: a value, an order, deletions. nullptr: nothing.
struct FieldPatch {
  std::string_view name;
  const Value* value = nullptr;
  const Value* order = nullptr;  // of $setElementOrder/name
  const Value* gone = nullptr;   // of $deleteFromPrimitiveList/name
};

Result<FieldPatch> ReadMember(const Member& m);
// Sorted by name, one entry a field.
std::vector<FieldPatch> JoinedByName(std::vector<FieldPatch> fields);

// A value that is new to live: maps with $patch mean nothing any more, and nulls only where they are kept.
// ($retainKeys, $setElementOrder and $deleteFromPrimitiveList stay as fields: so does the server.) nullopt: the value
// is itself such a map.
enum class Nulls { kDrop, kKeep };
std::optional<Value> Stripped(const Value& v, Nulls nulls, Arena& arena);

class FieldMerger {
 public:
  FieldMerger(const Schema& schema, Arena& arena) : schema_(schema), arena_(arena) {}
  FieldMerger(const FieldMerger&) = delete;
  FieldMerger& operator=(const FieldMerger&) = delete;
  virtual ~FieldMerger() = default;

  // Both are objects.
  virtual Result<Value> Maps(const Value& live, const Value& patch, TypeId type) = 0;

 protected:
  // What becomes of a field that is null in the patch, or of which live has no value of that kind; nullopt: it goes.
  virtual std::optional<Value> Replaced(const Value& patch) = 0;
  // A new item of a list, and the members of a map that replaces another. The server takes them as they are, nested
  // directives and nulls included.
  virtual Value Verbatim(const Value& patch) { return patch; }

  // Both are sorted by name.
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

#endif  // SMP_SMP_MERGE_FIELDS_H_
