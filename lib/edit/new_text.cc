#include "edit/new_text.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp::edit {

namespace {

constexpr size_t kLongestSimpleKey = 900;  // YAML readers may refuse keys of 1024 characters

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

std::string_view Brackets(const Draft& draft) { return IsMap(draft) ? "{}" : "[]"; }

std::string_view WrittenOf(const Draft& draft) {
  return draft.origin != nullptr ? draft.origin->written : std::string_view();
}

std::string Literal(const BlockScalar& block, size_t column, size_t step, const BlockStyle& style) {
  const size_t depth = block.needs_indicator ? std::min(step, kDeepestIndicator) : step;
  std::string out = StrCat(" |", block.needs_indicator ? std::to_string(depth) : "", block.chomping());
  for (const std::string_view line : block.lines) {
    out += style.line_end;
    if (!line.empty()) out += Spaces(column + depth);
    out += line;
  }
  for (size_t i = 1; i < block.final_breaks; ++i) out += style.line_end;
  return out;
}

// Returns the key node whose text can be copied; nullptr if there is none or its copy would be read differently: `<<`
// would merge, and a number beyond 64 bits would be refused.
const TextNode* WrittenKey(const Draft& member) {
  if (member.key_from == nullptr) return nullptr;
  const TextNode* key = Followed(member.key_from->key);
  const bool is_alias = key != member.key_from->key;
  return is_alias && (key->spelling == "<<" || key->value.is_double()) ? nullptr : key;
}

std::string YamlLine(std::string_view written, const Value& value, YamlPlace place, Quotes quotes) {
  return CanStand(written, place) ? std::string(written) : YamlScalarLine(value, place, quotes);
}

FlowStyle Inner(const FlowStyle& style) {
  FlowStyle inner = style;
  inner.indent += style.unit;
  return inner;
}

}  // namespace

std::string ScalarLine(Draft& draft, YamlPlace place, Quotes quotes) {
  if (IsCollection(draft)) return std::string(Brackets(draft));
  return YamlLine(WrittenOf(draft), ScalarOf(draft), place, quotes);
}

std::string ScalarLine(Draft& draft, const FlowStyle& style) {
  if (style.format == DataFormat::kYaml) return ScalarLine(draft, YamlPlace::kFlow, style.quotes);
  const std::string_view written = WrittenOf(draft);
  return written.empty() ? JsonScalar(ScalarOf(draft)) : std::string(written);
}

std::string KeyLine(const Draft& member, YamlPlace place, Quotes quotes) {
  if (const TextNode* key = WrittenKey(member)) return YamlLine(key->written, key->value, place, quotes);
  return YamlScalarLine(Value::UnownedString(member.name), place, quotes);
}

std::string KeyLine(const Draft& member, const FlowStyle& style) {
  if (style.format == DataFormat::kYaml) return KeyLine(member, YamlPlace::kFlow, style.quotes);
  const TextNode* key = WrittenKey(member);
  return key != nullptr ? std::string(key->written) : JsonScalar(Value::UnownedString(member.name));
}

std::string BlockValueText(Draft& draft, bool is_item, size_t column, const BlockStyle& style) {
  if (IsCollection(draft) && !IsEmpty(draft)) {
    if (is_item) return " " + BlockText(draft, column + 2, style);
    const size_t inner = column + (IsList(draft) ? style.list_offset : style.step);
    return StrCat(style.line_end, Spaces(inner), BlockText(draft, inner, style));
  }
  if (const auto block = LiteralOf(draft, style)) return Literal(*block, column, is_item ? 2 : style.step, style);
  return " " + ScalarLine(draft, YamlPlace::kBlock, Quotes::kNone);
}

std::optional<BlockScalar> LiteralOf(const Draft& draft, const BlockStyle& style) {
  if (style.literals == Literals::kForbidden || IsCollection(draft) || !ScalarOf(draft).is_string()) return {};
  const std::string_view text = ScalarOf(draft).AsString();
  if (text.find('\n') == std::string_view::npos) return {};
  std::optional<BlockScalar> block = AsBlockScalar(text);
  return block && (block->final_breaks < 2 || style.may_keep) ? block : std::nullopt;
}

std::string BlockEntryText(Draft& entry, bool is_item, size_t column, const BlockStyle& style) {
  if (is_item) return "-" + BlockValueText(entry, true, column, style);
  const std::string key = KeyLine(entry, YamlPlace::kBlock, style.key_quotes);
  if (key.size() <= kLongestSimpleKey) return StrCat(key, ":", BlockValueText(entry, false, column, style));
  return StrCat("? ", key, style.line_end, Spaces(column), ":", BlockValueText(entry, true, column, style));
}

std::string BlockText(Draft& draft, size_t column, const BlockStyle& style) {
  std::string out;
  const std::vector<Draft*> entries = ChildrenOf(draft);
  BlockStyle inner = style;
  inner.may_keep = true;  // another entry follows
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out += StrCat(style.line_end, Spaces(column));
    out += BlockEntryText(*entries[i], IsList(draft), column, i + 1 < entries.size() ? inner : style);
  }
  return out;
}

std::string FlowEntryText(Draft& entry, bool is_item, const FlowStyle& style) {
  if (is_item) return FlowText(entry, style);
  const std::string key = KeyLine(entry, style);
  const bool simple = style.format == DataFormat::kJson || key.size() <= kLongestSimpleKey;
  const std::string_view colon = style.colon.ends_with(':') && !key.ends_with('"') && style.format == DataFormat::kYaml
                                     ? std::string_view(": ")
                                     : std::string_view(style.colon);
  return StrCat(simple ? "" : "? ", key, colon, FlowText(entry, style));
}

std::string FlowText(Draft& draft, const FlowStyle& style) {
  if (!IsCollection(draft)) return ScalarLine(draft, style);
  const std::string_view brackets = Brackets(draft);
  if (IsEmpty(draft)) return std::string(brackets);
  const FlowStyle inner = Inner(style);
  std::string out(brackets.substr(0, 1));
  for (Draft* entry : ChildrenOf(draft)) {
    if (out.size() > 1) out += style.in_lines ? "," : "," + style.separator;
    if (style.in_lines) out += StrCat(style.line_end, inner.indent);
    out += FlowEntryText(*entry, IsList(draft), inner);
  }
  if (style.in_lines) out += StrCat(style.line_end, style.indent);
  return out.append(brackets.substr(1));
}

}  // namespace smp::edit
