#include "explain/changed_images.h"

#include <map>
#include <optional>

#include "base/strings.h"
#include "explain/image_words.h"
#include "explain/reading_order.h"
#include "explain/row_values.h"
#include "value/at.h"

namespace smp::explain {

namespace {

using Images = std::vector<std::pair<std::string_view, std::string_view>>;

// Returns "app" of "quay.io/project/app:1.2"; "" for a text without a folder.
std::string_view BaseName(std::string_view image) {
  const size_t slash = image.rfind('/');
  if (slash == image.npos) return {};
  const std::string_view name = image.substr(slash + 1);
  return name.substr(0, name.find_first_of(":@"));
}

void AddIfImages(std::string_view before, std::string_view after, Images& out) {
  if (!ChangeOfTag(before, after).empty()) out.emplace_back(before, after);
}

// Texts that are images with a tag each, whatever their names.
void AddIfVersioned(std::string_view before, std::string_view after, Images& out) {
  const auto has_tag = [](std::string_view image) { return image.find(':', image.rfind('/') + 1) != image.npos; };
  if (has_tag(before) && has_tag(after) && !ChangeOfImage(before, after, "").empty()) out.emplace_back(before, after);
}

// Returns "repo/app:1.2" of "--app-image=repo/app:1.2", and other arguments as they are.
std::string_view ValueOfArgument(const Value& item) {
  const std::string_view text = item.is_string() ? item.AsString() : "";
  const size_t equals = text.starts_with('-') ? text.find('=') : text.npos;
  return equals == text.npos ? text : text.substr(equals + 1);
}

// Each argument is compared with the one that has the same image's name.
void AddOfArguments(const Value& before, const Value& after, Images& out) {
  std::map<std::string_view, std::string_view> old;
  for (const Value& item : before.Items()) {
    const std::string_view text = ValueOfArgument(item), name = BaseName(text);
    if (!name.empty()) old.emplace(name, text);
  }
  for (const Value& item : after.Items()) {
    const std::string_view text = ValueOfArgument(item);
    const auto at = old.find(BaseName(text));
    if (at != old.end()) AddIfImages(at->second, text, out);
  }
}

}  // namespace

Images ChangedImages(const ReportRow& row) {
  if (const auto image = ChangedImage(row)) return {*image};
  Images out;
  const Value *before = ValueBefore(row), *after = ValueAfter(row);
  if (row.masked || row.path.empty() || before == nullptr || after == nullptr) return out;
  const bool of_variable = row.path.size() > 2 && row.path.back().name == "value";
  if (of_variable && before->is_string() && after->is_string()) AddIfImages(before->AsString(), after->AsString(), out);
  // The image of what an operator starts.
  const bool of_key =
      row.path.size() == 2 && row.path[0].name == "data" && ToLower(row.path[1].name).ends_with("image");
  const bool of_map =
      row.path.size() > 1 && row.path[row.path.size() - 2].name == "image" && row.path.back().name == "name";
  if ((of_key || of_map) && before->is_string() && after->is_string()) {
    AddIfVersioned(before->AsString(), after->AsString(), out);
  }
  const bool of_program = row.path.back().name == "args" || row.path.back().name == "command";
  if (of_program && before->is_array() && after->is_array()) AddOfArguments(*before, *after, out);
  return out;
}

namespace {

// A container that a row adds or removes.
struct WholeContainer {
  std::string place;  // its list, and the name of its image
  std::string_view name, image;
};

// Returns nullopt for a row about anything else.
std::optional<WholeContainer> WholeContainerOf(const ReportRow& row, const Value* value) {
  const FieldPath& path = row.path;
  const bool is_one =
      path.size() > 1 && path.back().kind == PathStep::Kind::kKey && IsContainerList(path[path.size() - 2].name);
  if (!is_one || row.masked || value == nullptr || !value->is_object()) return std::nullopt;
  const std::string_view image = TextAt(*value, {"image"});
  const std::string repository = RepositoryOf(image);
  if (repository.empty()) return std::nullopt;
  const std::string list = ToString(FieldPath(path.begin(), path.end() - 1));
  return WholeContainer{StrCat(list, " ", repository), TextAt(*value, {"name"}), image};
}

}  // namespace

std::vector<RenamedContainer> RenamedContainers(const std::vector<ReportRow>& rows) {
  std::map<std::string, std::vector<WholeContainer>> old, now;
  for (const ReportRow& row : rows) {
    const char sign = Sign(row);
    if (sign != '-' && sign != '+') continue;
    auto found = WholeContainerOf(row, sign == '-' ? ValueBefore(row) : ValueAfter(row));
    if (found) (sign == '-' ? old : now)[found->place].push_back(*found);
  }
  std::vector<RenamedContainer> out;
  for (const auto& [place, gone] : old) {
    const auto at = now.find(place);
    if (at == now.end() || gone.size() != 1 || at->second.size() != 1) continue;  // of several, nobody knows which
    const WholeContainer &before = gone.front(), &after = at->second.front();
    out.push_back({before.name, after.name, before.image, after.image});
  }
  return out;
}

}  // namespace smp::explain
