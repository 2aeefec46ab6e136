// The lines of the data files that say what no OpenAPI document does (*.txt), and the
// releases of Kubernetes that each holds for:
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

// All lines but comments and empty ones. A release that cannot be read stays part of the text.
std::vector<FactLine> FactLines(std::string_view file);

// nullopt: the server does not say its release, and is taken to be newer than all that the files name.
bool HoldsFor(const FactLine& line, const std::optional<Release>& server);

}  // namespace smp

#endif  // SMP_SCHEMA_FACTS_FACT_LINES_H_
