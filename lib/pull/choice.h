// Choice: which changes of a live object its manifest takes over, and which are left, and why. Made from the rows of the
// object's explanation, so that what is taken is what explain-diff shows.
//
//   drift        taken: live changed, the manifest did not
//   conflict     left, unless Wishes::conflicts: both changed
//   live only    taken with Wishes::added, if another manager set it: no default, no status, nothing that is allocated
//   no record    nothing is drift; the fields and managers that are named decide
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "explain/report.h"
#include "smp/managed_fields.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::pull {

struct Wishes {
  bool conflicts = false;
  bool added = false;                      // what only live has, and others set
  bool secrets = false;                    // values of Secrets
  std::vector<PathPattern> fields = {};    // empty: all
  std::vector<std::string> managers = {};  // empty: all

  bool named() const { return !fields.empty() || !managers.empty(); }
};

struct Change {
  FieldPath path;
  std::optional<Value> value;             // nullopt: live lacks it
  const Value* live_list = nullptr;       // of an item or element: its list in live
  std::vector<FieldManager> owners = {};  // in live
  std::vector<std::string> keys = {};     // of an item: the names of its keys
};

struct Left {
  FieldPath path;
  std::string why;
};

// Points into the Prepared that it was made from.
struct Choice {
  std::vector<Change> changes;
  std::vector<Left> left;
  Document memory;  // of computed values
};

// `report`: of ReportOptions kShow and kLiveOnly. `origin`: what writes the manifest (origin.h), so that nothing is taken; ""
// if a person does. REQUIRES: the object exists.
Choice Choose(const apply::Prepared& prepared, const explain::ObjectReport& report, const std::string& origin,
              const Wishes& wishes);

// Returns true if the pattern names the field or something above it.
bool NamesFieldOf(const PathPattern& pattern, const FieldPath& path);

}  // namespace smp::pull
