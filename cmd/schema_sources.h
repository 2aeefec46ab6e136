// The schemas of --schema and --from-server, with the CRDs among them: for lint and schema.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "apply/type_source.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "lint/kinds.h"
#include "schema/schema.h"

namespace smp::cmd {

// Where schemas are from, and what they need while they are used.
struct SchemaSources {
  std::shared_ptr<Connection> connection = {};  // nullptr: nothing is sent
  std::unique_ptr<apply::TypeSource> types = {};
  lint::Schemas schemas = {};
};

// Reads the files of --schema. Connects by `connect` if `connects`.
Result<SchemaSources> OpenSchemas(const ParsedFlags& flags, bool connects,
                                  const std::function<Result<Connection>()>& connect);

// Uses the schemas of the server, with the CRDs of those of `kinds` that are custom resources, which have the rules that OpenAPI
// documents leave out. REQUIRES: connected.
Status UseServersSchemas(const std::set<GroupVersionKind>& kinds, SchemaSources& out);

}  // namespace smp::cmd
