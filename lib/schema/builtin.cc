#include "schema/builtin.h"

#include "schema/serial.h"

namespace smp {

// The text of builtin/kubernetes-….schema, in a source file that CMakeLists.txt generates.
std::string_view BuiltinSchemaText();

std::shared_ptr<const Schema> BuiltinSchema() {
  // Never fails: the unit test of this file parses the same text.
  static const std::shared_ptr<const Schema> schema = ParseSchema(BuiltinSchemaText()).value();
  return schema;
}

std::string_view BuiltinSchemaVersion() {
  constexpr std::string_view kHeader = "# kubernetes ";
  const std::string_view line = BuiltinSchemaText().substr(0, BuiltinSchemaText().find('\n'));
  return line.starts_with(kHeader) ? line.substr(kHeader.size()) : std::string_view();
}

Release BuiltinRelease() { return ParseRelease(BuiltinSchemaVersion()).value_or(Release{}); }

}  // namespace smp
