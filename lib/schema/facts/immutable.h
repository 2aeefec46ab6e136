// Recognizes changes that a server refuses only because the object exists: it would accept them if the object were
// deleted and created again. The texts of these refusals are in immutable.txt.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/facts/fact_lines.h"

namespace smp {

// Returns true for a 422 if at least one cause is in immutable.txt. Causes below metadata do not count: creating the
// object again does not set what the server manages there (uid, creationTimestamp). `server`: its release if known; a
// rule may hold for some releases only (fact_lines.h).
bool IsImmutableChange(const Error& refusal, const std::optional<Release>& server);

// Returns true if all causes are in immutable.txt, so that the server might accept the object once the old one is gone.
bool IsOnlyImmutableChange(const Error& refusal, const std::optional<Release>& server);

// Returns true if a cause in these words is one of immutable.txt.
bool MeansImmutable(std::string_view words, const std::optional<Release>& server);

// The rules "ends" and "starts" of immutable.txt, for its test.
struct ImmutableRule {
  enum class Kind { kEnds, kStarts };
  Kind kind;
  std::string_view text;
  FactLine line;
};
const std::vector<ImmutableRule>& ImmutableRules();

}  // namespace smp
