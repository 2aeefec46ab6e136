#include "cmd/schema_flags.h"

#include <utility>

#include "cmd/connection.h"

namespace smp::cmd {

std::vector<Flag> SchemaFlagTable() {
  return Grouped(
      FlagGroup::kSchema,
      {
          {.name = "schema",
           .kind = FlagKind::kList,
           .placeholder = "FILE",
           .help =
               "OpenAPI document, v3 or v2 (JSON or YAML), or a directory of them (*.json), instead of the built-in "
               "schema; can be repeated",
           .hint = Hint::kJsonOrYaml},
          Switch("from-server", "use the cluster's schema"),
          TextFlag("gvk", "GROUP/VERSION/KIND",
                   "kind of the object (VERSION/KIND for the core group) instead of its own apiVersion and kind",
                   Hint::kGvk),
      });
}

Result<std::unique_ptr<apply::TypeSource>> MakeTypeSource(const ParsedFlags& flags, Io& io) {
  if (!flags.On("from-server")) {
    return flags.Given("schema") ? apply::TypesOfDocuments(flags.List("schema")) : apply::BuiltinTypes();
  }
  if (flags.Given("schema")) return Error::InvalidArgument("--schema and --from-server cannot be used together");
  SMP_ASSIGN(Connection connection, Connect(flags, io));
  const auto kept = std::make_shared<Connection>(std::move(connection));
  return apply::TypesOfServer(
      std::shared_ptr<kube::SchemaSource>(kept, kept->schemas.get()));  // keeps the whole connection alive
}

}  // namespace smp::cmd
