// Redaction: the only code that decides which values are secret: the data and stringData of Secrets, their last-applied
// annotation, and credentials. Values are masked where they are printed, never in a finished text, where "false" may be
// a boolean and "default" a namespace. Only texts of others (server messages, the HTTP log) are searched for copies.
#pragma once

#include <cstdint>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "value/document.h"
#include "value/path.h"
#include "value/secret_index.h"
#include "value/value.h"

namespace smp {

// Return true for objects of kind Secret in the core group (any version).
bool IsSecret(const Value& object);
bool IsSecret(std::string_view api_version, std::string_view kind);

// Returns true if the value at `path` of `object` must not be shown. In a Secret, this holds for data, stringData,
// every other field that is not known to be harmless (such as a misspelt stringData), and the last-applied annotation.
bool IsMasked(const Value& object, const FieldPath& path);
// The same for what is known to be of a Secret but does not say so, such as a patch.
bool IsMaskedInSecret(const FieldPath& path);

// Returns "***" and a digest: HMAC-SHA256 (12 hex digits) with a random key of this process. It shows which values are
// equal within one run, and reveals nothing else. `where` names object and field, so that equal values in
// different fields have different digests.
std::string Masked(std::string_view where, const Value& value);
// Likewise for the field `path` of `object`.
std::string MaskedAt(const FieldPath& path, const Value& value, const Value& object);

enum class Digests { kShow, kHide };  // kHide: just "***", so that the output of two runs is equal

// Returns `value`, which is at `path` of an object, with every secret in it masked. `kind_source` has the kind: it is
// the object itself or, for a patch, the patched object. Nulls are kept, because in a patch they only delete.
Value RedactedAt(const FieldPath& path, const Value& value, const Value& kind_source, Digests digests, Arena& arena);

// Returns the body of a patch of `object` (a merge patch, or the operations of a JSON patch) with every secret in it
// masked without a digest; the body itself (sharing its memory) if `object` is not a Secret.
Document RedactedPatch(const Document& body, const Value& object);

// Returns `values`, which are parts of Secrets, with copies of the secrets of `secrets` (states of one Secret) in their
// strings masked, as ScrubMessage does, but from 8 bytes on: somebody may have copied a value into an annotation. Names of members stay.
std::vector<Value> WithoutCopies(const std::vector<Value>& values, const std::vector<const Value*>& secrets,
                                 Arena& arena);

// Knows the secrets of this run, to remove them from the texts of others. One per process; safe to use from several
// threads. Secrets shorter than 4 bytes are left alone, because they would match too much.
class SecretRegistry {
 public:
  static SecretRegistry& Instance();
  // No effect unless `object` is a Secret. Remembers its strings and numbers (plain, base64, decoded), also those in its
  // last-applied annotation.
  void Remember(const Value& object);
  void RememberText(std::string_view credential);  // a token, a password

  // For logs: replaces each copy of any secret by "***", however often JSON or Go's %q have escaped it there.
  std::string Scrub(std::string_view text) const;

  // For a message of the server about the object with this namespace and name: replaces, between token borders, whole
  // credentials, and whole values of any Secret from 8 bytes on, because an admission webhook may quote what it read
  // elsewhere. A shorter value, such as "true", may be there by chance. Name and namespace of the object stay.
  std::string ScrubMessage(std::string_view message, std::string_view name_space, std::string_view name) const;
  // For a message about a Secret: replaces also each shorter value of that Secret, and each part of one that has 8 bytes
  // or more. Its name and namespace stay, because "***" in place of them would tell the value.
  std::string ScrubMessageOfSecret(std::string_view message, std::string_view name_space, std::string_view name) const;

 private:
  SecretRegistry() = default;
  void Add(std::string_view secret);
  void AddValuesOf(std::string_view name_space, std::string_view name, Texts& out) const;
  std::string WithoutSecrets(std::string_view message, const Texts& values, const Texts& kept) const;

  mutable std::shared_mutex mutex_;
  SecretIndex secrets_;  // all forms of all secrets
  Texts credentials_;
  TextMap<Texts> values_;  // by "namespace/name"; "/name" for manifests without a namespace
};

}  // namespace smp
