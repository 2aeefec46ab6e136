// Reads the lines of the fact files (*.txt) and the releases of Kubernetes for which each holds:
//
//   since=1.27 until=1.30 TEXT      the first and the last minor release; each may be left out
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
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

// The lines of a file by their first word, the name of a type. The text of each line is the part after the name.
using FactTable = std::unordered_multimap<std::string_view, FactLine>;
FactTable FactsByType(std::string_view file);

// The same table with each line as `parse` reads it.
template <class Fact>
std::unordered_multimap<std::string_view, Fact> ParsedFacts(std::string_view file, Fact (*parse)(const FactLine&)) {
  std::unordered_multimap<std::string_view, Fact> out;
  for (const auto& [type, line] : FactsByType(file)) out.emplace(type, parse(line));
  return out;
}

// Calls `visit(text)` for each line about `type` that holds for the server.
template <class Visit>
void ForEachFact(const FactTable& facts, std::string_view type, const std::optional<Release>& server, Visit visit) {
  const auto [begin, end] = facts.equal_range(type);
  for (auto at = begin; at != end; ++at) {
    if (HoldsFor(at->second, server)) visit(at->second.text);
  }
}

}  // namespace smp
