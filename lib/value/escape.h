// Makes text from servers and files safe for a terminal: control characters, ESC, C1, bidirectional overrides, U+2028 and
// U+2029, characters without width and invalid UTF-8 become visible escapes. Tabs are kept; newlines are kept or become \n.
#pragma once

#include <string>
#include <string_view>

namespace smp {

// Returns true for characters that a terminal does not show: they move the cursor, end the line, change the direction of
// text or have no width.
bool IsInvisible(char32_t c);

// Returns "\x1b", "\u2028" or "\U000e0041".
std::string EscapeOf(char32_t c);

enum class Newlines { kKeep, kEscape };

// Also escapes the beginning of lines after the first that GitHub and Azure would take for commands (`::add-mask::x`,
// `##[error]`), wherever they run this program.
std::string Visible(std::string_view text, Newlines newlines = Newlines::kKeep);

// Returns true if GitHub or Azure take the begin of the text for a command in the log of a workflow: `::` if nothing but
// white space is before it in the line, and the older `##[` and `##vso[` anywhere.
bool IsWorkflowCommand(std::string_view text, bool begins_line);

// Escapes the commands in whole lines, and nothing else: "\x3a:add-mask::x".
std::string WithoutWorkflowCommands(std::string_view lines);

// The same as Visible for JSON text: the characters become \uXXXX, so that it stays JSON with the same meaning.
std::string VisibleJson(std::string_view json);

}  // namespace smp
