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
  Document document;  // with line numbers; the root is an object with apiVersion, kind and metadata.name
  GroupVersionKind gvk;
  std::string name;
  std::string name_space;                                      // as in the manifest; "" if absent
  std::vector<ReadWarning> warnings = {};                      // such as duplicate keys; at most kMaxWarnings
  std::shared_ptr<const karmada::Overridden> overridden = {};  // Karmada override results; nullptr: no policies

  Source source() const { return document.SourceOf(&document.root()); }
};

struct ManifestInput {
  std::vector<std::string> files;  // files, folders, patterns ("*.yaml"), URLs, "-" (standard input, once)
  bool recursive = false;          // include subfolders
  std::istream* standard_input = nullptr;
};

struct Manifests {
  // In input order. A manifest that could not be read is an error in its position and does not affect the others. Lists
  // (kind: List, ConfigMapList, …) are flattened.
  std::vector<Result<Manifest>> items;
  std::vector<std::string> warnings = {};  // about the whole input: files skipped in folders
  std::vector<Manifest> refused = {};      // those that errors in `items` stand for, as far as they could be read
};

// Reads *.json, *.yaml and *.yml files of a folder in kubectl's order: by name, with a subfolder's files at the
// position of its name. In folders and for patterns, reads only regular files (and links to them), because a pipe might
// never end. Error: invalid-argument, with the names of all missing files; as in kubectl, nothing is read then.
Result<Manifests> ReadManifests(const ManifestInput& input);

// A text of the input, as it was read.
struct InputText {
  std::string name;  // of the file; "STDIN", or the address of a download
  Result<std::string> text;
};

struct InputTexts {
  std::vector<InputText> texts;
  std::vector<std::string> warnings = {};  // files skipped in folders
};

// Returns the texts that ReadManifests would read, for commands that also need the text. Error: likewise.
Result<InputTexts> ReadTexts(const ManifestInput& input);

// An object of a text, which need not be one that could be applied.
struct ReadObject {
  Document document;                       // with line numbers
  std::vector<ReadWarning> warnings = {};  // at most kMaxWarnings
};

// Returns the objects in `text`, with an error in place of each document that could not be read. Lists are flattened.
std::vector<Result<ReadObject>> ParseObjects(std::string_view text, const std::string& source_name);

// Returns the objects in `text`. `source_name`: the file name for error messages.
Manifests ParseManifests(std::string_view text, const std::string& source_name);

// Returns true for a List of objects, whose items are manifests: kind List, ConfigMapList, ….
bool IsObjectList(const Value& root);

// Returns an item of such a list as an object. One that states neither apiVersion nor kind has those of the list, as in the lists
// that a server answers with: a ConfigMap in a ConfigMapList.
Value ObjectOfItem(const Value& list, const Value& item, Arena& arena);

// Returns true for a file that kustomize reads, with or without apiVersion and kind.
bool IsKustomization(const Document& document);

// Returns a document as a manifest, without warnings. Error: parse, if it is not an object with apiVersion, kind and a
// name.
Result<Manifest> ToManifest(const Document& document);

// Returns a single object unchanged, and several objects as a v1 List, as kubectl prints them. Shares memory.
Value ListOf(const std::vector<Value>& objects, Arena& arena);

// Returns "deployment.apps/web", as kubectl prints it.
std::string Label(const GroupVersionKind& gvk, const std::string& name);

}  // namespace smp::apply
