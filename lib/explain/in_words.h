// What all formats for people say of an object and a row, in a few words. Nothing is escaped here: each format does that
// in its own way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "explain/report.h"

namespace smp::explain {

std::string NameOf(const ObjectReport& object);  // "Deployment default/web"; the file if it could not be read

// Returns "web" of [name=web], and "80" of [port=80,protocol=TCP]; "" for another step.
std::string FirstKey(const PathStep& item);

// Returns what a short list calls a field: "replicas", "env LOG_LEVEL".
std::string FieldInWords(const FieldPath& path);

// Returns "replicas 3 → 1", "-limits memory", or of a document in a string "net-conf.json Network a → b"; without values that are
// long or masked. `own_name`: of the object; images that have it are not named.
std::string ChangeInWords(const ReportRow& row, std::string_view own_name);
// Returns "replicas: 3" for a field that another manager set; without the value if that is long.
std::string FieldOfOthersInWords(const FieldPath& path, const std::string& value);

std::string_view ActionWords(const ObjectReport& object);  // "will change"
std::string_view CountedAs(Action action);                 // "to change"
std::string CountObjects(const Report& report);  // "3 objects: 1 to change, 2 unchanged; 4 ignored (.smpignore)"
std::string CountIgnored(const Report& report);  // "4 ignored (--ignore, .smpignore)"; "" if there are none

// Says where the two sides of a comparison are: two lines "there: context a, …", "here:  context b, …", escaped; empty otherwise.
std::string ComparedPlaces(const Report& report);
std::string ContextWords(const ReportContext& context);  // "context a, server https://…, user b, namespace c"

// Names the fields that change, those with the same name once: "replicas (5 → 2, drift), -limits, image (1.2 → 1.3),
// env (LEVEL info → debug, -DEBUG), args (2) and 3 more".
// "-" marks what is only removed, "+" what is only added. Labels, annotations, variables and whole list items are named in
// parentheses if they are few. "" without a row that changes something.
std::string ChangedFields(const ObjectReport& object);
// The same, for readers with less room.
struct ChangedFieldsInWords {
  std::string all;                 // ChangedFields
  std::string first;               // the first of them: "replicas (5 → 2, drift), -limits and 2 more"
  std::vector<std::string> names;  // {"replicas", "-limits", "image"}
};
ChangedFieldsInWords DescribeChangedFields(const ObjectReport& object);
size_t CountChanges(const ObjectReport& object);  // rows that change something

// What the report does not say: what the server would make of it, fields that only live has. "" if that is all.
std::string NotAsked(const Report& report);
std::string OnlyInLive(const Report& report);
std::string NotCompared(const Report& report);  // fields that differ, but not by what anybody decided

char Sign(const ReportRow& row);  // + added, - deleted, ~ changed, > moved, = kept

// The values to show, nullptr: there is none. REQUIRES: !row.masked.
const Value* ValueBefore(const ReportRow& row);
const Value* ValueAfter(const ReportRow& row);

// Returns the images before and after a row that changes one.
std::optional<std::pair<std::string_view, std::string_view>> ChangedImage(const ReportRow& row);

// The values as JSON on one line; "" if there is none. Masked values are "***". Of more than `longest` columns, those are
// shown in which the two differ.
std::string ValueBefore(const ReportRow& row, size_t longest);
std::string ValueAfter(const ReportRow& row, size_t longest);

// Returns true if the reason needs its sentence: more happens than that the manifest changed.
bool IsSurprise(Reason reason);

}  // namespace smp::explain
