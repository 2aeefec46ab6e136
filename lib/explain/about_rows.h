// What the text says of an object beside the lines of its rows.
#pragma once

#include <cstddef>
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
  bool may_bring_back = false;  // what somebody removed, though a row says that it is added
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
