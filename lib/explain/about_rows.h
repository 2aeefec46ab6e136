// What the text says of an object beside the lines of its rows.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explain/changed_fields.h"
#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// What the text says of an object's rows beside their lines, so that it does not need the rows.
struct AboutRows {
  bool any = false;
  std::string_view action;      // ActionWords, which depend on the rows
  size_t changes = 0;           // rows that change something
  bool brings_changes = false;  // of the manifest alone, at least in a part of a row
  // What rows may bring back though they say that it is added or has another order: "what was removed". Static.
  std::set<std::string_view> may_bring_back;
  ChangedFieldsInWords changed_fields;
  bool says_who_applied = false;  // below the rows
  bool only_metadata = false;     // nothing else changes
  bool one_file = false;          // of a ConfigMap or Secret; nothing else changes but metadata
  bool may_start_pods = false;    // a custom resource that changes an image
  FoundWorries worries = {};      // WorriesOf
};
AboutRows DescribeRows(const ObjectReport& object);

// Returns the warnings, and why there is no answer of the server.
std::vector<std::string> Remarks(const ObjectReport& object);

}  // namespace smp::explain
