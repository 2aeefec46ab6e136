// Manifests: from what the user named with -f to one document an object.
#ifndef SMP_APPLY_MANIFESTS_H_
#define SMP_APPLY_MANIFESTS_H_

#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "override/override.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

inline constexpr size_t kMaxWarnings = 100;  // of one object

struct Manifest {
  Document document;  // keeps lines; the root is an object with apiVersion, kind and metadata.name
  GroupVersionKind gvk;
  std::string name;
  std::string name_space;                  // as written; "" where the manifest says none
  std::vector<ReadWarning> warnings = {};  // duplicate keys and the like within the object; the first kMaxWarnings
  std::shared_ptr<const Overridden> overridden = {};  // where override policies were asked for: what they did

  Source source() const { return document.SourceOf(&document.root()); }
};

struct ManifestInput {
  std::vector<std::string> files;  // files, folders, patterns ("*.yaml"), URLs, "-" (standard input, once)
  bool recursive = false;          // folders below folders
  std::istream* standard_input = nullptr;
};

struct Manifests {
  // In input order; an entry that could not be read is an error and hides no other. Lists (kind: List, ConfigMapList,
  // …) are flattened.
  std::vector<Result<Manifest>> items;
  std::vector<std::string> warnings = {};  // of the input as a whole: what was left out of a folder
};

// Files of a folder: *.json, *.yaml, *.yml, in the order in which kubectl walks: by name, a folder where its name
// stands. Of folders and patterns only regular files (and links to such) are read, as a pipe might never end. Error:
// invalid-argument, for names that lead nowhere, all of them; nothing is read then, as kubectl does nothing.
Result<Manifests> ReadManifests(const ManifestInput& input);

// The objects of a text that somebody else read.
Manifests ParseManifests(std::string_view text, const std::string& source_name);

// A document as a manifest, without its warnings. Error: parse, when it is no object with apiVersion, kind and a name.
Result<Manifest> ToManifest(const Document& document);

// "deployment.apps/web", as kubectl prints it.
std::string Label(const GroupVersionKind& gvk, const std::string& name);

}  // namespace smp

#endif  // SMP_APPLY_MANIFESTS_H_
