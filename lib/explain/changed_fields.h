// The fields that change in an object, in a few words: for the last lines of the text, and for formats with a line for each object.
// Nothing is escaped here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "explain/danger.h"
#include "explain/report.h"
#include "explain/schema_changes.h"
#include "value/path.h"

namespace smp::explain {

// Returns "web" of [name=web], and "80" of [port=80,protocol=TCP]; "" for another step.
std::string FirstKey(const PathStep& item);
// Returns the container that the path is in; "" for other paths.
std::string ContainerOf(const FieldPath& path);

// Returns true for a field of a variable but its value: env[name=A].valueFrom.secretKeyRef.optional.
bool IsWithinVariable(const FieldPath& path);

// Returns what a short list calls a field: "replicas", "env LOG_LEVEL".
std::string FieldInWords(const FieldPath& path);

inline constexpr size_t kLongestItems = 72;  // bytes of what changes in a field

// Returns the value of a scalar in a few words; "" if it is long, or no scalar.
std::string ShortValue(const Value* value);
// The same, of long texts with one line cut in the middle.
std::string CutValue(const Value& value);

// Returns "replicas 3 → 1", "-limits memory", or of a document in a string "net-conf.json Network a → b"; without values that are
// long or masked. `own_name`: of the object; images that have it are not named.
std::string ChangeInWords(const ReportRow& row, std::string_view own_name);
// Returns "replicas: 3" for a field that another manager set; without the value if that is long.
std::string FieldOfOthersInWords(const FieldPath& path, const std::string& value);

// Names the fields that change, the most dangerous first, those with the same name once: "replicas (5 → 2, changed in live), -limits, image (1.2 → 1.3),
// env (LEVEL info → debug, -DEBUG), args (2) and 3 more".
// "-" marks what is only removed, "+" what is only added. Labels, annotations, variables and whole list items are named in
// parentheses if they are few. "" without a row that changes something.
std::string ChangedFields(const ObjectReport& object);
struct NamedField {
  std::string name;  // "-limits"
  Danger danger = Danger::kOther;
  std::vector<std::string> keys = {};  // labels, annotations and containers, the first ones that change: "-scrape"
};
// The same, for readers with less room.
struct ChangedFieldsInWords {
  std::string all;                  // ChangedFields
  std::string some;                 // the first four of them
  std::string first;                // the first two: "replicas (5 → 2, changed in live), -limits and 2 more"
  bool first_lacks_images = false;  // images change, and `first` does not name them
  std::vector<NamedField> names;    // "replicas", "-limits", "image"
  std::vector<std::string> images;  // {"web 1.2 → 1.3"}: the images that change, also in variables and arguments
  SchemaCounts schema;              // of a CRD
};
ChangedFieldsInWords DescribeChangedFields(const ObjectReport& object);
size_t CountChanges(const ObjectReport& object);  // rows that change something

}  // namespace smp::explain
