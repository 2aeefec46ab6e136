// Selection: the live objects that a command line names: by type and name, by type and label, or by manifests.
#ifndef SMP_APPLY_SELECTION_H_
#define SMP_APPLY_SELECTION_H_

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/prepare.h"
#include "base/result.h"
#include "kube/object_ref.h"
#include "kube/resource_mapper.h"
#include "value/document.h"

namespace smp {

// What is said besides manifests.
struct ObjectArguments {
  std::vector<std::string> words;  // "deploy", "web" | "deploy/web", "svc/web" | "deploy,svc", "web"
  std::string selector = {};       // of labels, as the server reads it; "": none
  bool all = false;                // --all
  enum class BareType { kRefuse, kMeansAll } bare_type = BareType::kRefuse;  // a type without a name or a selector
};

// The words, understood. Names empty: all objects of the types that the selector lets through.
struct ObjectQuery {
  std::vector<std::string> types;                          // as typed
  std::vector<std::pair<std::string, std::string>> names;  // type and name
};

// Errors: invalid-argument, in the words of kubectl's resource builder.
Result<ObjectQuery> ParseObjectArguments(const ObjectArguments& arguments);

struct Selected {
  ObjectRef ref;
  Document live;
  std::optional<Manifest> manifest = {};  // where it was named by one
};

// In the order of the words; of a list in the server's. An object that is not there is an error in its place, and hides
// no other. Error: where a type is not known, or the server cannot be asked.
Result<std::vector<Result<Selected>>> SelectObjects(const ObjectArguments& arguments, ResourceMapper& mapper,
                                                    const Target& target);

// The manifest's document as it goes to a namespace: with it filled in where the manifest names none. "" for objects
// that have none.
Document DocumentIn(const Manifest& manifest, const std::string& name_space);

// The same for objects that manifests name.
std::vector<Result<Selected>> SelectManifests(const std::vector<Result<Manifest>>& manifests, const Target& target);

}  // namespace smp

#endif  // SMP_APPLY_SELECTION_H_
