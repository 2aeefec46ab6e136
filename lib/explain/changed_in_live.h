// Which changes inside a value are not the manifest's: where the manifest and live both changed a text or a list, each
// undoes what somebody did in live.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

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

  // Returns true if what is at the path, or above or below it, changed in live. Returns false for a path with an index:
  // it may mean another item in another version of the list, unless the value is a list that had one item and has one.
  bool Has(const FieldPath& path) const;

 private:
  std::set<std::string> paths_;
  std::set<std::string> above_;  // the paths that lead to them
  bool has_one_item_ = false;
};

}  // namespace smp::explain
