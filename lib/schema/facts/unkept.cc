#include "schema/facts/unkept.h"

#include <algorithm>

#include "base/strings.h"

namespace smp {

// The text of unkept.txt, in a source file that CMakeLists.txt generates.
std::string_view UnkeptText();

namespace {

// Parses "secrets[*].keys" as {"secrets", "[*]", "keys"}, and "-" as {}.
std::vector<std::string_view> ParsePath(std::string_view text) {
  constexpr std::string_view kItems = "[*]";
  if (text == "-") return {};
  std::vector<std::string_view> out;
  for (const std::string_view step : Split(text, '.')) {
    const bool items = step.ends_with(kItems);
    out.push_back(items ? step.substr(0, step.size() - kItems.size()) : step);
    if (items) out.push_back(kItems);
  }
  return out;
}

// Parses "WHEN PATH NAME …".
UnkeptFields ParseFields(const FactLine& line) {
  const std::vector<std::string_view> words = Split(line.text, ' ');
  return {ParsePath(words[1]), {words.begin() + 2, words.end()}, words[0] == "update", line};
}

const auto& UnkeptTable() {
  static const auto table = ParsedFacts(UnkeptText(), ParseFields);
  return table;
}

// Returns true if `lines` has one about the same fields.
bool Mentions(const std::vector<const UnkeptFields*>& lines, const UnkeptFields& fields) {
  return std::any_of(lines.begin(), lines.end(), [&](const UnkeptFields* line) {
    return line->path == fields.path && line->names == fields.names;
  });
}

void Add(std::string_view which, const Schema& schema, std::vector<const UnkeptFields*>& out) {
  const auto [begin, end] = UnkeptTable().equal_range(which);
  for (auto at = begin; at != end; ++at) {
    const UnkeptFields& fields = at->second;
    if (HoldsFor(fields.line, schema.release()) && !Mentions(out, fields)) out.push_back(&fields);
  }
}

}  // namespace

std::vector<const UnkeptFields*> UnkeptFieldsOf(const Resource& resource, const Schema& schema) {
  std::vector<const UnkeptFields*> out;
  Add(schema.type(resource.type).name, schema, out);
  Add("every-kind", schema, out);
  if (!resource.namespaced) Add("cluster-scoped", schema, out);
  const auto& subresources = resource.subresources;
  if (std::find(subresources.begin(), subresources.end(), "status") != subresources.end()) {
    Add("status-subresource", schema, out);
  }
  return out;
}

}  // namespace smp
