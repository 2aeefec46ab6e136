#include "apply/manifests.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <span>
#include <utility>

#include "apply/glob.h"
#include "apply/manifest_text.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "net/download.h"
#include "value/at.h"
#include "value/json.h"
#include "yaml/input.h"
#include "yaml/read_yaml.h"
#include "yaml/utf16.h"

namespace smp::apply {

namespace {

namespace fs = std::filesystem;

bool HasManifestExtension(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

// Files that the -f arguments resolve to.
struct Found {
  std::vector<std::string> files;  // also URLs and "-"
  std::vector<std::string> left_out;
};

// Returns true for a pipe, a socket or a device. Returns false for a dangling link, which must cause an error instead
// of being skipped.
bool IsSpecial(const fs::path& path) {
  std::error_code unknown;
  return fs::is_other(fs::status(path, unknown));
}

// Differs from kubectl: it blocks, usually forever, on a pipe in a folder until somebody writes into it.
void AddFile(const fs::path& path, Found& out) {
  if (IsSpecial(path)) {
    out.left_out.push_back(StrCat(path.string(), " is not a regular file and was skipped; pass it to -f to read it"));
  } else {
    out.files.push_back(path.string());
  }
}

template <class Iterator>
Status AddFolderEntries(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code error;
  for (Iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (!it->is_directory(unknown) && HasManifestExtension(it->path())) files.push_back(it->path());
  }
  if (error) return Error::InvalidArgument(StrCat("cannot read directory ", folder.string(), ": ", error.message()));
  return Ok();
}

// Differs from kubectl: it says "is a directory" of a link to a folder, which is read here like the folder.
Status AddFolder(const std::string& folder, bool recursive, Found& out) {
  std::vector<fs::path> files;
  SMP_TRY(recursive ? AddFolderEntries<fs::recursive_directory_iterator>(folder, files)
                    : AddFolderEntries<fs::directory_iterator>(folder, files));
  if (files.empty()) {
    return Error::InvalidArgument(StrCat("error reading [", folder,
                                         "]: recognized file extensions are [.json .yaml .yml]",
                                         recursive ? "" : "; use -R to read subdirectories"));
  }
  std::sort(files.begin(), files.end());  // compares component by component, so "a/b" < "a.yaml"
  for (const fs::path& file : files) AddFile(file, out);
  return Ok();
}

Status AddPath(const std::string& path, bool recursive, Found& out) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return Error::InvalidArgument(StrCat("the path \"", path, "\" does not exist"));
  }
  if (fs::is_directory(status)) return AddFolder(path, recursive, out);
  out.files.push_back(path);
  return Ok();
}

Status AddPattern(const std::string& pattern, bool recursive, Found& out) {
  SMP_ASSIGN(const std::vector<std::string> paths, Glob(pattern));
  if (paths.empty()) return Error::InvalidArgument(StrCat("the path \"", pattern, "\" does not exist"));
  for (const std::string& path : paths) {
    if (IsSpecial(path)) {
      AddFile(path, out);
    } else {
      SMP_TRY(AddPath(path, recursive, out));
    }
  }
  return Ok();
}

Status AddName(const std::string& name, bool recursive, Found& out) {
  if (name == "-") {
    if (std::find(out.files.begin(), out.files.end(), "-") != out.files.end()) {
      return Error::InvalidArgument("standard input cannot be used for multiple arguments");
    }
    out.files.push_back(name);
    return Ok();
  }
  if (net::IsWebUrl(name)) {
    out.files.push_back(name);
    return net::CheckWebUrl(name);
  }
  std::error_code error;
  const bool is_there = fs::status(name, error).type() != fs::file_type::not_found;
  return is_there ? AddPath(name, recursive, out) : AddPattern(name, recursive, out);
}

Result<Found> FindFiles(const ManifestInput& input) {
  Found found;
  std::vector<std::string> wrong;
  for (const std::string& name : input.files) {
    if (const Status added = AddName(name, input.recursive, found); !added.ok()) wrong.push_back(added.error().message);
  }
  if (!wrong.empty()) return Error::InvalidArgument(Join(wrong, "\n"));
  return found;
}

Result<std::string> ReadText(const std::string& file, const ManifestInput& input) {
  if (file == "-") {
    return ReadStream(input.standard_input != nullptr ? *input.standard_input : std::cin, kMaxInputBytes,
                      "standard input");
  }
  if (net::IsWebUrl(file)) return net::Download(file);
  Result<std::string> text = ReadWholeFile(file, kMaxInputBytes, "the file");
  if (!text.ok()) return Error::InvalidArgument(text.error().message);
  return text;
}

std::string SourceName(const std::string& file) {
  if (file == "-") return "STDIN";
  return net::IsWebUrl(file) ? net::ShownUrl(file) : file;
}

Error At(const Document& document, const Value* value, std::string message) {
  Error error = Error::Parse(std::move(message));
  error.source = document.SourceOf(value);
  return error;
}

// An object of a document and its first line. The first object of a nested list has the line of that list.
struct Place {
  const Value* value;
  int line;
  const Value* list = nullptr;  // that it is an item of
};

Document ItemOf(const Document& document, const Place& place) {
  const Value& item = *place.value;
  Arena arena;
  arena.Retain(document);
  const Value object = ObjectOfItem(*place.list, item, arena);
  Document out(std::move(arena), object);
  out.SetSource(document.source_name());
  std::vector<std::pair<const Value*, int>> lines = {{&out.root(), document.LineOf(&item)}};
  // With a kind of the list's, the members have other addresses.
  const bool moved = item.is_object() && !SharesMemory(object, item);
  for (const Member& member : moved ? item.Members() : std::span<const Member>()) {
    lines.emplace_back(out.root().Find(member.name), document.LineOf(&member.value));
  }
  out.SetLines(std::move(lines));
  return out;
}

// Flattens lists in lists; recursion depth is bounded by the parser's limit.
void AddPlaces(const Document& document, const Place& place, std::vector<Place>& out) {
  const Value& value = *place.value;
  if (!IsObjectList(value)) return out.push_back(place);
  const std::span<const Value> items = value.Find("items")->Items();
  for (size_t i = 0; i < items.size(); ++i) {
    const bool stands_for_list = i == 0 && &value != &document.root();
    AddPlaces(document, {&items[i], stands_for_list ? place.line : document.LineOf(&items[i]), &value}, out);
  }
}

std::vector<Place> PlacesOf(const Document& document) {
  std::vector<Place> places;
  AddPlaces(document, {&document.root(), document.LineOf(&document.root())}, places);
  return places;
}

// A warning and its line, which determines the object that it belongs to.
struct PlacedWarning {
  const ReadWarning* warning;
  int line;
};

bool SharesLine(const Place& a, const Place& b) { return a.line == b.line; }

// Puts each item and member of JSON on a line of its own, so that objects can be told apart by their lines.
std::string SpreadJson(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  bool quoted = false;
  bool escaped = false;
  for (const char c : text) {
    out += c;
    if (c == '"' && !escaped) quoted = !quoted;
    escaped = quoted && c == '\\' && !escaped;
    if (!quoted && (c == ',' || c == '[' || c == '{')) out += '\n';
  }
  return out;
}

// Places and warnings of a document, sorted by line.
struct Layout {
  std::vector<Place> places;
  std::vector<PlacedWarning> warnings;
};

Layout LayoutOf(const Document& document) {
  Layout out{PlacesOf(document), {}};
  for (const ReadWarning& warning : document.warnings()) out.warnings.push_back({&warning, warning.source.line});
  return out;
}

// Sets the lines in `layout` to those in `from`, the same document with other line breaks.
void TakeLines(const Document& from, Layout& layout) {
  const std::vector<Place> places = PlacesOf(from);
  if (places.size() != layout.places.size() || from.warnings().size() != layout.warnings.size()) return;
  for (size_t i = 0; i < places.size(); ++i) layout.places[i].line = places[i].line;
  for (size_t i = 0; i < layout.warnings.size(); ++i) layout.warnings[i].line = from.warnings()[i].source.line;
}

bool IsCrowded(const Layout& layout) {
  const auto& places = layout.places;
  return !layout.warnings.empty() && std::adjacent_find(places.begin(), places.end(), SharesLine) != places.end();
}

void AddWarnings(std::span<const PlacedWarning> warnings, size_t most, std::vector<ReadWarning>& out) {
  for (const PlacedWarning& placed : warnings.first(std::min(most, warnings.size()))) {
    if (out.size() < kMaxWarnings) out.push_back(*placed.warning);
  }
}

// Assigns the warnings to objects. A warning above the first object concerns all objects; one on a line with several
// objects concerns an unknown one of them. The first of these objects gets all such warnings, each other object only
// one (enough to reject it), so that n objects and m warnings do not take n * m time.
void ShareWarnings(Layout& layout, std::vector<Result<ReadObject>>& out, size_t first_out) {
  const auto line_less = [](const PlacedWarning& a, const PlacedWarning& b) { return a.line < b.line; };
  std::stable_sort(layout.warnings.begin(), layout.warnings.end(), line_less);
  const std::span<const PlacedWarning> all = layout.warnings;
  const auto before = [&](int line) {
    const auto at = std::lower_bound(all.begin(), all.end(), PlacedWarning{nullptr, line}, line_less);
    return static_cast<size_t>(at - all.begin());
  };
  const std::vector<Place>& places = layout.places;
  for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    while (end < places.size() && SharesLine(places[begin], places[end])) ++end;
    const size_t first = before(places[begin].line);
    // At least `first`: the items of an aliased list have the line of its anchor.
    const size_t behind = end < places.size() ? std::max(first, before(places[end].line)) : all.size();
    for (size_t i = begin; i < end; ++i) {
      std::vector<ReadWarning>& warnings = out[first_out + i]->warnings;
      AddWarnings(all.first(before(places.front().line)), i == 0 ? kMaxWarnings : 1, warnings);
      AddWarnings(all.subspan(first, behind - first), i == begin ? kMaxWarnings : 1, warnings);
    }
  }
}

void AddObjects(const Document& document, Layout& layout, std::vector<Result<ReadObject>>& out) {
  const size_t first = out.size();
  for (const Place& place : layout.places) {
    out.push_back(ReadObject{place.list == nullptr ? document : ItemOf(document, place)});
  }
  ShareWarnings(layout, out, first);
}

// Parses the text after SpreadJson; returns an empty vector if it is not JSON.
std::vector<Result<Document>> ReadSpread(std::string_view text) {
  return ParseJsonValues(SpreadJson(text), {.keep_lines = true});
}

// Of a Helm template, only the first document that cannot be read is an error: the others cannot be for the same reason.
void AddError(Error error, std::vector<Result<ReadObject>>& out) {
  const bool again = !out.empty() && !out.back().ok() && out.back().error().message == yaml::kTemplateMessage;
  if (!again) out.push_back(std::move(error));
}

// Calls `visit` with each text of the input, one after the other.
template <class Visit>
Status ForEachText(const ManifestInput& input, std::vector<std::string>& warnings, Visit visit) {
  SMP_ASSIGN(Found found, FindFiles(input));
  warnings = std::move(found.left_out);
  for (const std::string& file : found.files) visit(InputText{SourceName(file), ReadText(file, input)});
  return Ok();
}

void AddManifests(std::string_view text, const std::string& source_name, Manifests& out) {
  for (Result<ReadObject>& object : ParseObjects(text, source_name)) {
    Result<Manifest> manifest = object.ok() ? ToManifest(object->document) : Result<Manifest>(object.error());
    if (manifest.ok()) manifest->warnings = std::move(object->warnings);
    out.items.push_back(std::move(manifest));
  }
}

}  // namespace

bool IsKustomization(const Document& document) {
  const std::string name = fs::path(document.source_name()).filename().string();
  return document.root().StringOr("apiVersion").starts_with("kustomize.config.k8s.io/") ||
         name == "kustomization.yaml" || name == "kustomization.yml";
}

bool IsObjectList(const Value& root) {
  const Value* items = root.Find("items");
  return root.StringOr("kind").ends_with("List") && items != nullptr && items->is_array();
}

Value ObjectOfItem(const Value& list, const Value& item, Arena& arena) {
  const bool untyped = item.is_object() && item.StringOr("apiVersion").empty() && item.StringOr("kind").empty();
  std::string_view kind = list.StringOr("kind");
  kind.remove_suffix(std::string_view("List").size());
  if (!untyped || kind.empty()) return item;
  const Value version = Value::UnownedString(list.StringOr("apiVersion"));
  return WithAt(WithAt(item, {"apiVersion"}, version, arena), {"kind"}, Value::UnownedString(kind), arena);
}

Result<Manifest> ToManifest(const Document& document) {
  const Value& root = document.root();
  if (!root.is_object()) return At(document, &root, "expected an object with apiVersion and kind");
  if (IsKustomization(document)) {
    return At(document, &root, "a Kustomization is no object of the cluster; pass its directory to -k instead of -f");
  }
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

std::vector<Result<ReadObject>> ParseObjects(std::string_view text, const std::string& source_name) {
  if (const std::optional<std::string> decoded = yaml::FromUtf16(text)) return ParseObjects(*decoded, source_name);
  if (!text.empty() && text.back() != '\n') return ParseObjects(WithLastLineBreak(text), source_name);
  std::vector<Result<ReadObject>> out;
  yaml::YamlFile parsed = yaml::ParseYamlFile(text, source_name);
  std::optional<std::vector<Result<Document>>> spread;
  for (size_t i = 0; i < parsed.items.size(); ++i) {
    Result<Document>& document = parsed.items[i].document;
    if (!document.ok()) {
      AddError(std::move(document).error(), out);
      continue;
    }
    Layout layout = LayoutOf(*document);
    if (IsCrowded(layout)) {
      if (!spread) spread = ReadSpread(text);
      if (spread->size() == parsed.items.size() && (*spread)[i].ok()) TakeLines(*(*spread)[i], layout);
    }
    AddObjects(*document, layout, out);
  }
  return out;
}

Result<Manifests> ReadManifests(const ManifestInput& input) {
  Manifests out;
  SMP_TRY(ForEachText(input, out.warnings, [&](const InputText& text) {
    if (text.text.ok()) {
      AddManifests(*text.text, text.name, out);
    } else {
      out.items.push_back(text.text.error());
    }
  }));
  return out;
}

Result<InputTexts> ReadTexts(const ManifestInput& input) {
  InputTexts out;
  SMP_TRY(ForEachText(input, out.warnings, [&](InputText text) { out.texts.push_back(std::move(text)); }));
  return out;
}

Manifests ParseManifests(std::string_view text, const std::string& source_name) {
  Manifests out;
  AddManifests(text, source_name, out);
  return out;
}

Value ListOf(const std::vector<Value>& objects, Arena& arena) {
  if (objects.size() == 1) return objects[0];
  return arena.Object({{"apiVersion", arena.String("v1")},
                       {"kind", arena.String("List")},
                       {"metadata", arena.SortedObject({})},
                       {"items", arena.Array(objects)}});
}

std::string Label(const GroupVersionKind& gvk, const std::string& name) {
  const std::string kind = ToLower(gvk.kind);
  return gvk.group.empty() ? StrCat(kind, "/", name) : StrCat(kind, ".", gvk.group, "/", name);
}

}  // namespace smp::apply
