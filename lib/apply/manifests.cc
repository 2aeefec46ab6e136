#include "apply/manifests.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <limits>
#include <span>

#include "apply/glob.h"
#include "base/strings.h"
#include "kube/download.h"
#include "kube/read_file.h"
#include "value/json.h"
#include "value/yaml.h"

namespace smp {

namespace {

namespace fs = std::filesystem;

bool HasManifestExtension(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

// By extension alone: a link that leads nowhere must be an error, not a file that is left out.
template <class Iterator>
Status AddFolderEntries(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code error;
  for (Iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (!it->is_directory(unknown) && HasManifestExtension(it->path())) files.push_back(it->path());
  }
  if (error) return Error::InvalidArgument(StrCat("cannot read folder ", folder.string(), ": ", error.message()));
  return Ok();
}

// Differs from kubectl: a link to a folder is that folder, where kubectl says "is a directory".
Status AddFolder(const std::string& folder, bool recursive, std::vector<std::string>& out) {
  std::vector<fs::path> files;
  SMP_TRY(recursive ? AddFolderEntries<fs::recursive_directory_iterator>(folder, files)
                    : AddFolderEntries<fs::directory_iterator>(folder, files));
  if (files.empty()) {
    return Error::InvalidArgument(StrCat("error reading [", folder,
                                         "]: recognized file extensions are [.json .yaml .yml]",
                                         recursive ? "" : "; -R looks into the folders below"));
  }
  std::sort(files.begin(), files.end());  // compares names of folders and files one by one, so "a/b" < "a.yaml"
  for (const fs::path& file : files) out.push_back(file.string());
  return Ok();
}

// Files, URLs and "-" that one name of the user's stands for.
Status AddName(const std::string& name, bool recursive, std::vector<std::string>& out) {
  if (name == "-") {
    if (std::find(out.begin(), out.end(), "-") != out.end()) {
      return Error::InvalidArgument("standard input cannot be used for multiple arguments");
    }
    out.push_back(name);
    return Ok();
  }
  if (IsWebUrl(name)) {
    out.push_back(name);
    return CheckWebUrl(name);
  }
  std::error_code error;
  std::vector<std::string> paths = {name};
  if (fs::status(name, error).type() == fs::file_type::not_found) {
    SMP_ASSIGN(paths, Glob(name));
    if (paths.empty()) return Error::InvalidArgument(StrCat("the path \"", name, "\" does not exist"));
  }
  for (const std::string& path : paths) {
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
      return Error::InvalidArgument(StrCat("the path \"", path, "\" does not exist"));
    }
    if (fs::is_directory(status)) {
      SMP_TRY(AddFolder(path, recursive, out));
    } else {
      out.push_back(path);
    }
  }
  return Ok();
}

Result<std::vector<std::string>> FindFiles(const ManifestInput& input) {
  std::vector<std::string> files;
  std::vector<std::string> wrong;
  for (const std::string& name : input.files) {
    if (const Status added = AddName(name, input.recursive, files); !added.ok()) wrong.push_back(added.error().message);
  }
  if (!wrong.empty()) return Error::InvalidArgument(Join(wrong, "\n"));
  return files;
}

Result<std::string> ReadStandardInput(std::istream& in) {
  std::string text;
  char block[16384];
  while (in.read(block, sizeof block), in.gcount() > 0) {
    text.append(block, static_cast<size_t>(in.gcount()));
    if (text.size() > kMaxInputBytes) return Error::InvalidArgument("standard input is larger than 256 MiB");
  }
  if (in.bad()) return Error::InvalidArgument("cannot read standard input");
  return text;
}

Result<std::string> ReadText(const std::string& file, const ManifestInput& input) {
  if (file == "-") return ReadStandardInput(input.standard_input != nullptr ? *input.standard_input : std::cin);
  if (IsWebUrl(file)) return Download(file);
  Result<std::string> text = ReadWholeFile(file, kMaxInputBytes, "the file");
  if (!text.ok()) return Error::InvalidArgument(text.error().message);
  return text;
}

std::string SourceName(const std::string& file) {
  if (file == "-") return "STDIN";
  return IsWebUrl(file) ? ShownUrl(file) : file;
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

void AddText(std::string_view text, const std::string& source_name, Manifests& out) {
  YamlFile parsed = ParseYamlFile(text, source_name);
  for (YamlFile::Item& item : parsed.items) {
    if (item.document.ok()) {
      AddObjects(*item.document, item.document->warnings(), out.items);
    } else {
      out.items.push_back(std::move(item.document).error());
    }
  }
}

}  // namespace

Result<Manifests> ReadManifests(const ManifestInput& input) {
  SMP_ASSIGN(const std::vector<std::string> files, FindFiles(input));
  Manifests out;
  for (const std::string& file : files) {
    const Result<std::string> text = ReadText(file, input);
    if (text.ok()) {
      AddText(*text, SourceName(file), out);
    } else {
      out.items.push_back(text.error());
    }
  }
  return out;
}

Manifests ParseManifests(std::string_view text, const std::string& source_name) {
  Manifests out;
  AddText(text, source_name, out);
  return out;
}

std::string Label(const GroupVersionKind& gvk, const std::string& name) {
  const std::string kind = ToLower(gvk.kind);
  return gvk.group.empty() ? StrCat(kind, "/", name) : StrCat(kind, ".", gvk.group, "/", name);
}

}  // namespace smp
