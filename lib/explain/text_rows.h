// Rows as text: one line for a change where it fits, else the lines that differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/nested_changes.h"
#include "explain/report.h"
#include "explain/text.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

// A change as it is printed.
struct TextRow {
  FieldPath path;
  char sign = '~';
  const Value* before = nullptr;  // nullptr: there is none to show
  const Value* after = nullptr;
  // The two values that are compared if both are maps or lists: with the defaults that `after` is shown without.
  const Value* stored = nullptr;
  // What was applied, if the manifest and live both changed a text or list: changes that only live made are marked.
  const Value* applied = nullptr;
  std::string some_of = {};  // before the path: "12 items of "
  std::string cell = {};     // instead of the values: masked ones, the size of binary data
  std::string tail = {};     // at the end of the line: the reason, and the line of the manifest
  std::string note = {};     // a sentence below it
};

// Points into the values of the change.
TextRow RowOf(const NestedChange& change);

// Returns true for a string of several lines.
bool IsTextBlock(const Value* value);

// Returns the lines of the rows, `indent` columns from the left. Rows are grouped below the path that they share. A note
// that successive rows share is printed once.
std::string PrintRows(const std::vector<TextRow>& rows, size_t indent, const TextOptions& options);

// Returns the text as lines of the width of the options, the first one `indent` columns from the left and the others a
// bit more; "" for "".
std::string PrintWrapped(std::string_view text, size_t indent, const TextOptions& options);

}  // namespace smp::explain
