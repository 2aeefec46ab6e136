// Which changes inside a value are not the manifest's: where the manifest and live both changed a text or a list, each
// undoes what somebody did in live.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explain/nested_changes.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

inline constexpr std::string_view kUndoesLive = "(undoes a live change)";

// The paths below a value that changed in live since the last apply.
class ChangedInLive {
 public:
  // `applied`: what was applied last; nullptr: unknown, or only one side changed the value. Finds the paths as
  // NestedChanges and ChangesInside do.
  ChangedInLive(const Value* applied, const Value& live);

  // Remembers the lists that get or lose items from live to what the apply leaves: an index in them may mean another item.
  void NoteMoves(const std::vector<NestedChange>& changes);

  // Returns true if what is at the path, or above or below it, changed in live. Returns false for a path with an index in a list that
  // gets or loses items on either way, unless the value is a list that had one item and has one.
  bool Has(const FieldPath& path) const;

 private:
  // Returns false where Has cannot tell, also of all paths if the values cannot be compared.
  bool CanTell(const FieldPath& path) const;

  bool is_compared_ = false;
  std::set<std::string> paths_;
  std::set<std::string> above_;  // the paths that lead to them
  std::set<std::string> moved_;  // the paths of lists of which items come or go
  bool has_one_item_ = false;
};

}  // namespace smp::explain
