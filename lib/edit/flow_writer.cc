#include "edit/flow_writer.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "yaml/characters.h"

namespace smp {

namespace {

bool HasLineEnd(std::string_view text) { return text.find_first_of("\r\n") != std::string_view::npos; }

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Returns the white space after the last line end, "" if there is no line end.
std::string_view LastIndent(std::string_view blanks) {
  const size_t line_end = blanks.find_last_of("\r\n");
  if (line_end == std::string_view::npos) return {};
  blanks.remove_prefix(line_end + 1);
  return blanks.substr(0, blanks.find_first_not_of(" \t"));
}

bool HasTabLine(std::string_view blanks) {
  const size_t line_end = std::min(blanks.find_first_of("\r\n"), blanks.size());
  return blanks.find('\t', line_end) != std::string_view::npos;
}

std::string_view LineIndent(std::string_view text, size_t at) {
  const size_t before = at == 0 ? std::string_view::npos : text.find_last_of("\r\n", at - 1);
  const std::string_view line = text.substr(before == std::string_view::npos ? 0 : before + 1);
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

// Returns true if collections in `node` are written on one line although `node` is not.
bool HoldsOneLiners(std::string_view text, const TextNode* node) {
  bool known = false;
  bool one_line = false;
  node->items->list.ForEach([&](const TextEntry* entry) {
    if (known || !entry->in_text || !entry->read_value->is_collection()) return;
    const TextNode* value = entry->read_value;
    if (value->end - value->content <= 2) return;
    known = true;
    one_line = !HasLineEnd(text.substr(value->content, value->end - value->content));
  });
  return one_line;
}

// An entry of the text with its surroundings: [begin, entry) is its lead, [entry end, end) its comma and comment.
struct Segment {
  const TextEntry* entry;
  size_t begin;
  size_t end;
  bool ends_in_comment;
};

class FlowWriter {
 public:
  FlowWriter(const TextTree& tree, const TextNode* node, const FlowStyle& outer, std::string& out)
      : tree_(tree),
        text_(tree.text),
        node_(node),
        style_(FlowStyleOf(tree, node, outer)),
        value_style_(style_),
        out_(out) {
    if (style_.in_lines && HoldsOneLiners(text_, node)) value_style_.in_lines = false;
  }

  void Write() {
    FindSegments();
    const size_t size = node_->items->list.size();
    const bool bare = IsBarePair(node_);
    if (!bare) out_ += node_->kind == TextNode::Kind::kMapping ? '{' : '[';
    if (size > 0) Entries(size);
    if (!bare) Close(size);
  }

 private:
  std::string_view Between(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }

  void FindSegments() {
    size_t at = node_->is_pair ? node_->content : node_->content + 1;
    node_->items->list.ForEach([&](const TextEntry* entry) {
      if (!entry->in_text) return;
      Segment segment{entry, at, entry->comma == kNowhere ? entry->end : entry->comma + 1, false};
      AddComment(segment);
      segments_.push_back(segment);
      at = segment.end;
    });
    next_ = segments_.begin();
  }

  // Adds a comment after the entry, or after its comma, on the same line.
  void AddComment(Segment& segment) const {
    if (tree_.format == DataFormat::kJson || node_->is_pair) return;
    size_t at = segment.end;
    while (at < text_.size() && IsBlank(text_[at])) ++at;
    if (at == text_.size() || text_[at] != '#') return;
    while (at < text_.size() && yaml::BreakSize(text_.data() + at) == 0) ++at;
    segment.end = at;
    segment.ends_in_comment = true;
  }

  bool HasTrailingComma() const { return !segments_.empty() && segments_.back().entry->comma != kNowhere; }

  void Entries(size_t size) {
    size_t number = 0;
    node_->items->list.ForEach([&](const TextEntry* entry) {
      const bool in_text = entry->in_text;
      if (!entry->removed) {
        const Position position = {number == 0, number + 1 == size};
        if (in_text) {
          Old(*next_, position);
        } else {
          New(entry, position);
        }
        ++number;
      }
      if (in_text) ++next_;
    });
  }

  struct Position {
    bool first;
    bool last;
  };

  // Ends the line first if it holds a comment.
  void Lead(std::string_view lead) {
    if (in_comment_ && !HasLineEnd(lead)) out_ += StrCat(style_.line_end, style_.indent);
    out_ += lead;
    in_comment_ = false;
  }

  std::string_view FirstLead() const {
    if (segments_.empty()) return {};
    const std::string_view lead = Between(segments_.front().begin, segments_.front().entry->begin);
    return lead.find('#') == std::string_view::npos ? lead : std::string_view();
  }

  void Old(const Segment& segment, Position position) {
    const TextEntry* entry = segment.entry;
    std::string_view lead = Between(segment.begin, entry->begin);
    const bool was_first = entry == segments_.front().entry;
    if (!HasLineEnd(lead)) {
      if (position.first && !was_first && !HasLineEnd(FirstLead())) lead = FirstLead();
      if (!position.first && was_first) lead = style_.separator;
    }
    Lead(lead);
    Core(entry);
    Tail(segment, position);
    in_comment_ = segment.ends_in_comment;
  }

  void Tail(const Segment& segment, Position position) {
    const TextEntry* entry = segment.entry;
    const bool has_comma = entry->comma != kNowhere;
    if (IsBarePair(node_)) return;  // its comma belongs to the enclosing list
    const bool close = BecamePlainBeforeTab(entry);
    const bool wants_comma = !position.last || (has_comma && (HasTrailingComma() || NeedsItsComma(entry))) || close;
    if (!has_comma) {
      if (wants_comma) out_ += WouldTakeComma(entry) ? " ," : ",";
      out_ += Between(entry->end, segment.end);
      return;
    }
    if (!close) out_ += Between(entry->end, entry->comma);
    if (wants_comma) out_ += ',';
    out_ += Between(entry->comma + 1, segment.end);
  }

  // Descends through bare pairs, as in `[a: b]`, where the item has no text besides that of the pair's entry `a: b`.
  static const TextEntry* WithoutBarePairs(const TextEntry* entry) {
    while (entry->value == entry->read_value && IsBarePair(entry->value)) entry = FirstItem(entry->value);
    return entry;
  }

  // Returns true if the entry must keep its comma: without it, the text `a:` of `[a:, b]` would become a mapping. For
  // tabs see below.
  bool NeedsItsComma(const TextEntry* entry) const {
    entry = WithoutBarePairs(entry);
    const TextNode* value = entry->value;
    if (tree_.format == DataFormat::kJson || value->is_collection()) return false;
    const bool before_tab = HasTabLine(Between(entry->end, node_->end));
    if (value != entry->read_value) return before_tab;
    const bool only_name = entry->read_key != nullptr && entry->slot == entry->read_key->end;
    const TextNode* last = only_name ? entry->read_key : value;
    const bool plain = last->style == TextNode::Style::kPlain && last->content < last->end;
    const bool dash = Between(last->content, last->end) == "-";  // with a blank after it, it would start a list item
    return plain && (before_tab || dash || text_[last->end - 1] == ':');
  }

  // Go rejects a line that begins with a tab after a plain scalar, unless a comma ends the scalar.
  bool BecamePlainBeforeTab(const TextEntry* entry) const {
    entry = WithoutBarePairs(entry);
    const TextNode* value = entry->value;
    if (tree_.format == DataFormat::kJson || value == entry->read_value || value->is_collection()) return false;
    const size_t end = std::min(text_.find_first_not_of(" \t\r\n", entry->end), text_.size());
    return HasTabLine(Between(entry->end, end));
  }

  static bool IsOnlyTag(const TextNode* node) { return node->content == node->end && node->begin < node->content; }

  // After a tag or a colon without a value, the comma would become part of the tag or the name.
  bool WouldTakeComma(const TextEntry* entry) const {
    if (tree_.format == DataFormat::kJson || entry->value != entry->read_value) return false;
    while (IsBarePair(entry->read_value)) entry = FirstItem(entry->read_value);
    if (entry->value != entry->read_value) return false;
    const TextNode* value = entry->read_value;
    const bool colon = entry->read_key != nullptr && entry->slot > entry->read_key->end;
    return IsOnlyTag(value) || (colon && value->begin == value->end);
  }

  // Returns true for a pair in a list, as in `[a: b]`, that is still written without braces.
  static bool IsBarePair(const TextNode* node) {
    return node->is_pair && node->items->list.size() == 1 && FirstItem(node)->in_text;
  }

  static const TextEntry* FirstItem(const TextNode* node) { return node->items->list.At(0); }

  void New(const TextEntry* entry, Position position) {
    if (style_.in_lines) {
      Lead(StrCat(style_.line_end, style_.indent));
    } else {
      Lead(position.first ? FirstLead() : std::string_view(style_.separator));
    }
    out_ += FlowEntryText(entry, value_style_);
    const bool plain = !entry->value->is_collection() && !segments_.empty() && tree_.format == DataFormat::kYaml;
    const bool before_tab = plain && !node_->is_pair && HasTabLine(Between(segments_.back().end, node_->end - 1));
    if (!position.last || HasTrailingComma() || before_tab) out_ += ',';
  }

  // In `*x :a`, if a text replaces the alias, the colon needs a space after it.
  static bool IsGlued(const TextEntry* entry) {
    const TextNode* value = entry->read_value;
    return value->begin == entry->slot && value->begin < value->end;
  }

  // The entry itself, without its surroundings.
  void Core(const TextEntry* entry) {
    const TextNode* value = entry->value;
    size_t at = entry->begin;
    if (entry->key != entry->read_key) {
      out_ += StrCat(Between(at, entry->read_key->begin), ScalarLine(entry->key, style_));
      at = entry->read_key->end;
      if (value == entry->read_value && IsGlued(entry)) {
        out_ += StrCat(Between(at, entry->slot), " ");
        at = entry->slot;
      }
    }
    if (value != entry->read_value) return Replaced(entry, at);
    if (!value->changed) {
      out_ += Between(at, entry->end);
      return;
    }
    out_ += Between(at, value->content);
    AppendFlow(tree_, value, value_style_, out_);
    out_ += Between(value->end, entry->end);
  }

  void Replaced(const TextEntry* entry, size_t at) {
    const TextNode* old = entry->read_value;
    const bool no_colon = entry->key != nullptr && entry->slot == entry->read_key->end;
    // A multi-line key needs the `?` once it has a value.
    if (no_colon && entry->begin == entry->read_key->begin && HasLineEnd(Between(at, old->begin))) out_ += "? ";
    out_ += Between(at, old->begin);
    if (no_colon) {
      out_ += IsOnlyTag(entry->read_key) ? " : " : ": ";
    } else if (tree_.format == DataFormat::kYaml && entry->key != nullptr && old->begin == entry->slot &&
               !IsQuoteAt(entry->read_key->end - 1)) {
      out_ += ' ';
    }
    out_ += FlowText(entry->value, Styled(old));
    out_ += Between(old->end, entry->end);
    const bool comment = old->end < text_.size() && text_[old->end] == '#';
    if (comment) out_ += ' ';
  }

  bool IsQuoteAt(size_t at) const { return text_[at] == '"' || text_[at] == '\''; }

  // The new value keeps the quotes of the old one.
  FlowStyle Styled(const TextNode* old) const {
    FlowStyle style = value_style_;
    if (old->style == TextNode::Style::kDoubleQuoted) style.quotes = Quotes::kDouble;
    if (old->style == TextNode::Style::kSingleQuoted) style.quotes = Quotes::kSingle;
    return style;
  }

  void Close(size_t size) {
    const std::string_view end = node_->kind == TextNode::Kind::kMapping ? "}" : "]";
    if (size == 0 || node_->is_pair) {
      out_ += end;
    } else if (segments_.empty()) {
      if (style_.in_lines) out_ += StrCat(style_.line_end, OuterIndent());
      out_ += end;
    } else {
      const std::string_view rest = Between(segments_.back().end, node_->end - 1);
      if (in_comment_ && !HasLineEnd(rest)) out_ += StrCat(style_.line_end, style_.indent);
      out_ += rest;
      out_ += end;
    }
  }

  std::string_view OuterIndent() const {
    std::string_view indent = style_.indent;
    indent.remove_suffix(std::min(style_.unit.size(), indent.size()));
    return indent;
  }

  const TextTree& tree_;
  std::string_view text_;
  const TextNode* node_;
  FlowStyle style_;
  FlowStyle value_style_;  // of the entries' values
  std::string& out_;
  std::vector<Segment> segments_;
  std::vector<Segment>::const_iterator next_;
  bool in_comment_ = false;
};

// The first and the last entries that are in the text.
struct Ends {
  const TextEntry* first = nullptr;
  const TextEntry* before_last = nullptr;
  const TextEntry* last = nullptr;
};
Ends EndsOf(const TextNode* node) {
  Ends ends;
  node->items->list.ForEach([&](const TextEntry* entry) {
    if (!entry->in_text) return;
    if (ends.first == nullptr) ends.first = entry;
    ends.before_last = ends.last;
    ends.last = entry;
  });
  return ends;
}

// Returns the text between name and value, nullopt if new entries should not copy it.
std::optional<std::string> ColonOf(std::string_view text, const TextEntry* entry) {
  if (entry->read_key == nullptr || entry->slot == entry->read_key->end) return std::nullopt;
  if (entry->read_value->begin == entry->read_value->end) return std::nullopt;
  const std::string_view colon = text.substr(entry->read_key->end, entry->read_value->begin - entry->read_key->end);
  if (colon.find_first_not_of(": ") != std::string_view::npos) return std::nullopt;
  return std::string(colon);
}

bool IsDoubleQuoted(const TextNode* node) { return node != nullptr && node->style == TextNode::Style::kDoubleQuoted; }

}  // namespace

FlowStyle DefaultFlowStyle(const TextTree& tree) {
  FlowStyle style;
  style.format = tree.format;
  style.line_end = tree.line_end;
  if (tree.format != DataFormat::kJson) return style;
  style.colon = ":";
  for (const TextEntry& entry : tree.entries) {
    if (!entry.in_text || entry.read_key == nullptr) continue;
    style.colon = ColonOf(tree.text, &entry).value_or(":");
    break;
  }
  style.separator = style.colon.ends_with(' ') ? " " : "";
  style.quotes = Quotes::kDouble;
  return style;
}

FlowStyle FlowStyleOf(const TextTree& tree, const TextNode* node, const FlowStyle& outer) {
  const std::string_view text = tree.text;
  FlowStyle style = outer;
  style.indent += outer.unit;
  if (!node->in_text || node->is_pair) return style;
  const Ends ends = EndsOf(node);
  if (ends.last == nullptr) return style;
  const size_t last_lead = ends.before_last == nullptr           ? node->content + 1
                           : ends.before_last->comma == kNowhere ? ends.before_last->end
                                                                 : ends.before_last->comma + 1;
  const std::string_view lead = text.substr(last_lead, ends.last->begin - last_lead);
  style.in_lines = HasLineEnd(lead);
  if (style.in_lines) {
    style.indent = LastIndent(lead);
    const std::string_view line = LineIndent(text, node->content);
    if (style.indent.starts_with(line) && style.indent.size() > line.size())
      style.unit = style.indent.substr(line.size());
  } else if (ends.before_last != nullptr && lead.find_first_not_of(' ') == std::string_view::npos) {
    style.separator = lead;
  }
  style.colon = ColonOf(text, ends.first).value_or(style.colon);
  if (tree.format == DataFormat::kYaml) {
    const bool quoted = IsDoubleQuoted(ends.first->read_key != nullptr ? ends.first->read_key : ends.first->read_value);
    const bool tells = ends.first->read_key != nullptr || ends.first->read_value->kind == TextNode::Kind::kScalar;
    if (tells) style.quotes = quoted ? Quotes::kDouble : Quotes::kNone;
  }
  return style;
}

void AppendFlow(const TextTree& tree, const TextNode* node, const FlowStyle& outer, std::string& out) {
  FlowWriter(tree, node, outer, out).Write();
}

}  // namespace smp
