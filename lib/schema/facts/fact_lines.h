// Reads the lines of the fact files (*.txt) and the releases of Kubernetes for which each holds:
//
//   since=1.27 until=1.30 TEXT      the first and the last minor release; each may be left out
#ifndef SMP_SCHEMA_FACTS_FACT_LINES_H_
#define SMP_SCHEMA_FACTS_FACT_LINES_H_

#include <optional>
#include <string_view>
#include <vector>

#include "schema/release.h"

namespace smp {

struct FactLine {
  std::string_view text;
  std::optional<Release> since;
  std::optional<Release> until;
};

// Returns all lines except comments and empty ones. A release that cannot be parsed stays part of the text.
std::vector<FactLine> FactLines(std::string_view file);

// A server that does not state its release (nullopt) is assumed to be newer than all releases in the files.
bool HoldsFor(const FactLine& line, const std::optional<Release>& server);

}  // namespace smp

#endif  // SMP_SCHEMA_FACTS_FACT_LINES_H_
