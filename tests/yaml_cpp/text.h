// What yaml.cc must look up in the text itself, because yaml-cpp forgives what Go's parser does not: it takes a last
// line without a colon for a key, ends an open quote at the end of the text, reads `[a, , b]`, lets control characters
// pass, and reads some texts otherwise. Refusing is always better than reading something else. Places are offsets in
// bytes, as yaml-cpp's marks give them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smp::yaml_cpp {

// False if the scalar that begins at `at` is quoted and the quote never ends.
bool IsClosed(std::string_view text, size_t at);

// True if a colon follows the block mapping key that begins at `at`, or a `?` stands before it.
bool HasColon(std::string_view text, size_t at);

// True if at the place of a null in a flow sequence there is nothing but the next comma or bracket.
bool IsEmptyFlowItem(std::string_view text, size_t at);

struct QuotedText {
  std::string text;
  std::string_view problem;  // empty: none
};
// What the quoted scalar that begins at `at` (with its anchor and tag) says: yaml-cpp folds empty lines otherwise,
// knows other escapes, and writes \N and \_ as single bytes. Nothing: no quote stands there.
std::optional<QuotedText> ReadQuoted(std::string_view text, size_t at);

// Why the anchors, tags and aliases at `at` would be refused by Go; empty: they are fine.
std::string_view ProblemOfProperties(std::string_view text, size_t at);
bool HasTag(std::string_view text, size_t at);
// True if something stands behind the anchor and tag at `at`, in the same line.
bool IsInLineOfTag(std::string_view text, size_t at);

// Why the block of text (`|`, `>`) that begins at `at` cannot be read; empty: it can, or there is none. yaml-cpp
// misreads blank lines at the end of `>+` (and of `>` at the end of the text), counts the indentation from the anchor
// or tag, and lets tabs indent.
std::string_view ProblemOfBlockScalar(std::string_view text, size_t at);

// True if the block of text that begins at `at`, with an anchor or tag, has text that is indented deeper than `column`
// and no deeper than the anchor or tag: yaml-cpp finds none there.
bool IsShallowBlock(std::string_view text, size_t at, int column);
// The column of what stands in the lines below `at`.
size_t ColumnBelow(std::string_view text, size_t at);
// The last such block behind a dash above the line (from 0) where yaml-cpp gave up, perhaps for what the block says.
std::optional<size_t> ShallowBlockAbove(std::string_view text, int line);
// The text with the lines of that block moved to the right until they stand deeper than its anchor or tag. REQUIRES:
// IsShallowBlock.
std::string WithDeeperBlock(std::string_view text, size_t at);

// True if only spaces stand before `at` in its line.
bool IsFirstInLine(std::string_view text, size_t at);

// True if the scalar that begins at `at` is not quoted.
bool IsPlain(std::string_view text, size_t at);
// True if the node that begins at `at` begins with a colon, which in `[:a]` is an empty name to Go.
bool BeginsWithColon(std::string_view text, size_t at);

// True if between the line's indentation or `-` and the token at `at` there is a tab.
bool IsBehindTab(std::string_view text, size_t at);

// True if the last lines are white space or comments, and one of them begins with a tab.
bool EndsWithTabLine(std::string_view text);
// The same for the lines above that of `at`.
bool IsBelowTabLine(std::string_view text, size_t at);

// True for `{a:, b}`, a plain name at `name` whose colon is followed by the `,` or bracket at `next`: Go takes the
// colon for a part of the name.
bool IsGluedColon(std::string_view text, size_t name, size_t next);

// Why the document cannot be read from its first line that is neither blank nor a comment; empty: it can.
std::string_view ProblemOfBeginning(std::string_view text);

// The text with \n for all that ends a line in YAML 1.1 (\r\n, \r, U+0085), as Go's reader sees it. yaml-cpp knows the
// first only.
std::string WithPlainLineEnds(std::string_view text);

struct BadCharacter {
  size_t place;
  std::string_view why;
};
// The first character that Go's reader (readerc.go) would refuse, or that yaml-cpp would misread.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// True if the indentation of the line (from 0) holds a tab.
bool IsIndentedByTab(std::string_view text, int line);

}  // namespace smp::yaml_cpp
