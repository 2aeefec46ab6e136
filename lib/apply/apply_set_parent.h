// The parent object of an ApplySet (KEP-3659): which object it is, what its labels and annotations say, and what a run
// writes to it. The format, the rules and the error messages are those of kubectl (applyset.go).
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apply/prune.h"
#include "apply/submit.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/resource_mapper.h"
#include "schema/schema.h"
#include "smp/keep_live.h"
#include "value/document.h"

namespace smp::apply {

inline constexpr std::string_view kApplySetManager =
    "kubectl-applyset";  // kubectl's, so that both write the same fields

struct ApplySetOptions {
  std::string parent;      // [RESOURCE[.GROUP]/]NAME; without a resource, a Secret
  std::string name_space;  // of -n; "": not given. As in kubectl, the context's does not count
  std::string tooling;     // NAME/VERSION that the parent of a new set, or of a set of ours, gets
  DryRun dry_run = DryRun::kNone;
  std::string field_validation = "Strict";
  std::vector<KeepPath> keep_live = {};  // of --keep-live: none may name the label of members
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

struct ApplySetParent {
  kube::ObjectRef ref;
  bool is_built_in = true;  // a Secret or a ConfigMap, which the server creates when it is first written
  std::string id;           // of the set: the label of the parent and of its members
};

// Returns "Deployment.apps", "ConfigMap".
std::string GroupKindText(const GroupVersionKind& gvk);

// Returns the name for messages, as in kubectl: "secrets./web".
std::string NameOf(const ApplySetParent& parent);

// Returns the parent that the options name, without reading it. Errors: invalid-argument, if it has no name, lacks a
// namespace, or is of a kind that may not be a parent; those of the requests.
Result<ApplySetParent> FindApplySetParent(kube::Client& client, kube::ResourceMapper& mapper,
                                          const ApplySetOptions& options);

// What the parent says before a run.
struct ApplySetState {
  std::string tooling;             // of the parent; of a new one, that of the options
  std::vector<ListedKind> kinds;   // that may have members
  std::set<std::string> unserved;  // "Widget.example.com": kinds that the server does not have any more
  std::set<std::string> namespaces;
};

// Reads the parent. A new set, whose parent does not exist, has no kinds and no namespaces. Errors: invalid-argument, if
// the parent is not one, belongs to other tooling, or cannot be created; not-found, if it is unknown where members are, or
// if a new set's parent lacks its namespace.
Result<ApplySetState> ReadApplySetParent(kube::Client& client, kube::ResourceMapper& mapper,
                                         const ApplySetParent& parent, const ApplySetOptions& options);

// What the parent says of its members, as a run writes it.
struct ApplySetSets {
  std::set<std::string> kinds;  // GroupKindText
  std::set<std::string> namespaces;
};

// Returns true if a parent would say the same with both. Its own namespace is not listed.
bool AreSame(const ApplySetParent& parent, const ApplySetSets& a, const ApplySetSets& b);

struct WrittenSets {
  ApplySetSets sets;
  std::string version;  // metadata.resourceVersion
};

// Reads what the parent on the server says of its members now.
Result<WrittenSets> ReadWrittenSets(kube::Client& client, const ApplySetParent& parent);

// Server-side applies the parent with these sets; a client dry run sends nothing. `version`: of the parent that may be written; "": any.
// Error: conflict, if the parent has another version.
Status WriteApplySetParent(kube::Client& client, const ApplySetParent& parent, const std::string& tooling,
                           const ApplySetSets& sets, const ApplySetOptions& options, const std::string& version = "");

}  // namespace smp::apply
