#include "schema/facts/fact_lines.h"

#include <algorithm>

#include "base/strings.h"

namespace smp {
namespace {

// Removes "LABEL1.30 " from the front of `text`.
std::optional<Release> TakeRelease(std::string_view& text, std::string_view label) {
  if (!text.starts_with(label)) return std::nullopt;
  const size_t end = std::min(text.find(' '), text.size());
  const std::optional<Release> release = ParseRelease(text.substr(label.size(), end - label.size()));
  if (release) text.remove_prefix(std::min(end + 1, text.size()));
  return release;
}

}  // namespace

std::vector<FactLine> FactLines(std::string_view file) {
  std::vector<FactLine> out;
  for (std::string_view text : Split(file, '\n')) {
    if (text.empty() || text.starts_with('#')) continue;
    const std::optional<Release> since = TakeRelease(text, "since=");
    const std::optional<Release> until = TakeRelease(text, "until=");
    out.push_back({text, since, until});
  }
  return out;
}

FactTable FactsByType(std::string_view file) {
  FactTable out;
  for (FactLine line : FactLines(file)) {
    const size_t space = std::min(line.text.find(' '), line.text.size());
    const std::string_view type = line.text.substr(0, space);
    line.text.remove_prefix(std::min(space + 1, line.text.size()));
    out.emplace(type, line);
  }
  return out;
}

bool HoldsFor(const FactLine& line, const std::optional<Release>& server) {
  if (!server) return !line.until;
  return (!line.since || *line.since <= *server) && (!line.until || *server <= *line.until);
}

}  // namespace smp
