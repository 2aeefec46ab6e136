// Server-side apply: the server merges, by the recorded owner of each field (KEP-555). Sends the same requests as
// kubectl apply --server-side, including its migration of objects that were previously applied client-side.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apply/guard.h"
#include "base/result.h"
#include "kube/client.h"
#include "smp/managed_fields.h"
#include "smp/server_side_plan.h"
#include "value/document.h"

namespace smp::apply {

// kubectl's words at the end of the error of a conflict, after a line break.
inline constexpr std::string_view kConflictAdvice =
    "Please review the fields above--they currently have other managers. Here\n"
    "are the ways you can resolve this warning:\n"
    "* If you intend to manage all of these fields, please re-run the apply\n"
    "  command with the `--force-conflicts` flag.\n"
    "* If you do not intend to manage all of the fields, please edit your\n"
    "  manifest to remove references to the fields that should keep their\n"
    "  current managers.\n"
    "* You may co-own fields by updating your manifest to match the existing\n"
    "  value; in this case, you'll become the manager if the other manager(s)\n"
    "  stop managing the field (remove it from their configuration).\n"
    "See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts";

struct ServerSideOptions {
  bool force_conflicts = false;
  bool dry_run = false;
  std::string field_manager{kServerSideManager};
  std::string field_validation = "Strict";
  std::string subresource = {};  // status, scale, resize
  Guard guard = {};
  // false: after a migration, the apply is sent only if a dry run of it changes nothing. Else, the error is kServer.
  bool may_change = true;
  bool keeps_removed = false;  // it was reviewed that the server refuses the request after the migration
  // called if the migration failed; the apply still succeeds
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Returns how the request of an apply is sent.
kube::WriteOptions ApplyRequestOptions(const ServerSideOptions& options);

// Applies `manifest`, which must have its namespace and no last-applied annotation, and returns the server's response.
// Sends one request, and more if the live object has a last-applied annotation: then keeps the annotation under a
// manager of its own, and migrates the fields of client-side managers to ours, so that fields removed from the manifest
// are still deleted.
//
// Error: conflict, if other managers own fields: kubectl's message, followed for each field by both values, the owner,
// its operation and its time (takes one more GET).
Result<Document> ApplyServerSide(kube::Client& client, const kube::ObjectRef& ref, const Document& manifest,
                                 const ServerSideOptions& options);

// Returns the managedFields by which ApplyServerSide removes fields of `live` in the end: after the migration, if there is
// one. Conflicts are by those of live, because the migration comes after the first request.
std::vector<Value> EntriesAfterMigration(const Value& live, const std::string& manager, Arena& arena);

// Returns the managers that own the last-applied annotation with this operation.
std::set<std::string> AnnotationOwners(const Value& live, std::string_view operation);

// Returns the line that explains a conflict: `spec.replicas: "kubectl" applies 3; live has 5, owned by hpa (…)`. `object`
// tells which values are secret; `manager`: ours.
std::string ExplainConflict(const FieldConflict& conflict, const Value& object, const std::string& manager);

// Returns the lines that explain a refusal of the server for conflicts.
// `message`: the server's, which names the paths; `live`: the current object; `manager`: ours.
std::vector<std::string> ExplainConflicts(const std::string& message, const Value& manifest, const Value& live,
                                          const std::string& manager);

}  // namespace smp::apply
