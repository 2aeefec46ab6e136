#include "cmd/schema_sources.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apply/input_definitions.h"
#include "apply/manifests.h"
#include "kube/object_ref.h"
#include "schema/builtin.h"

namespace smp::cmd {

namespace {

// Returns the CRDs in a file or folder of --schema; none if it has something else: OpenAPI documents.
std::vector<apply::Manifest> DefinitionsIn(const std::string& path) {
  std::vector<apply::Manifest> out;
  auto read = apply::ReadManifests({.files = {path}, .recursive = true});
  if (!read.ok()) return out;
  for (auto& item : read->items) {
    if (item.ok() && kube::IsDefinition(item->gvk)) out.push_back(*std::move(item));
  }
  return out;
}

Status AddSchemaFiles(const ParsedFlags& flags, SchemaSources& out) {
  std::vector<std::string> documents;
  for (const std::string& path : flags.List("schema")) {
    std::vector<apply::Manifest> definitions = DefinitionsIn(path);
    if (definitions.empty()) documents.push_back(path);
    std::move(definitions.begin(), definitions.end(), std::back_inserter(out.schemas.definitions));
  }
  if (documents.empty()) return Ok();
  SMP_ASSIGN(out.types, apply::TypesOfDocuments(documents));
  out.schemas.authority = lint::Authority::kDocument;
  return Ok();
}

Status AddServersDefinition(const GroupVersionKind& gvk, SchemaSources& out) {
  if (gvk.kind.empty() || BuiltinSchema()->FindResource(gvk) != nullptr) return Ok();
  const auto resource = out.connection->schemas->FindResource(gvk);
  if (!resource.ok() || resource->strategic) return Ok();
  SMP_ASSIGN(const std::shared_ptr<const Document> definition, out.connection->schemas->Definition(*resource));
  if (definition == nullptr) return Ok();
  SMP_ASSIGN(apply::Manifest manifest, apply::ToManifest(*definition));
  out.schemas.definitions.push_back(std::move(manifest));
  return Ok();
}

}  // namespace

Result<SchemaSources> OpenSchemas(const ParsedFlags& flags, bool connects,
                                  const std::function<Result<Connection>()>& connect) {
  if (flags.Given("schema") && flags.On("from-server")) {
    return Error::InvalidArgument("--schema and --from-server cannot be used together");
  }
  SchemaSources out;
  if (connects) {
    SMP_ASSIGN(Connection connection, connect());
    out.connection = std::make_shared<Connection>(std::move(connection));
  }
  SMP_TRY(AddSchemaFiles(flags, out));
  out.schemas.types = out.types.get();
  return out;
}

Status UseServersSchemas(const std::set<GroupVersionKind>& kinds, SchemaSources& out) {
  for (const GroupVersionKind& gvk : kinds) SMP_TRY(AddServersDefinition(gvk, out));
  out.types = apply::TypesOfServer(std::shared_ptr<kube::SchemaSource>(out.connection, out.connection->schemas.get()));
  out.schemas.types = out.types.get();
  out.schemas.authority = lint::Authority::kServer;
  return Ok();
}

}  // namespace smp::cmd
