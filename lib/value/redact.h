// Redaction: the one place that knows which values are secret. Everything that prints goes through it (contract 6 of
// the project): Secret data and stringData, the last-applied annotation of Secrets, and any copy of these inside texts
// (errors, server messages, logs).
#ifndef SMP_VALUE_REDACT_H_
#define SMP_VALUE_REDACT_H_

#include <cstdint>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "value/document.h"
#include "value/path.h"
#include "value/value.h"

namespace smp {

// True for objects of group "" and kind Secret (any version).
bool IsSecret(const Value& object);

// True if the value at `path` of `object` must not be shown: of a Secret data, stringData, every other field that is
// not known to be harmless (a misspelt stringData is one), and the last-applied annotation.
bool IsMasked(const Value& object, const FieldPath& path);

// "***" and a digest: HMAC-SHA256 (12 hex digits) with a random key of this process, so that equal and changed values
// can be told apart in one run and nothing more can be learnt. `where` is object and field, so that equal values of two
// fields differ.
std::string Masked(std::string_view where, const Value& value);

// `value`, which stands at `path` of an object, with everything in it that is secret replaced by Masked().
// `kind_source` says what the object is: the object itself, or for a patch the patched one. Nulls stay: they only say
// that it goes.
Value RedactedAt(const FieldPath& path, const Value& value, const Value& kind_source, Arena& arena);

// The object with every masked value replaced by Masked(); the object itself (sharing its memory) when it is no Secret.
// Also works on patches of a Secret: `kind_source` says what the patched object is.
Document Redacted(const Document& document, const Value& kind_source);

// Remembers the secret strings and numbers of an object (plain, base64, decoded; 4 bytes or longer) so that Scrub() can
// take them out of any text, however many times JSON or Go's %q have escaped them there. One per process; safe to use
// from several threads.
class SecretRegistry {
 public:
  static SecretRegistry& Instance();
  void Remember(const Value& object);  // no effect unless it is a Secret; also looks into its last-applied annotation
  void RememberText(std::string_view secret);      // tokens, passwords
  std::string Scrub(std::string_view text) const;  // each occurrence replaced by ***

 private:
  SecretRegistry() = default;
  void RememberValues(const Value& value);
  void RememberNumber(const Value& number);
  void Add(std::string_view secret);
  size_t LongestAt(std::string_view text) const;

  mutable std::shared_mutex mutex_;
  // By their first bytes, so that Scrub looks at each place of a text once.
  std::unordered_map<uint32_t, std::vector<std::string>> secrets_;
};

}  // namespace smp

#endif  // SMP_VALUE_REDACT_H_
