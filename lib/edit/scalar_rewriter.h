// A scalar that is written over several lines, and gets another text: the lines that both have stay, and so do the style and
// the comment after the header.
#pragma once

#include <string_view>

#include "edit/text_changes.h"
#include "edit/text_lines.h"
#include "edit/text_tree.h"

namespace smp::edit {

// Returns the header of a block scalar without its comment: `|2-`.
std::string_view BlockHeader(std::string_view text, const TextNode* scalar);

// What the scalar is afterwards.
enum class RewrittenAs {
  kNothing,      // its style cannot have the text, and nothing was added to the changes
  kQuoted,       // plain or quoted
  kBlock,        // a block scalar
  kKeepingBlock  // a block scalar that keeps the blank lines after it (`|+`)
};

// Adds the edits of `old`, a value in block context, to `changes`. The header of a block scalar then says how the text ends,
// whatever follows it.
RewrittenAs RewriteLines(const TextTree& tree, const TextLines& lines, const TextNode* old, std::string_view text,
                         TextChanges& changes);

}  // namespace smp::edit
