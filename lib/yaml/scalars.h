// Scalars: from the first byte to the last, and what they say. As scan_plain_scalar, scan_flow_scalar and
// scan_block_scalar of goyaml's scannerc.go. A scalar that says what is written is a view of the text; what has to be
// decoded (folded lines, escapes, blocks) is put together in a buffer and kept in the arena.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/document.h"
#include "yaml/cursor.h"
#include "yaml/token.h"

namespace smp::yaml {

// Go refuses a tab before what may be a key, also on a line that is blank otherwise.
enum class BlankTabs : uint8_t { kRefuse, kAllow };

struct ScalarContext {
  int indent = -1;  // column of the innermost block collection
  bool in_flow = false;
  BlankTabs tabs = BlankTabs::kRefuse;
  Arena& arena;
  std::string& buffer;  // scratch
};

struct ScannedScalar {
  std::string_view text = {};
  Mark end = {};
  bool one_line = true;
  bool at_new_line = false;  // of a plain scalar: the cursor is on a line below it
  std::string_view problem = {};
  Mark problem_mark = {};
};

// Leaves the cursor after the scalar and the blanks and line breaks that follow it.
ScannedScalar ScanPlain(Cursor& cursor, const ScalarContext& context);
// REQUIRES: the cursor is on a quote. Leaves it after the closing one.
ScannedScalar ScanQuoted(Cursor& cursor, const ScalarContext& context);
// REQUIRES: the cursor is on | or >. Leaves it at the first token below.
ScannedScalar ScanBlock(Cursor& cursor, const ScalarContext& context);

// The blanks and line breaks `between` two parts of a scalar: one line break is a space, several are all but the first.
void AppendFolded(std::string& out, std::string_view between);

}  // namespace smp::yaml
