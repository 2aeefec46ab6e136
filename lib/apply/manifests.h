// Manifests: reads the files named with -f into one document per object.
#pragma once

#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "karmada/override.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp::apply {

inline constexpr size_t kMaxWarnings = 100;  // per object

struct Manifest {
  Document document;  // keeps lines; the root is an object with apiVersion, kind and metadata.name
  GroupVersionKind gvk;
  std::string name;
  std::string name_space;                  // as written; "" if absent
  std::vector<ReadWarning> warnings = {};  // duplicate keys and the like in the object; the first kMaxWarnings
  std::shared_ptr<const karmada::Overridden> overridden = {};  // what the override policies did, if any were given

  Source source() const { return document.SourceOf(&document.root()); }
};

struct ManifestInput {
  std::vector<std::string> files;  // files, folders, patterns ("*.yaml"), URLs, "-" (standard input, once)
  bool recursive = false;          // include subfolders
  std::istream* standard_input = nullptr;
};

struct Manifests {
  // In input order. An entry that could not be read is an error and does not affect the others. Lists (kind: List,
  // ConfigMapList, …) are flattened.
  std::vector<Result<Manifest>> items;
  std::vector<std::string> warnings = {};  // about the input as a whole: what was left out of a folder
};

// Reads *.json, *.yaml and *.yml files of a folder in kubectl's order: by name, a subfolder at the position of its
// name. From folders and patterns only regular files (and links to them) are read, because a pipe might never end.
// Error: invalid-argument, naming all files that do not exist; as with kubectl, nothing is read then.
Result<Manifests> ReadManifests(const ManifestInput& input);

// Returns the objects of a text that the caller has read.
Manifests ParseManifests(std::string_view text, const std::string& source_name);

// Returns a document as a manifest, without warnings. Error: parse, if it is not an object with apiVersion, kind and a
// name.
Result<Manifest> ToManifest(const Document& document);

// Returns one object as it is and several as a v1 List, as kubectl prints them. Shares memory.
Value ListOf(const std::vector<Value>& objects, Arena& arena);

// "deployment.apps/web", as kubectl prints it.
std::string Label(const GroupVersionKind& gvk, const std::string& name);

}  // namespace smp::apply
