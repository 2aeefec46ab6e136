#include "yaml_cpp/words.h"

#include "base/strings.h"

namespace smp::yaml_cpp {

namespace {

struct Words {
  std::string_view theirs;  // a message may go on behind them
  std::string_view plain;
};

constexpr Words kWords[] = {
    {"illegal map value",
     "a mapping cannot begin here; put a text that holds a colon in quotes, or mend the indentation"},
    {"illegal map key", "a key cannot stand here; mend the indentation"},
    {"illegal block entry", "a list item (-) cannot begin here; mend the indentation"},
    {"end of map not found", "the line does not fit the mapping above it; mend the indentation"},
    {"end of sequence not found",
     "the line does not fit the list above it; each item begins with a dash (-) in its column"},
    {"end of map flow not found", "the { of a mapping is not closed by }"},
    {"end of sequence flow not found", "the [ of a list is not closed by ]"},
    {"illegal flow end", "a ] or } closes nothing"},
    {"unknown token", "a value cannot begin with this sign; put the text in quotes"},
    {"alias not found after *", "the name of an anchor is missing behind *; put a text that begins with * in quotes"},
    {"anchor not found after &", "a name is missing behind &; put a text that begins with & in quotes"},
    {"the referenced anchor is not defined",
     "no anchor (&) of that name stands before this alias (*); put a text that begins with * in quotes"},
    {"illegal document indicator in scalar", "the document ends within quotes"},
    {"illegal EOF in scalar", "the quote that opens here is not closed"},
    {"unexpected character in block scalar", "only a digit, + or - may stand behind | or >"},
    {"cannot set zero indentation for a block scalar", "only a digit from 1 to 9, + or - may stand behind | or >"},
    {"illegal tab when looking for indentation", "a tab stands in the indentation; use spaces"},
};

}  // namespace

std::string InPlainWords(std::string_view words) {
  for (const Words& known : kWords) {
    if (words.starts_with(known.theirs)) return std::string(known.plain);
  }
  return std::string(words.empty() ? "the text cannot be read" : words);
}

}  // namespace smp::yaml_cpp
