// Fields whose differences nobody wants to see (--ignore, an ignore file). They are taken out of a report after it was
// made: apply changes them all the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explain/report.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

struct IgnoredPath {
  std::string kind, group, name;  // of the objects that are meant; "": all
  PathPattern pattern;
  std::string by;    // "--ignore", ".smpignore": who asks for it; of an ignore file its name
  std::string text;  // as it was written
  Source source;     // of an ignore file
};

// Reads "spec.replicas", "Deployment:spec.replicas", "Deployment.apps/web:spec.replicas": a kind in any case, perhaps
// with group and name, and a path with wildcards. Error: invalid-argument.
Result<IgnoredPath> ParseIgnoredPath(std::string_view text, std::string_view by);

// Reads an ignore file: one of these a line; empty lines and comments, which begin with # at the begin of a line or after a
// space, are skipped. Error: parse, with the line, for the first line that is neither.
Result<std::vector<IgnoredPath>> ParseIgnoreFile(std::string_view text, const std::string& file);

// Returns true if the object is one of those that the path is meant for.
bool IsMeantFor(const IgnoredPath& path, const Value& object);

// The objects in which a row's path finds the items that a pattern may name by any of their fields.
struct IgnoreIn {
  const Value& live;
  const Value& modified;
};

// Returns true if the path names something in the object.
bool NamesPartOf(const IgnoredPath& path, const Value& object);

// Takes the rows at and below the paths out of the report of an object that exists, and those above them if what is left
// without the paths is equal, and counts them (HiddenRows::ignored). An object without other rows is unchanged. Nothing is
// taken out of an object that is refused, or that is created or deleted: that happens as a whole.
void TakeOutIgnored(const std::vector<IgnoredPath>& paths, const IgnoreIn& objects, ObjectReport& report);

}  // namespace smp::explain
