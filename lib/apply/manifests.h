// Manifests: from what the user named with -f to one document an object.
#ifndef SMP_APPLY_MANIFESTS_H_
#define SMP_APPLY_MANIFESTS_H_

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

struct Manifest {
  Document document;  // keeps lines; the root is an object with apiVersion, kind and metadata.name
  GroupVersionKind gvk;
  std::string name;
  std::string name_space;                  // as written; "" where the manifest says none
  std::vector<ReadWarning> warnings = {};  // duplicate keys and the like within the object

  Source source() const { return document.SourceOf(&document.root()); }
};

struct ManifestInput {
  std::vector<std::string> files;  // files, folders, "-" (standard input, once)
  bool recursive = false;          // folders below folders
  std::istream* standard_input = nullptr;
};

struct Manifests {
  // In input order; an entry that could not be read is an error and hides no other. Lists (kind: List, ConfigMapList,
  // …) are flattened.
  std::vector<Result<Manifest>> items;
};

// Files of a folder: *.json, *.yaml, *.yml, by name.
Manifests ReadManifests(const ManifestInput& input);

// "deployment.apps/web", as kubectl prints it.
std::string Label(const GroupVersionKind& gvk, const std::string& name);

}  // namespace smp

#endif  // SMP_APPLY_MANIFESTS_H_
