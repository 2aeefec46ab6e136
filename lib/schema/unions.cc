#include "schema/unions.h"

#include <algorithm>

namespace smp {

bool IsSet(const Value* member, const Union& fields) {
  if (member == nullptr || member->is_null()) return false;
  return fields.by_presence || !member->is_string() || !member->empty();
}

std::vector<std::string_view> AlternativesIn(const Value& map, const Union& fields) {
  std::vector<std::string_view> out;
  for (const auto& [field, alternative] : fields.members) {
    const bool known = std::find(out.begin(), out.end(), alternative) != out.end();
    if (!known && IsSet(map.Find(field), fields)) out.push_back(alternative);
  }
  if (fields.by_presence) {
    std::erase_if(out, [&](std::string_view alternative) {
      return std::any_of(fields.members.begin(), fields.members.end(), [&](const auto& member) {
        return member.second == alternative && !IsSet(map.Find(member.first), fields);
      });
    });
  }
  return out;
}

namespace {

// Returns the only alternative with a field that is "": `value: ""` alone excludes a valueFrom set by somebody else.
std::string_view OnlyEmptyOne(const Value& map, const Union& fields) {
  std::string_view only;
  for (const auto& [field, alternative] : fields.members) {
    const Value* value = map.Find(field);
    if (value == nullptr || !value->is_string()) continue;
    if (!only.empty() && only != alternative) return {};
    only = alternative;
  }
  return only;
}

}  // namespace

std::string_view ChosenAlternative(const Value& map, const Union& fields) {
  const std::vector<std::string_view> alternatives = AlternativesIn(map, fields);
  if (alternatives.size() == 1) return alternatives[0];
  if (!alternatives.empty()) return "";
  return fields.discriminator.empty() ? OnlyEmptyOne(map, fields) : map.StringOr(fields.discriminator);
}

}  // namespace smp
