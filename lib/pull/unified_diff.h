// UnifiedDiff: what changes in a file, as diff -u prints it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp::pull {

// A comment on the change near a line of the old text.
struct Remark {
  int line = 0;  // from 1
  std::string text;
};

struct DiffOf {
  std::string name;  // of the file
  std::string_view before, after;
  // What is shown of each line; empty: the lines themselves.
  std::vector<std::string> shown_before = {}, shown_after = {};
  std::vector<Remark> remarks = {};  // of each change: "# " and the text before its hunk
};

// Returns "" if nothing changes. The comments are no part of the format, so that git apply wants a diff without them.
std::string UnifiedDiff(const DiffOf& diff);

// Returns the diff for people: with escapes for what a terminal does not show, and without the carriage returns that end lines.
std::string VisibleDiff(std::string_view diff);

}  // namespace smp::pull
