#include "apply/manifests.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <span>

#include "base/strings.h"
#include "value/json.h"
#include "value/yaml.h"

namespace smp {

namespace {

namespace fs = std::filesystem;

bool HasManifestExtension(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

template <class Iterator>
Status AddFolderEntries(const std::string& folder, std::vector<std::string>& files) {
  std::error_code error;
  for (Iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file() && HasManifestExtension(it->path())) files.push_back(it->path().string());
  }
  if (error) return Error::InvalidArgument(StrCat("cannot read folder ", folder, ": ", error.message()));
  return Ok();
}

Result<std::vector<std::string>> FilesOf(const std::string& path, bool recursive) {
  if (path == "-" || !fs::is_directory(path)) return std::vector<std::string>{path};
  std::vector<std::string> files;
  SMP_TRY(recursive ? AddFolderEntries<fs::recursive_directory_iterator>(path, files)
                    : AddFolderEntries<fs::directory_iterator>(path, files));
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    return Error::InvalidArgument(StrCat("folder ", path, " holds no .json, .yaml or .yml file",
                                         recursive ? "" : "; -R looks into the folders below"));
  }
  return files;
}

Result<std::string> ReadAll(std::istream& in, const std::string& name) {
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return Error::InvalidArgument(StrCat("cannot read ", name));
  if (text.size() > kMaxInputBytes) return Error::InvalidArgument(StrCat(name, " is larger than 256 MiB"));
  return text;
}

Result<std::string> ReadFile(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error::InvalidArgument(StrCat("the path \"", file, "\" does not exist or cannot be read"));
  return ReadAll(in, file);
}

Error At(const Document& document, const Value* value, std::string message) {
  Error error = Error::Parse(std::move(message));
  error.source = document.SourceOf(value);
  return error;
}

Result<Manifest> ToManifest(const Document& document) {
  const Value& root = document.root();
  if (!root.is_object()) return At(document, &root, "expected an object with apiVersion and kind");
  auto gvk = GvkOf(root);
  if (!gvk.ok()) {
    Error error = std::move(gvk).error();
    error.source = document.SourceOf(&root);
    return error;
  }
  const Value* metadata = root.Find("metadata");
  if (metadata == nullptr || !metadata->is_object()) return At(document, &root, "the object has no metadata");
  Manifest out{document,
               *std::move(gvk),
               std::string(metadata->StringOr("name")),
               std::string(metadata->StringOr("namespace")),
               {}};
  if (!out.name.empty()) return out;
  if (const Value* name = metadata->Find("name"); name != nullptr && !name->is_string()) {
    return At(document, name, StrCat("metadata.name must be a string, found ", KindName(name->kind()), "; quote it"));
  }
  if (metadata->Find("generateName") != nullptr) {
    return At(document, metadata, "cannot use generateName with apply: give the object a metadata.name");
  }
  return At(document, metadata, "the object has no metadata.name");
}

Document ItemOf(const Document& list, const Value& item) {
  Arena arena;
  arena.Retain(list);
  Document out(std::move(arena), item);
  out.SetSource(list.source_name());
  out.SetLines({{&out.root(), list.LineOf(&item)}});
  return out;
}

bool IsList(const Value& root) {
  const Value* items = root.Find("items");
  return root.StringOr("kind").ends_with("List") && items != nullptr && items->is_array();
}

// Of a list's warnings those that concern the item on the lines [first, end): its own, and what stands before all
// items.
std::vector<ReadWarning> WarningsOfItem(const std::vector<ReadWarning>& of_list, int first_item, int first, int end) {
  std::vector<ReadWarning> out;
  for (const ReadWarning& warning : of_list) {
    const int line = warning.source.line;
    if (line < first_item || (line >= first && (line < end || first == end))) out.push_back(warning);
  }
  return out;
}

void AddObjects(const Document& document, const std::vector<ReadWarning>& warnings,
                std::vector<Result<Manifest>>& out) {
  if (!IsList(document.root())) {
    out.push_back(ToManifest(document));
    if (out.back().ok()) out.back()->warnings = warnings;
    return;
  }
  // Lists in lists: one level at a time, bounded by the parser's depth limit.
  const std::span<const Value> items = document.root().Find("items")->Items();
  for (size_t i = 0; i < items.size(); ++i) {
    const int end = i + 1 < items.size() ? document.LineOf(&items[i + 1]) : std::numeric_limits<int>::max();
    AddObjects(ItemOf(document, items[i]),
               WarningsOfItem(warnings, document.LineOf(items.data()), document.LineOf(&items[i]), end), out);
  }
}

void AddFile(const std::string& file, const ManifestInput& input, Manifests& out) {
  std::istream& standard_input = input.standard_input != nullptr ? *input.standard_input : std::cin;
  const bool is_stdin = file == "-";
  auto text = is_stdin ? ReadAll(standard_input, "standard input") : ReadFile(file);
  if (!text.ok()) {
    out.items.push_back(std::move(text).error());
    return;
  }
  YamlFile parsed = ParseYamlFile(*text, is_stdin ? "STDIN" : file);
  for (YamlFile::Item& item : parsed.items) {
    if (item.document.ok()) {
      AddObjects(*item.document, item.document->warnings(), out.items);
    } else {
      out.items.push_back(std::move(item.document).error());
    }
  }
}

}  // namespace

Manifests ReadManifests(const ManifestInput& input) {
  Manifests out;
  for (const std::string& path : input.files) {
    auto files = FilesOf(path, input.recursive);
    if (!files.ok()) {
      out.items.push_back(std::move(files).error());
      continue;
    }
    for (const std::string& file : *files) AddFile(file, input, out);
  }
  return out;
}

std::string Label(const GroupVersionKind& gvk, const std::string& name) {
  const std::string kind = ToLower(gvk.kind);
  return gvk.group.empty() ? StrCat(kind, "/", name) : StrCat(kind, ".", gvk.group, "/", name);
}

}  // namespace smp
