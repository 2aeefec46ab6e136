// What the schema says of a field, as the server's way of patching the kind reads it.
#ifndef SMP_SMP_RULES_H_
#define SMP_SMP_RULES_H_

#include <string>
#include <vector>

#include "schema/schema.h"
#include "smp/meaning.h"

namespace smp {

// Which facts of the schema say that a list is merged.
enum class ListRules {
  kStrategic,  // x-kubernetes-patch-strategy, as the server's strategic merge does
  kListTypes,  // x-kubernetes-list-type: for custom resources, whose server side knows no strategic merge.
               // Differs from kubectl: it replaces every list of a custom resource, other managers' items included
};

enum class ListMerge : uint8_t { kAtomic, kSet, kKeyed };

// The names of the fields that pair the items of a list: identity_keys where the schema has them, else patch_keys.
// Differs from kubectl: it pairs them by patch_keys alone, and so takes two ports of one number for one.
const std::vector<std::string>& PairingKeys(const Field& list);

// Fields may be nullptr: the schema does not know them.
class FieldRules {
 public:
  explicit FieldRules(ListRules rules) : strategic_(rules == ListRules::kStrategic) {}

  ListMerge MergeOf(const Field* list) const;
  bool ReplacesMap(const Field* map) const { return strategic_ && map != nullptr && map->replace; }
  bool RetainsKeys(const Field* map) const { return strategic_ && map != nullptr && map->retain_keys; }
  // The server's strategic merge does not know atomic maps.
  bool IsAtomic(const Type& map) const { return !strategic_ && map.atomic; }
  Derived DerivedIn(const Type& map) const { return strategic_ ? map.derived : Derived::kNothing; }
  Storage storage() const { return strategic_ ? Storage::kGoTypes : Storage::kAsWritten; }
  // The server replaces null, and what means nothing, by the default of the field.
  bool null_asks_for_default() const { return strategic_; }
  bool knows_directives() const { return strategic_; }

 private:
  bool strategic_;
};

}  // namespace smp

#endif  // SMP_SMP_RULES_H_
