#include "explain/new_object.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/own_name.h"
#include "explain/row_values.h"
#include "explain/style.h"
#include "explain/text_lines.h"
#include "explain/text_rows.h"
#include "value/at.h"
#include "value/document.h"
#include "yaml/write_yaml.h"

namespace smp::explain {

namespace {

constexpr size_t kFewTextLines = 5;

// Name and namespace are in the head.
Value WithoutName(const Value& metadata, Arena& arena) {
  return metadata.is_object() ? WithoutAt(metadata, {}, {"name", "namespace"}, arena) : metadata;
}

size_t CountTextLines(std::string_view text) {
  const auto ends = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.ends_with('\n') ? 0 : 1);
}

// Returns the value with "… 346 lines" for each long text. The recursion is bounded by the parser's kMaxDepth.
Value WithCountedTexts(const Value& value, Arena& arena) {
  if (value.is_string()) {
    const size_t lines = CountTextLines(value.AsString());
    return lines <= kFewTextLines ? value : arena.String(StrCat("… ", lines, " lines"));
  }
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(WithCountedTexts(item, arena));
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const auto& [name, member] : value.Members()) members.push_back({name, WithCountedTexts(member, arena)});
  return arena.Object(std::move(members));
}

// Adds the images of all containers in the value, at any depth, each once and those of init containers first: what is not
// named must not be what differs from the rest.
void AddImages(const Value& value, std::set<std::string_view>& seen, std::vector<std::string>& out) {
  if (!value.is_object()) return;
  for (const char* containers : {"initContainers", "containers"}) {
    for (const Value& container : ItemsAt(value, {containers})) {
      const std::string_view image = container.StringOr("image");
      if (!image.empty() && seen.insert(image).second) out.emplace_back(image);
    }
  }
  for (const auto& [name, member] : value.Members()) AddImages(member, seen, out);
}

Value ManifestOf(const ObjectReport& object, Arena& arena) {
  std::vector<Member> members;
  for (const ReportRow& row : object.rows) {
    if (!IsPartOfManifest(row)) continue;
    const std::string& name = row.path[0].name;
    const Value value = name == "metadata" ? WithoutName(*ValueAfter(row), arena) : *ValueAfter(row);
    if (name != "metadata" || !value.empty()) members.push_back({name, value});
  }
  return arena.Object(std::move(members));
}

Value WithoutLabels(const Value& object, Arena& arena) {
  const Value* metadata = object.Find("metadata");
  if (metadata == nullptr) return object;
  const bool has_others = metadata->is_object() && metadata->size() > (metadata->Find("labels") == nullptr ? 0 : 1);
  return has_others ? WithoutAt(object, {"metadata"}, {"labels"}, arena) : WithoutAt(object, {}, {"metadata"}, arena);
}

// Returns the object without what is in its labels, also where the selector repeats them: what the Pods run is worth the first
// lines. REQUIRES: HasPodTemplate(manifest).
Value WithPodsFirst(const Value& manifest, Arena& arena) {
  const Value& pods = *manifest.FindPath({"spec", "template"});
  const Value shorter = WithAt(manifest, {"spec", "template"}, WithoutLabels(pods, arena), arena);
  return WithoutLabels(WithoutAt(shorter, {"spec"}, {"selector"}, arena), arena);
}

bool HasPodTemplate(const Value& manifest) {
  const Value* pods = manifest.FindPath({"spec", "template"});
  return pods != nullptr && pods->is_object();
}

bool IsFolded(std::string_view text) { return text.find("(--wide)") != std::string_view::npos; }

// Of a CRD hardly anything but this says what is new: "kind Shard, Namespaced, version v1; 153 lines (--wide)".
std::string DefinitionInWords(const Value& manifest) {
  std::vector<std::string> versions;
  for (const Value& version : ItemsAt(manifest, {"spec", "versions"})) versions.emplace_back(version.StringOr("name"));
  return StrCat("kind ", TextAt(manifest, {"spec", "names", "kind"}), ", ", TextAt(manifest, {"spec", "scope"}),
                versions.size() == 1 ? ", version " : ", versions ", Join(versions, ", "), "; ",
                CountTextLines(yaml::WriteYaml(manifest)), " lines (--wide)");
}

}  // namespace

bool IsPartOfManifest(const ReportRow& row) {
  return row.path.size() == 1 && !row.masked && row.reason == Reason::kAdded && ValueAfter(row) != nullptr;
}

std::string PrintManifest(const ObjectReport& object, std::string_view own_name, size_t indent,
                          const TextOptions& options) {
  Arena arena;
  const Value* manifest = arena.Keep(ManifestOf(object, arena));
  if (manifest->empty()) return {};
  if (!options.wide) manifest = arena.Keep(WithCountedTexts(*manifest, arena));
  manifest = WithoutOwnName(manifest, own_name, arena);
  if (object.kind == "CustomResourceDefinition" && !options.wide) {
    return WithSign(RoleOfSign('+'), PrintWrapped(StrCat("+ ", DefinitionInWords(*manifest)), indent, options));
  }
  std::string out = PrintBlock(*manifest, '+', indent, options);
  std::vector<std::string> images;
  std::set<std::string_view> seen;
  AddImages(*manifest, seen, images);
  if (!IsFolded(out)) return out;
  if (HasPodTemplate(*manifest)) out = PrintBlock(*arena.Keep(WithPodsFirst(*manifest, arena)), '+', indent, options);
  if (!IsFolded(out)) out += PrintWrapped("… and its labels (--wide)", indent + 2, options);
  if (images.empty()) return out;
  const std::string_view what = images.size() == 1 ? "image: " : "images: ";
  return out + PrintWrapped(StrCat(what, Join(images, ", ")), indent, options);
}

}  // namespace smp::explain
