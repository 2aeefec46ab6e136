#include "schema/facts/privileges.h"

#include "base/strings.h"

namespace smp {

// The text of privileges.txt, in a source file that CMakeLists.txt generates.
std::string_view PrivilegesText();

namespace {

constexpr std::string_view kAnyField = "-";

// Parses "FIELD MANAGER".
Privilege ParsePrivilege(const FactLine& line) {
  const std::vector<std::string_view> words = Split(line.text, ' ');
  return {words[0], words[1], line};
}

const auto& PrivilegeTable() {
  static const auto table = ParsedFacts(PrivilegesText(), ParsePrivilege);
  return table;
}

}  // namespace

const Privilege* FindPrivilege(const Schema& schema, TypeId type, std::string_view field) {
  const auto [begin, end] = PrivilegeTable().equal_range(schema.type(type).name);
  for (auto at = begin; at != end; ++at) {
    const Privilege& privilege = at->second;
    const bool about = privilege.field == kAnyField || privilege.field == field;
    if (about && HoldsFor(privilege.line, schema.release())) return &privilege;
  }
  return nullptr;
}

}  // namespace smp
