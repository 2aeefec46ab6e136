#include "explain/new_object.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/own_name.h"
#include "explain/reading_order.h"
#include "explain/rights.h"
#include "explain/row_values.h"
#include "explain/style.h"
#include "explain/text_lines.h"
#include "explain/text_rows.h"
#include "value/at.h"
#include "value/document.h"
#include "value/path.h"
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

constexpr size_t kFewItems = 3;  // of variables and volumes

// Returns "… 12 items" for a list of many variables or volumes.
Value CountedIfLong(std::string_view name, const Value& value, Arena& arena) {
  const bool may_be_long = name == "env" || name == "volumeMounts" || name == "volumes";
  if (!may_be_long || !value.is_array() || value.size() <= kFewItems) return value;
  return arena.String(StrCat("… ", value.size(), " items"));
}

// Where the fields of a workload are: its own and those of its Pods, or those of a container.
enum class PodPart { kSpec, kContainer };

bool IsFilledMap(const Value& value) { return value.is_object() && !value.empty(); }

// Returns true for what tells what a workload runs, and for what takes one line.
bool IsTelling(PodPart part, const Member& member) {
  constexpr std::string_view kOfContainer[] = {"command", "args", "ports", "env", "envFrom", "volumeMounts"};
  constexpr std::string_view kOfPods[] = {"spec",           "template", "containers",
                                          "initContainers", "volumes",  "volumeClaimTemplates"};
  const auto has = [&](const auto& names) { return std::ranges::find(names, member.name) != std::end(names); };
  return member.value.is_scalar() || (part == PodPart::kContainer ? has(kOfContainer) : has(kOfPods));
}

std::vector<Member> TellingMembers(const Value& map, PodPart part) {
  std::vector<Member> out;
  for (const Member& member : map.Members()) {
    if (IsTelling(part, member)) out.push_back(member);
  }
  const auto rank = [part](const Member& member) {
    return part == PodPart::kContainer ? RankInContainer(member.name) : RankInPodSpec(member.name);
  };
  std::ranges::stable_sort(out, {}, rank);
  return out;
}

// Returns the lines two columns further to the right, with `first` in these columns of the first line.
std::string IndentedBy(std::string_view first, const std::string& lines) {
  if (lines.empty()) return StrCat(first, "{}\n");
  std::string out;
  for (const std::string_view line : Split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
    out += StrCat(out.empty() ? first : "  ", line, "\n");
  }
  return out;
}

// Returns what tells what the workload runs, as YAML. The recursion is bounded by the parser's kMaxDepth.
std::string TellingYaml(const Value& map, PodPart part, Arena& arena) {
  std::string out;
  for (const auto& [name, value] : TellingMembers(map, part)) {
    const bool goes_down = part == PodPart::kSpec && (name == "spec" || name == "template") && IsFilledMap(value);
    const bool are_containers =
        IsContainerList(name) && value.is_array() && std::ranges::all_of(value.Items(), IsFilledMap);
    if (goes_down) {
      out += StrCat(name, ":\n", IndentedBy("  ", TellingYaml(value, PodPart::kSpec, arena)));
    } else if (are_containers) {
      out += StrCat(name, ":\n");
      for (const Value& item : value.Items()) out += IndentedBy("- ", TellingYaml(item, PodPart::kContainer, arena));
    } else {
      out += yaml::WriteYaml(arena.Object({{name, CountedIfLong(name, value, arena)}}));
    }
  }
  return out;
}

// Returns the first lines of what a workload runs, and the number of the others. What is in its labels is left out, also where the
// selector repeats them. REQUIRES: HasPodTemplate(manifest).
std::string PrintWorkload(const Value& manifest, size_t indent, const TextOptions& options, Arena& arena) {
  const Value& pods = *manifest.FindPath({"spec", "template"});
  const Value shorter = WithAt(manifest, {"spec", "template"}, WithoutLabels(pods, arena), arena);
  const Value unlabeled = WithoutLabels(WithoutAt(shorter, {"spec"}, {"selector"}, arena), arena);
  const std::string telling = TellingYaml(unlabeled, PodPart::kSpec, arena);
  const std::vector<std::string_view> lines = Split(telling, '\n');
  const size_t shown = std::min(lines.size() - 1, kLongestBlock);
  const size_t more = CountTextLines(yaml::WriteYaml(manifest)) - shown;
  const std::string text = Join(std::vector<std::string_view>(lines.begin(), lines.begin() + shown), "\n");
  return StrCat(PrintBlock(arena.String(text), '+', indent, options), Spaces(indent),
                As(Role::kDim, StrCat("… ", more, " more lines (--wide)")), "\n");
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

// Returns the lines of a Role with its rights in place of its rules, of which one right takes eight lines; "" for other objects.
std::string PrintRole(const Value& manifest, size_t indent, const TextOptions& options, Arena& arena) {
  const Value* rules = manifest.Find("rules");
  if (rules == nullptr || !ChangedRights(Value::UnownedArray({}), *rules)) return {};
  const Value rest = WithoutAt(manifest, {}, {"rules"}, arena);
  const TextRow row = {.path = {PathStep::Field("rules")}, .sign = '+', .after = rules};
  return StrCat(rest.empty() ? "" : PrintBlock(rest, '+', indent, options), PrintRows({row}, indent, options));
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
  if (!IsFolded(out)) return out;
  if (object.kind.ends_with("Role")) {
    std::string role = PrintRole(*manifest, indent, options, arena);
    if (!role.empty()) return role;
  }
  if (HasPodTemplate(*manifest)) out = PrintWorkload(*manifest, indent, options, arena);
  std::vector<std::string> images;
  std::set<std::string_view> seen;
  AddImages(*manifest, seen, images);
  const auto is_shown = [&](const std::string& image) { return out.find(image) != out.npos; };
  if (std::ranges::all_of(images, is_shown)) return out;
  const std::string_view what = images.size() == 1 ? "image: " : "images: ";
  return out + PrintWrapped(StrCat(what, Join(images, ", ")), indent, options);
}

}  // namespace smp::explain
