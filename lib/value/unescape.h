// Undoes the escapes of JSON and Go in a text, to find what was quoted. Private to redact.cc and secret_texts.cc.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace smp {

// A text without its escapes, and the original position of each of its bytes.
struct Unescaped {
  std::string text;
  std::vector<size_t> begins;  // one more than `text` has bytes
};

// A secret may be quoted several times: in the last-applied annotation, which is quoted in a message by Go's %q, which
// is quoted in a JSON body, so that its newline is "\\\\\\\\n". Any number of backslashes counts as one here, so that a
// secret and every quotation of it give the same text. (The secret's own backslashes are lost, too, so that too much
// may match, but never too little.)
Unescaped Unescape(std::string_view text);

}  // namespace smp
