#include "edit/new_text.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp {

namespace {

constexpr size_t kLongestSimpleKey = 900;  // a reader may refuse 1024 characters

// Returns true if the text of a scalar copied from another place can be written at `place` as it is.
bool CanStand(std::string_view written, YamlPlace place) {
  if (written.empty() || written.starts_with(kByteOrderMark)) return false;
  if (written.front() == '"' || written.front() == '\'') return true;
  if (written.back() == ':') return false;
  if (written.size() == 1 && std::string_view("-?:").find(written) != std::string_view::npos) return false;
  if (written.starts_with("---") || written.starts_with("...")) return false;
  if (place == YamlPlace::kBlock) return written.front() != '?' && written.front() != ':';
  return written.find_first_of(",[]{}?:#&*!|>'\"%@`") == std::string_view::npos;
}

bool IsEmpty(const TextNode* node) { return node->items->list.size() == 0; }

std::string_view Brackets(const TextNode* node) { return node->kind == TextNode::Kind::kMapping ? "{}" : "[]"; }

std::vector<const TextEntry*> Live(const TextNode* node) {
  std::vector<const TextEntry*> out;
  node->items->list.ForEach([&](const TextEntry* entry) {
    if (!entry->removed) out.push_back(entry);
  });
  return out;
}

std::string Spaces(size_t count) { return std::string(count, ' '); }

std::string Literal(std::string_view text, size_t indent, const BlockStyle& style) {
  const bool keeps_end = text.ends_with('\n');
  std::string out = keeps_end ? " |" : " |-";
  if (keeps_end) text.remove_suffix(1);
  for (const std::string_view line : Split(text, '\n')) {
    out += style.line_end;
    if (!line.empty()) out += Spaces(indent);
    out += line;
  }
  return out;
}

std::string Key(const TextEntry* entry, YamlPlace place, Quotes quotes) {
  return ScalarLine(entry->key, place, quotes);
}

FlowStyle Inner(const FlowStyle& style) {
  FlowStyle inner = style;
  inner.indent += style.unit;
  return inner;
}

}  // namespace

std::string ScalarLine(const TextNode* node, YamlPlace place, Quotes quotes) {
  if (node->is_collection()) return std::string(Brackets(node));
  if (CanStand(node->written, place)) return std::string(node->written);
  return YamlScalarLine(node->value, place, quotes);
}

std::string ScalarLine(const TextNode* node, const FlowStyle& style) {
  if (style.format == DataFormat::kYaml) return ScalarLine(node, YamlPlace::kFlow, style.quotes);
  return node->written.empty() ? JsonScalar(node->value) : std::string(node->written);
}

std::string BlockValueText(const TextNode* node, bool is_item, size_t column, const BlockStyle& style) {
  if (node->is_collection() && !IsEmpty(node)) {
    if (is_item) return " " + BlockText(node, column + 2, style);
    const size_t inner = column + (node->kind == TextNode::Kind::kSequence ? style.list_offset : style.step);
    return StrCat(style.line_end, Spaces(inner), BlockText(node, inner, style));
  }
  const bool literal = !node->is_collection() && node->value.is_string() && style.literals == Literals::kAllowed;
  if (literal && FitsLiteral(node->value.AsString())) {
    return Literal(node->value.AsString(), column + (is_item ? 2 : style.step), style);
  }
  return " " + ScalarLine(node, YamlPlace::kBlock, Quotes::kNone);
}

std::string BlockEntryText(const TextEntry* entry, size_t column, const BlockStyle& style) {
  if (entry->key == nullptr) return "-" + BlockValueText(entry->value, true, column, style);
  const std::string key = Key(entry, YamlPlace::kBlock, style.key_quotes);
  if (key.size() <= kLongestSimpleKey) return StrCat(key, ":", BlockValueText(entry->value, false, column, style));
  return StrCat("? ", key, style.line_end, Spaces(column), ":", BlockValueText(entry->value, true, column, style));
}

std::string BlockText(const TextNode* node, size_t column, const BlockStyle& style) {
  std::string out;
  for (const TextEntry* entry : Live(node)) {
    if (!out.empty()) out += StrCat(style.line_end, Spaces(column));
    out += BlockEntryText(entry, column, style);
  }
  return out;
}

std::string FlowEntryText(const TextEntry* entry, const FlowStyle& style) {
  if (entry->key == nullptr) return FlowText(entry->value, style);
  std::string key =
      style.format == DataFormat::kJson ? ScalarLine(entry->key, style) : Key(entry, YamlPlace::kFlow, style.quotes);
  const bool simple = style.format == DataFormat::kJson || key.size() <= kLongestSimpleKey;
  const std::string_view colon = style.colon.ends_with(':') && !key.ends_with('"') && style.format == DataFormat::kYaml
                                     ? std::string_view(": ")
                                     : std::string_view(style.colon);
  return StrCat(simple ? "" : "? ", key, colon, FlowText(entry->value, style));
}

std::string FlowText(const TextNode* node, const FlowStyle& style) {
  if (!node->is_collection()) return ScalarLine(node, style);
  const std::string_view brackets = Brackets(node);
  if (IsEmpty(node)) return std::string(brackets);
  const FlowStyle inner = Inner(style);
  std::string out(brackets.substr(0, 1));
  for (const TextEntry* entry : Live(node)) {
    if (out.size() > 1) out += style.in_lines ? "," : "," + style.separator;
    if (style.in_lines) out += StrCat(style.line_end, inner.indent);
    out += FlowEntryText(entry, inner);
  }
  if (style.in_lines) out += StrCat(style.line_end, style.indent);
  return out.append(brackets.substr(1));
}

}  // namespace smp
