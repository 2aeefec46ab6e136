// Choice: which changes of a live object its manifest takes over, and which are left, and why. Made from the rows of the
// object's explanation, so that what is taken is what explain-diff shows.
//
//   drift        taken: live changed, the manifest did not
//   conflict     left, unless Wishes::conflicts: both changed
//   live only    taken with Wishes::added, if another manager set it: no default, no status, nothing that is allocated
//   cleared      apply clears it for a field beside it ($retainKeys, unions): taken with that one; drift if none of them differ
//   no record    nothing is drift; the fields and managers that are named decide
//   the manifest's own change, since it was applied: not taken, unless the field is named
#pragma once

#include <functional>
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
  bool force = false;                      // also of files that a program wrote
  std::vector<PathPattern> fields = {};    // empty: all
  std::vector<std::string> managers = {};  // empty: all

  bool named() const { return !fields.empty() || !managers.empty(); }
};

struct Change {
  FieldPath path;
  std::optional<Value> value;             // nullopt: live lacks it
  const Value* live_list = nullptr;       // of an item or element: its list in live
  std::vector<FieldManager> owners = {};  // in live
  // Of an item that takes the place of another one of the file: that one. Its keys were changed.
  std::optional<PathStep> instead_of = {};
  size_t group = 0;  // changes of the same one belong together, so that all of them are written or none; 0: alone
};

struct Left {
  FieldPath path;
  std::string why;
};

// What differs, and nobody asked for.
struct NotTaken {
  enum class Why {
    kOnlyInLive,      // another manager added it
    kUnrecorded,      // no record tells whether live or the manifest changed
    kOfManifest,      // live is as it was applied, the manifest is not
    kRemovedByNobody  // live lost it, so that it is of no manager, and managers are named
  };
  FieldPath path;
  Why why;
  std::vector<FieldManager> owners;  // in live
};

// Points into the Prepared that it was made from.
struct Choice {
  std::vector<Change> changes;
  std::vector<Left> left;
  std::vector<NotTaken> not_taken;
  bool owners_known = true;  // live has managedFields
  Document memory;           // of computed values
};

// What else is known of a manifest.
struct Circumstances {
  std::string no_file = {};  // why there is no file to write; "" if there is one
  std::string origin = {};   // what writes it (origin.h), so that nothing is taken; "" if a person does
  // Returns who applied another manifest since the file was changed; "" if nobody is known to. Asked only if it matters.
  std::function<std::string()> applied_since = {};
};

// `report`: of ReportOptions kShow and kLiveOnly. REQUIRES: the object exists.
Choice Choose(const apply::Prepared& prepared, const explain::ObjectReport& report, const Circumstances& circumstances,
              const Wishes& wishes);

// Returns true if the pattern names the field or something above it.
bool NamesFieldOf(const PathPattern& pattern, const FieldPath& path);

}  // namespace smp::pull
