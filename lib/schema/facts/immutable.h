// Changes that a server refuses only because the object exists already: deleting it and creating it anew would help.
// What servers say then is data: immutable.txt.
#ifndef SMP_SCHEMA_FACTS_IMMUTABLE_H_
#define SMP_SCHEMA_FACTS_IMMUTABLE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/facts/fact_lines.h"

namespace smp {

// True for a 422 of which at least one cause is in immutable.txt. Causes below metadata do not count: what the server
// itself sets there (uid, creationTimestamp) no manifest sets by creating the object anew. `server`: its release, if it
// is known; a rule may hold for some releases only (schema/fact_lines.h).
bool IsImmutableChange(const Error& refusal, const std::optional<Release>& server);

// "ends" and "starts" rules of immutable.txt, for its test.
struct ImmutableRule {
  enum class Kind { kEnds, kStarts };
  Kind kind;
  std::string_view text;
  FactLine line;
};
const std::vector<ImmutableRule>& ImmutableRules();

}  // namespace smp

#endif  // SMP_SCHEMA_FACTS_IMMUTABLE_H_
