#include "apply/manifest_text.h"

#include <algorithm>
#include <string>
#include <utility>

#include "apply/manifests.h"
#include "base/strings.h"
#include "edit/text_reader.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/input.h"
#include "yaml/utf16.h"

namespace smp::apply {

namespace {

// Flattens lists in lists; the recursion is bounded by the parser's kMaxDepth.
void AddObjects(const Value& value, JsonPointer& at, Arena& arena, std::vector<ObjectPlace>& out) {
  if (!IsObjectList(value)) return out.push_back({at, value});
  const auto items = value.Find("items")->Items();
  at.emplace_back("items");
  for (size_t i = 0; i < items.size(); ++i) {
    at.push_back(std::to_string(i));
    AddObjects(ObjectOfItem(value, items[i], arena), at, arena, out);
    at.pop_back();
  }
  at.pop_back();
}

}  // namespace

std::vector<TextPart> PartsOf(std::string_view text) {
  std::vector<TextPart> out;
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (const Result<yaml::Chunk>& chunk : yaml::SplitText(rest, {})) {
    if (!chunk.ok()) continue;
    out.push_back({static_cast<size_t>(chunk->text.data() - text.data()), chunk->text, chunk->first_line});
  }
  return out;
}

size_t PartAt(const std::vector<TextPart>& parts, int line) {
  const auto after = std::ranges::upper_bound(parts, line, {}, &TextPart::first_line);
  return after == parts.begin() ? 0 : static_cast<size_t>(after - parts.begin()) - 1;
}

std::string WithLastLineBreak(std::string_view text) {
  if (text.empty() || text.ends_with('\n') || yaml::FromUtf16(text)) return std::string(text);
  const size_t first = text.find('\n');
  const bool of_windows = first != std::string_view::npos && first > 0 && text[first - 1] == '\r';
  return StrCat(text, of_windows ? "\r\n" : "\n");
}

Result<std::unique_ptr<edit::TextTree>> TreeOf(std::string_view part) {
  const bool is_json = Trim(part).starts_with('{') && ParseJson(part).ok();
  return is_json ? edit::ReadJsonText(part) : edit::ReadYamlText(part);
}

std::vector<ObjectPlace> ObjectsOf(const Value& document, Arena& arena) {
  std::vector<ObjectPlace> out;
  JsonPointer at;
  AddObjects(document, at, arena, out);
  return out;
}

}  // namespace smp::apply
