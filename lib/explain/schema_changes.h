// What a new version of a CRD changes for those who have its objects: fields that are gone, rules that may refuse
// them, new fields. As rows of an OpenAPI document, those that matter would be among hundreds of descriptions.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explain/nested_changes.h"

namespace smp::explain {

inline constexpr std::string_view kNoDuplicates = "duplicate items";  // the rule of a list that becomes a set or map

// Changes that have the same effect.
struct SchemaChange {
  // kUnknownGone: what the schema does not describe was kept, and will be dropped. kMayRefuse: an object that was valid may no longer
  // be. kFixed: a value that an object has can no longer be changed. kDefault: an object that leaves the field out means something
  // else; a new default often only says what a controller did.
  enum class Effect { kUnknownGone, kFieldsGone, kMayRefuse, kFixed, kDefault, kOther, kAllowsMore, kNewFields };

  Effect effect = Effect::kOther;
  std::string rule;                 // "minLength 1 → 2, pattern ^a$"; "" for fields
  std::vector<std::string> fields;  // "spec.paths[].name", those near the object first
  bool is_other_pattern = false;    // nobody can tell which of two patterns takes more
};

// Returns "spec.a, spec.b.labels (and 7 like it) and 3 more", with the first `most` names: of fields with the same name, the
// first stands for all.
std::string NameFields(const std::vector<std::string>& fields, size_t most);

struct SchemaOfVersions {
  std::vector<std::string> versions;  // which have the same changes: "v1"
  std::vector<SchemaChange> changes;  // by effect, in the enumeration's order
  size_t descriptions = 0;            // which change nothing: texts, and the schemas of apiVersion, kind and metadata
  bool describes_kept = false;        // fields that the server kept without a schema
};

struct SchemaChanges {
  std::vector<SchemaOfVersions> schemas;
  std::vector<NestedChange> others;  // which are in no schema
};

// Returns true for the versions of a CRD, as other lists of maps do not look.
bool AreVersions(const Value& value);

// Returns the changes of a CRD's spec.versions by the names of the versions. Their order is not compared: the server lists them in
// the order of their names. nullopt if the values are not two lists of maps.
std::optional<std::vector<NestedChange>> ChangesOfVersions(const Value& before, const Value& after);

// Divides the changes of a CRD's spec.versions. `before`, `after`: the versions. Objects lose no field where the schema keeps those that
// it does not describe, and may have each new field where it did and no longer does. Linear in the size of the values.
SchemaChanges DivideSchemaChanges(const std::vector<NestedChange>& changes, const Value& before, const Value& after);

// Returns true if objects may be refused by what no change above says, as it refuses hardly any: the items of a list that becomes a
// set or map must differ, and fields that the server kept without a schema get one. `before`, `after`: a CRD's spec.versions.
bool MayRefuseUntold(const Value& before, const Value& after);

// Returns the versions of a CRD that are removed, or no longer served. `others`: SchemaChanges::others.
std::vector<std::string> VersionsGone(const std::vector<NestedChange>& others);

// Returns "v1beta1 → v1", or "v1" where live names no other version; "" if objects are stored as before.
std::string OtherStorage(const std::vector<NestedChange>& others);

// Returns "conversion Webhook → None" for a change of a CRD's spec.conversion, or of its strategy; "" for others.
std::string ChangeOfConversion(const FieldPath& path, const Value* before, const Value* after);

// How much changes in the schemas of CRDs. What several versions have in common counts once.
struct SchemaCounts {
  size_t new_fields = 0, fields_gone = 0;
  size_t unknown_gone = 0;
  size_t stricter = 0;                    // rules that may refuse an object as it is
  size_t other_patterns = 0;              // rules of which that is not known
  size_t others = 0;                      // rules
  std::set<std::string> names_gone = {};  // of the fields that go, without the fields around them

  SchemaCounts& operator+=(const SchemaCounts& more);
};
SchemaCounts CountSchemaChanges(const std::vector<SchemaOfVersions>& schemas);

// Returns "+24 fields, stricter, -1: size" or "2 rules"; "" if nothing changes. `stricter`: what rules are called that may refuse something.
std::string SchemaInWords(const SchemaCounts& counts, std::string_view stricter = "stricter");

// Returns true if nothing but descriptions differs.
bool AreOnlyDescriptions(const SchemaChanges& changes);

}  // namespace smp::explain
