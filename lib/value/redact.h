// Redaction: the only code that decides which values are secret. All output must pass through it. It covers the data
// and stringData of Secrets, their last-applied annotation, and any copy of these inside other text (errors, server
// messages, logs).
#pragma once

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

// Return true for objects of kind Secret in the core group (any version).
bool IsSecret(const Value& object);
bool IsSecret(std::string_view api_version, std::string_view kind);

// Returns true if the value at `path` of `object` must not be shown. In a Secret, this holds for data, stringData,
// every other field that is not known to be harmless (such as a misspelt stringData), and the last-applied annotation.
bool IsMasked(const Value& object, const FieldPath& path);

// Returns "***" and a digest: HMAC-SHA256 (12 hex digits) with a random key of this process. It shows which values are
// equal within one run, and reveals nothing else. `where` names object and field, so that equal values in
// different fields have different digests.
std::string Masked(std::string_view where, const Value& value);

// Returns `value`, which is at `path` of an object, with every secret in it replaced by Masked(). `kind_source`
// has the kind: it is the object itself or, for a patch, the patched object. Nulls are kept, because in a patch they
// only delete.
Value RedactedAt(const FieldPath& path, const Value& value, const Value& kind_source, Arena& arena);

// Returns the document with every secret value replaced by Masked(), or the document itself (sharing its memory) if it
// is not a Secret. `kind_source` is its root or, if the document is a patch, the patched object.
Document Redacted(const Document& document, const Value& kind_source);

// Remembers the secret strings and numbers of an object (plain, base64, decoded; 4 bytes or longer) so that Scrub() can
// remove them from any text, however often JSON or Go's %q have escaped them there. One per process; safe to use from
// several threads.
class SecretRegistry {
 public:
  static SecretRegistry& Instance();
  void Remember(const Value& object);  // no effect unless it is a Secret; also looks into its last-applied annotation
  void RememberText(std::string_view secret);      // tokens, passwords
  std::string Scrub(std::string_view text) const;  // replaces each occurrence by ***

 private:
  SecretRegistry() = default;
  void RememberValues(const Value& value);
  void RememberNumber(const Value& number);
  void Add(std::string_view secret);
  size_t LongestAt(std::string_view text) const;

  mutable std::shared_mutex mutex_;
  // By the first bytes of the secret, so that Scrub needs one lookup for each position in a text.
  std::unordered_map<uint32_t, std::vector<std::string>> secrets_;
};

}  // namespace smp
