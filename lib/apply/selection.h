// Selection: the live objects that a command line names by type and name, by type and label, or by manifests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/prepare.h"
#include "base/result.h"
#include "kube/object_ref.h"
#include "kube/resource_mapper.h"
#include "value/document.h"

namespace smp::apply {

// The command-line arguments and flags that select objects without manifests.
struct ObjectArguments {
  std::vector<std::string> words;  // "deploy", "web" | "deploy/web", "svc/web" | "deploy,svc", "web"
  std::string selector = {};       // label selector in the server's syntax; "": no selector
  bool all = false;                // --all
  enum class BareType { kRefuse, kMeansAll } bare_type = BareType::kRefuse;  // a type without a name or a selector
};

// The parsed words. If `names` is empty, all objects of the types that match the selector are meant.
struct ObjectQuery {
  std::vector<std::string> types;                          // as typed
  std::vector<std::pair<std::string, std::string>> names;  // type and name
};

// Error: invalid-argument, with the wording of kubectl's resource builder.
Result<ObjectQuery> ParseObjectArguments(const ObjectArguments& arguments);

struct Selected {
  kube::ObjectRef ref;
  Document live;
  std::optional<Manifest> manifest = {};  // if selected by a manifest
};

// Makes the values of a Secret known to the redaction (value/redact.h). `live`: the object, or why it was not read.
Result<Selected> ToSelected(const kube::ObjectRef& ref, Result<Document> live);

// Returns the objects in the order of the words; within a list, in the server's order. An object that does not exist is
// an error in its position and does not affect the others. Error: an unknown type, or a failed request.
Result<std::vector<Result<Selected>>> SelectObjects(const ObjectArguments& arguments, kube::ResourceMapper& mapper,
                                                    const Target& target);

// Like SelectObjects, for the live objects of manifests.
std::vector<Result<Selected>> SelectManifests(const std::vector<Result<Manifest>>& manifests, const Target& target);

}  // namespace smp::apply
