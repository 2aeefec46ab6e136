#include "explain/changed_images.h"

#include <map>

#include "explain/image_words.h"
#include "explain/row_values.h"

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

// Each argument is compared with the one that has the same image's name.
void AddOfArguments(const Value& before, const Value& after, Images& out) {
  std::map<std::string_view, std::string_view> old;
  for (const Value& item : before.Items()) {
    const std::string_view name = item.is_string() ? BaseName(item.AsString()) : "";
    if (!name.empty()) old.emplace(name, item.AsString());
  }
  for (const Value& item : after.Items()) {
    const auto at = item.is_string() ? old.find(BaseName(item.AsString())) : old.end();
    if (at != old.end()) AddIfImages(at->second, item.AsString(), out);
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
  const bool of_program = row.path.back().name == "args" || row.path.back().name == "command";
  if (of_program && before->is_array() && after->is_array()) AddOfArguments(*before, *after, out);
  return out;
}

}  // namespace smp::explain
