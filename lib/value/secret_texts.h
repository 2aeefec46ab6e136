// The texts that a Secret holds, as others may write them, and their copies in other texts. Private to redact.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace smp {

inline constexpr std::string_view kHidden = "***";
inline constexpr size_t kShortestSecret = 4;  // shorter ones would match too much harmless text
inline constexpr size_t kShortestPart = 8;    // of a secret, likewise

using Texts = std::set<std::string>;

class SecretIndex;

// The fields of a Secret that may be shown. Everything else is masked, so that a misspelt `stringdatta` leaks nothing.
inline constexpr std::string_view kPublicFields[] = {"apiVersion", "immutable", "kind", "metadata", "type"};

// Adds the secret texts of a Secret and of its last-applied annotation. That should not have this annotation itself. If
// it does, the nesting is bounded, because each level doubles the escapes.
void AddTextsOfSecret(const Value& object, Texts& out);

// Returns the secret as others may write it, Go's %v, %x and %#v of bytes included. Its exact forms in a JSON body, and in
// the last-applied annotation inside one, are among them because a backslash before it may seem to escape its first letter.
std::vector<std::string> FormsOf(std::string_view secret);

// Returns the first kShortestSecret bytes of the text, which must have as many.
uint32_t FirstBytes(std::string_view text);

// A part of a text.
struct Range {
  size_t begin;
  size_t end;
};

// Returns the text with "***" in place of the ranges.
std::string WithoutRanges(std::string_view text, std::vector<Range> ranges);

// What a message must not have.
struct Searched {
  const SecretIndex& all;    // whole, from kShortestPart bytes on
  const Texts& credentials;  // whole
  const Texts& values;       // whole, and their parts; in all forms
  const Texts& kept;         // no copies, although they are equal to one
};

// Returns where copies of secrets are in the message. Whole ones are between token borders.
std::vector<Range> CopiesIn(std::string_view message, const Searched& searched);

}  // namespace smp
