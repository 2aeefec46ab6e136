// Finds the end of a scalar and its value, like scan_plain_scalar, scan_flow_scalar and scan_block_scalar of goyaml's
// scannerc.go. The value is a view of the text where both are the same; otherwise (folded lines, escapes, blocks) it is
// decoded in a buffer and stored in the arena.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/document.h"
#include "yaml/cursor.h"
#include "yaml/token.h"

namespace smp::yaml {

// Whether a line that is otherwise blank may contain tabs where a key could begin; Go refuses them.
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
  bool at_new_line = false;       // of a plain scalar: the cursor is on a line after the scalar
  std::string_view problem = {};  // why it is invalid, else empty
  Mark problem_mark = {};
};

// Scans an unquoted scalar. Leaves the cursor after it and the blanks and line breaks that follow it.
ScannedScalar ScanPlain(Cursor& cursor, const ScalarContext& context);
// REQUIRES: the cursor is on a quote. Leaves the cursor after the closing quote.
ScannedScalar ScanQuoted(Cursor& cursor, const ScalarContext& context);
// REQUIRES: the cursor is on | or >. Leaves the cursor where the next token after the block begins.
ScannedScalar ScanBlock(Cursor& cursor, const ScalarContext& context);

// Appends the line breaks `between` two parts of a scalar: a single one as a space, several without the first.
void AppendFolded(std::string& out, std::string_view between);

}  // namespace smp::yaml
