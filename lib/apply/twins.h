// Twins: the objects that a command line selects, in two clusters or namespaces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "apply/selection.h"
#include "base/result.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::apply {

// One object, as it is here and there. At least one of them exists, unless there is an error.
struct Twins {
  // With the version that the object has here, if it exists here. Of an error perhaps only the kind, as it was typed, and
  // the name.
  kube::ObjectRef there_ref = {};
  std::optional<Document> here = {};
  std::optional<Document> there = {};
  std::optional<Error> error = {};  // it is in neither place, or cannot be read
};

struct SelectedTwins {
  std::vector<Twins> pairs;
  std::vector<std::string> types;  // that the words name, in their full names: "deployments.apps"
  bool namespaced = false;         // one of the types is
};

// Returns the objects in the order of the words; those of a list that are only there come last. Error: an unknown type, or
// a failed LIST.
Result<SelectedTwins> SelectTwins(const ObjectArguments& arguments, const Target& here, const Target& there);

// Returns false if the namespace does not exist. One that may not be read counts as existing.
bool HasNamespace(const Target& place);

}  // namespace smp::apply
