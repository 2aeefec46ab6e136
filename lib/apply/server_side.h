// Server-side apply: the server decides, by who owns which field (KEP-555). Sends what kubectl apply --server-side
// sends, with its migration of objects that were applied by the client before.
#ifndef SMP_APPLY_SERVER_SIDE_H_
#define SMP_APPLY_SERVER_SIDE_H_

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp {

inline constexpr char kServerSideManager[] = "kubectl";  // kubectl's default

struct ServerSideOptions {
  bool force_conflicts = false;
  bool dry_run = false;
  std::string field_manager = kServerSideManager;
  std::string field_validation = "Strict";
  std::string subresource = {};                                              // status, scale, resize
  std::function<void(const std::string&)> warn = [](const std::string&) {};  // a migration that failed, and is no error
};

// `manifest` in its namespace, without a record of what was last applied. Gives the object as the server answered.
// The first request is the only one unless the object has a record of client-side apply: then that is kept up to date
// under a manager of its own, and the fields of the client-side managers go over to ours, so that what leaves the
// manifest is deleted as before.
//
// Error conflict, where others own fields: in kubectl's words, and for each field both values, who owns it, by which
// operation and since when (one GET more).
Result<Document> ApplyServerSide(Client& client, const ObjectRef& ref, const Document& manifest,
                                 const ServerSideOptions& options);

// The lines that explain a conflict: "spec.replicas: 3 in the manifest; 5 in live, owned by "hpa" (Update, …)".
// `message` is the server's, of which the paths are taken; `live` the object as it is.
std::vector<std::string> ExplainConflicts(const std::string& message, const Value& manifest, const Value& live,
                                          const std::string& manager);

}  // namespace smp

#endif  // SMP_APPLY_SERVER_SIDE_H_
