// Server-side apply: the server decides by who owns which field (KEP-555). Sends what kubectl apply --server-side
// sends, including its migration of objects that were applied client-side before.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp::apply {

inline constexpr char kServerSideManager[] = "kubectl";  // kubectl's default

struct ServerSideOptions {
  bool force_conflicts = false;
  bool dry_run = false;
  std::string field_manager = kServerSideManager;
  std::string field_validation = "Strict";
  std::string subresource = {};  // status, scale, resize
  // called if the migration failed, which is not an error
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// Applies `manifest`, with its namespace and without a last-applied annotation, and returns the server's answer. Takes
// one request unless the object has a last-applied annotation: then the annotation is kept up to date under a manager
// of its own, and the fields of the client-side managers are migrated to ours, so that what leaves the manifest is
// deleted as before.
//
// Error: conflict, if others own fields: kubectl's message, then for each field both values, the owner, its operation
// and since when (one more GET).
Result<Document> ApplyServerSide(kube::Client& client, const kube::ObjectRef& ref, const Document& manifest,
                                 const ServerSideOptions& options);

// Returns the lines that explain a conflict: "spec.replicas: 3 in the manifest; 5 in live, owned by "hpa" (Update, …)".
// `message` is the server's, from which the paths are taken; `live` is the current object.
std::vector<std::string> ExplainConflicts(const std::string& message, const Value& manifest, const Value& live,
                                          const std::string& manager);

}  // namespace smp::apply
