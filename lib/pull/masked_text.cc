#include "pull/masked_text.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "apply/manifest_text.h"
#include "base/strings.h"
#include "edit/entry_finder.h"
#include "value/redact.h"
#include "yaml/read_yaml.h"

namespace smp::pull {

namespace {

constexpr std::string_view kMask = "***";

bool HasSecret(const apply::TextPart& part) {
  // An escape may stand for a letter of the kind.
  if (part.text.find("Secret") == std::string_view::npos && part.text.find('\\') == std::string_view::npos)
    return false;
  const yaml::YamlFile file = yaml::ParseYamlFile(part.text, {});
  return std::ranges::any_of(file.items, [](const auto& item) {
    if (!item.document.ok()) return true;  // nobody knows
    Arena arena;
    const std::vector<apply::ObjectPlace> objects = apply::ObjectsOf(item.document->root(), arena);
    return std::ranges::any_of(objects, [](const apply::ObjectPlace& object) { return IsSecret(object.value); });
  });
}

// Lines of a document: [first, end).
struct Lines {
  size_t first, end;
};

// What of the lines of a document with Secrets may be shown.
class Shown {
 public:
  Shown(const edit::TextTree& tree, std::string_view text)
      : begins_(BeginsOf(text)), lines_(begins_.size()), of_secret_(begins_.size()) {
    FindSecrets(tree);
    for (const edit::TextEntry& entry : tree.entries) {
      if (entry.key != nullptr && !entry.is_merge) Add(entry);
    }
  }

  std::string Line(size_t line, std::string_view text) const {
    if (!IsOfSecret(line)) return std::string(text);
    const size_t first = text.find_first_not_of(" -\t\r{}[],");
    if (first == std::string_view::npos || text == "---") return std::string(text);
    if (line >= lines_.size() || lines_[line] == 0) return StrCat(text.substr(0, first), kMask);
    const size_t shown = std::min(lines_[line], text.size());
    const bool all = text.find_first_not_of(" \r{[", shown) == std::string_view::npos;
    return all ? std::string(text) : StrCat(text.substr(0, shown), " ", kMask);
  }

 private:
  static std::vector<size_t> BeginsOf(std::string_view text) {
    std::vector<size_t> out = {0};
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) out.push_back(at + 1);
    return out;
  }

  size_t LineOf(size_t at) const {
    return static_cast<size_t>(std::ranges::upper_bound(begins_, at) - begins_.begin()) - 1;
  }

  // --- the lines of Secrets

  // An object has the lines of its text, and the comments around it. A document without a list is all of the object.
  void FindSecrets(const edit::TextTree& tree) {
    Arena arena;
    const Value document = edit::ValueOf(tree.root(), arena);
    for (const apply::ObjectPlace& object : apply::ObjectsOf(document, arena)) {
      if (!IsSecret(object.value)) continue;
      const Lines lines = LinesOf(tree.root(), object.at).value_or(Lines{0, begins_.size()});
      for (size_t line = lines.first; line < std::min(lines.end, begins_.size()); ++line) of_secret_[line] = true;
    }
  }

  std::optional<Lines> LinesOf(const edit::TextNode* node, const JsonPointer& at) {
    std::optional<Lines> out;
    for (const std::string& token : at) {
      const edit::EntryFinder::Found found = finder_.Child(node, token);
      if (found.entry == nullptr) return std::nullopt;
      if (found.entry->key == nullptr) out = LinesBetween(found.before, found.entry, found.after);
      node = found.entry->value;
    }
    return out;
  }

  Lines LinesBetween(const edit::TextEntry* before, const edit::TextEntry* entry, const edit::TextEntry* after) const {
    const size_t first = LineOf(entry->begin), last = LineOf(entry->end);
    const size_t above = before == nullptr ? first : std::min(LineOf(before->end) + 1, first);
    const size_t below = after == nullptr ? begins_.size() : std::max(LineOf(after->begin), last + 1);
    return {above, below};
  }

  bool IsOfSecret(size_t line) const { return line >= of_secret_.size() || of_secret_[line]; }

  // --- what is shown of them

  // A key is shown if it is the first one of its line, and with it a value that is harmless.
  void Add(const edit::TextEntry& entry) {
    const size_t line = LineOf(entry.begin);
    if (lines_[line] != 0 || LineOf(entry.slot) != line) return;
    const edit::TextNode* value = entry.value;
    const bool one_line = value != nullptr && LineOf(value->end) == line;
    const bool harmless = one_line && !value->is_collection() && IsHarmless(PathOf(entry));
    lines_[line] = (harmless ? value->end : entry.slot) - begins_[line];
  }

  // Returns the names of the entry and of those around it in its object, the innermost first; of an item of a list "".
  static std::vector<std::string_view> PathOf(const edit::TextEntry& entry) {
    std::vector<std::string_view> out;
    for (const edit::TextEntry* at = &entry; at != nullptr && at->parent != nullptr; at = at->parent->entry) {
      out.push_back(at->key == nullptr ? std::string_view() : std::string_view(at->name));
    }
    while (out.size() > 2 && out.back() == "items" && out[out.size() - 2].empty()) out.resize(out.size() - 2);
    return out;
  }

  // Every other field may be a misspelt stringData.
  static bool IsHarmless(const std::vector<std::string_view>& path) {
    static constexpr std::string_view kOfObject[] = {"apiVersion", "kind", "type", "immutable"};
    const bool in_metadata = path.size() > 1 && path.back() == "metadata";
    if (path.size() == 1) return std::ranges::find(kOfObject, path[0]) != std::end(kOfObject);
    if (path.size() == 2) return in_metadata && (path[0] == "name" || path[0] == "namespace");
    return path.size() == 3 && in_metadata && path[1] == "labels";
  }

  const std::vector<size_t> begins_;  // offsets of the lines
  std::vector<size_t> lines_;         // how many bytes are shown
  std::vector<bool> of_secret_;       // the lines of Secrets
  edit::EntryFinder finder_;
};

}  // namespace

bool HasSecret(std::string_view text) {
  return std::ranges::any_of(apply::PartsOf(text), [](const apply::TextPart& part) { return HasSecret(part); });
}

std::vector<std::string> MaskedLines(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view line : Split(text, '\n')) out.emplace_back(line);
  if (text.ends_with('\n')) out.pop_back();
  for (const apply::TextPart& part : apply::PartsOf(text)) {
    if (!HasSecret(part)) continue;
    const auto tree = apply::TreeOf(part.text);
    const auto first = static_cast<size_t>(part.first_line - 1);
    const size_t count = static_cast<size_t>(std::ranges::count(part.text, '\n')) + (part.text.ends_with('\n') ? 0 : 1);
    if (!tree.ok()) {
      for (size_t i = 0; i < count; ++i) out[first + i] = kMask;
      continue;
    }
    const Shown shown(**tree, part.text);
    for (size_t i = 0; i < count; ++i) out[first + i] = shown.Line(i, out[first + i]);
  }
  return out;
}

}  // namespace smp::pull
