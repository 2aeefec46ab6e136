#include "edit/flow_writer.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "yaml/characters.h"

namespace smp::edit {

namespace {

bool HasLineEnd(std::string_view text) { return text.find_first_of("\r\n") != std::string_view::npos; }

// Returns the part of `blanks` after the last line end; "" if there is no line end.
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
  for (const TextEntry* entry = node->first; entry != nullptr; entry = entry->next) {
    const TextNode* value = entry->value;
    const std::string_view inside = text.substr(value->content, value->end - value->content);
    if (value->is_collection() && inside.size() > 2) return !HasLineEnd(inside);
  }
  return false;
}

bool IsOnlyTag(const TextNode* node) { return node->content == node->end && node->begin < node->content; }

// An entry with what surrounds it in the text: [begin, entry) is its lead, [entry end, end) its comma and comment.
struct Segment {
  size_t begin = 0;
  size_t end = 0;
  bool ends_in_comment = false;
};

class FlowWriter {
 public:
  FlowWriter(const TextTree& tree, Slots& slots, Draft& collection, const FlowStyle& outer, TextChanges& changes)
      : tree_(tree),
        text_(tree.text),
        slots_(slots),
        node_(collection.origin),
        entries_(slots.Of(collection)),
        live_(static_cast<size_t>(std::ranges::count(entries_, false, &Slot::removed))),
        style_(FlowStyleOf(tree, node_, outer)),
        value_style_(style_),
        changes_(changes) {
    if (style_.in_lines && HoldsOneLiners(text_, node_)) value_style_.in_lines = false;
  }

  void Write() {
    const bool is_map = node_->kind == TextNode::Kind::kMapping;
    const bool gets_brackets = node_->is_pair && !IsBarePair(node_, entries_);
    if (gets_brackets) changes_.Insert(node_->content, "{");
    if (live_ == 0) {
      changes_.Remove(Inside(), InsideEnd());
    } else if (node_->first == nullptr) {
      Fill();
    } else {
      Entries();
    }
    if (gets_brackets) changes_.Insert(node_->end, is_map ? "}" : "]");
  }

 private:
  std::string_view Between(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }
  bool IsJson() const { return tree_.format == DataFormat::kJson; }
  bool IsList() const { return node_->kind == TextNode::Kind::kSequence; }

  // The offsets just inside the brackets; a pair as in `[a: b]` has no brackets.
  size_t Inside() const { return node_->is_pair ? node_->content : node_->content + 1; }
  size_t InsideEnd() const { return node_->is_pair ? node_->end : node_->end - 1; }

  struct Position {
    bool first;
    bool last;
  };

  // Writes all entries into brackets that were empty.
  void Fill() {
    std::string text;
    for (size_t i = 0; i < entries_.size(); ++i) text += NewText(*entries_[i].now, {i == 0, i + 1 == live_});
    if (style_.in_lines) text += StrCat(style_.line_end, OuterIndent());
    changes_.Replace(Inside(), InsideEnd(), text);
  }

  void Entries() {
    size_t at = Inside();
    size_t number = 0;
    for (const Slot& slot : entries_) {
      const Position position = {number == 0, number + 1 == live_};
      if (!slot.removed) ++number;
      if (slot.is_new()) {
        changes_.Insert(at, EndComment(NewText(*slot.now, position)));
        continue;
      }
      const Segment segment = SegmentOf(slot.old, at);
      at = segment.end;
      if (slot.removed) {
        changes_.Remove(segment.begin, segment.end);
      } else {
        Old(slot, segment, position);
      }
    }
    if (in_comment_ && !HasLineEnd(Between(at, InsideEnd()))) changes_.Insert(at, NewLine());
  }

  Segment SegmentOf(const TextEntry* entry, size_t begin) const {
    Segment segment = {begin, entry->comma == kNowhere ? entry->end : entry->comma + 1};
    AddComment(segment);
    return segment;
  }

  // Adds a comment after the entry, or after its comma, on the same line.
  void AddComment(Segment& segment) const {
    if (IsJson() || node_->is_pair) return;
    size_t at = segment.end;
    while (at < text_.size() && yaml::IsBlank(text_[at])) ++at;
    if (at == text_.size() || text_[at] != '#') return;
    while (at < text_.size() && yaml::BreakSize(text_.data() + at) == 0) ++at;
    segment.end = at;
    segment.ends_in_comment = true;
  }

  std::string NewLine() const { return StrCat(style_.line_end, style_.indent); }

  // Returns `text`, with a line end before it if the line so far ends in a comment.
  std::string EndComment(std::string_view text) {
    const bool ends = std::exchange(in_comment_, false) && !HasLineEnd(text);
    return ends ? StrCat(NewLine(), text) : std::string(text);
  }

  std::string_view FirstLead() const {
    if (node_->first == nullptr) return {};
    const std::string_view lead = Between(Inside(), node_->first->begin);
    return lead.find('#') == std::string_view::npos ? lead : std::string_view();
  }

  void Old(const Slot& slot, const Segment& segment, Position position) {
    std::string_view lead = Between(segment.begin, slot.old->begin);
    const bool was_first = slot.old == node_->first;
    if (!HasLineEnd(lead)) {
      if (position.first && !was_first && !HasLineEnd(FirstLead())) lead = FirstLead();
      if (!position.first && was_first) lead = style_.separator;
    }
    const std::string new_lead = EndComment(lead);
    if (new_lead != Between(segment.begin, slot.old->begin)) {
      changes_.Replace(segment.begin, slot.old->begin, new_lead);
    }
    if (!slot.is_kept()) Core(slot);
    Tail(slot, position);
    in_comment_ = segment.ends_in_comment;
  }

  bool HasTrailingComma() const { return node_->last != nullptr && node_->last->comma != kNowhere; }

  void Tail(const Slot& slot, Position position) {
    if (node_->is_pair && IsBarePair(node_, entries_)) return;  // its comma belongs to the enclosing list
    const TextEntry* entry = slot.old;
    const bool has_comma = entry->comma != kNowhere;
    const bool close = BecamePlainBeforeTab(slot);
    const bool wants_comma = !position.last || (has_comma && (HasTrailingComma() || NeedsItsComma(slot))) || close;
    if (!has_comma) {
      if (wants_comma) changes_.Insert(entry->end, WouldTakeComma(slot) ? " ," : ",");
    } else if (close) {
      changes_.Remove(entry->end, entry->comma);
    } else if (!wants_comma) {
      changes_.Remove(entry->comma, entry->comma + 1);
    }
  }

  // Returns true for a pair in a list, as in `[a: b]`, that is still written without braces.
  static bool IsBarePair(const TextNode* node, const std::vector<Slot>& entries) {
    return node->is_pair && entries.size() == 1 && !entries.front().removed;
  }

  // Descends through bare pairs, as in `[a: b]`, where the item has no text besides that of the pair's entry `a: b`.
  Slot WithoutBarePairs(Slot slot) const {
    while (!slot.is_replaced() && slot.old->value->is_pair) {
      if (slot.now == nullptr || IsAsInText(*slot.now)) {
        slot = {slot.old->value->first};
        continue;
      }
      const std::vector<Slot> inner = slots_.Of(*slot.now);
      if (!IsBarePair(slot.old->value, inner)) break;
      slot = inner.front();
    }
    return slot;
  }

  // Returns true if the entry must keep its comma: without it, the scalar `a:` in `[a:, b]` would become a mapping. For
  // tabs see BecamePlainBeforeTab.
  bool NeedsItsComma(const Slot& whole) const {
    if (IsJson()) return false;
    const Slot slot = WithoutBarePairs(whole);
    const TextEntry* entry = slot.old;
    const bool before_tab = HasTabLine(Between(entry->end, node_->end));
    if (slot.is_replaced()) return before_tab && !IsCollection(*slot.now);
    if (entry->value->is_collection()) return false;
    const bool only_name = entry->key != nullptr && entry->slot == entry->key->end;
    const TextNode* last = only_name ? entry->key : entry->value;
    const bool plain = last->style == TextNode::Style::kPlain && last->content < last->end;
    const bool dash = Between(last->content, last->end) == "-";  // followed by a blank, it would start a list item
    return plain && (before_tab || dash || text_[last->end - 1] == ':');
  }

  // Go rejects a line that begins with a tab after a plain scalar, unless a comma ends the scalar.
  bool BecamePlainBeforeTab(const Slot& whole) const {
    if (IsJson() || whole.is_kept()) return false;
    const Slot slot = WithoutBarePairs(whole);
    if (!slot.is_replaced() || IsCollection(*slot.now)) return false;
    const size_t end = std::min(text_.find_first_not_of(" \t\r\n", slot.old->end), text_.size());
    return HasTabLine(Between(slot.old->end, end));
  }

  // Returns true for an entry that ends in a tag, or in a colon without a value: a comma would be read as a part of it.
  bool WouldTakeComma(const Slot& whole) const {
    if (IsJson()) return false;
    const Slot slot = WithoutBarePairs(whole);
    if (slot.is_replaced()) return false;
    const TextNode* value = slot.old->value;
    const bool colon = slot.old->key != nullptr && slot.old->slot > slot.old->key->end;
    return IsOnlyTag(value) || (colon && value->begin == value->end);
  }

  std::string NewText(Draft& entry, Position position) {
    std::string text = style_.in_lines ? NewLine() : std::string(position.first ? FirstLead() : style_.separator);
    text += FlowEntryText(entry, IsList(), value_style_);
    const bool after_text = !IsCollection(entry) && node_->last != nullptr && !IsJson() && !node_->is_pair;
    const bool before_tab = after_text && HasTabLine(Between(SegmentOf(node_->last, 0).end, InsideEnd()));
    if (!position.last || HasTrailingComma() || before_tab) text += ',';
    return text;
  }

  // Writes the changes of the entry itself, without the text around it.
  void Core(const Slot& slot) {
    const TextEntry* entry = slot.old;
    if (slot.now->new_key) {
      changes_.Replace(entry->key->begin, entry->key->end, KeyLine(*slot.now, style_));
      // In `*x :a`, if a copied key replaces the alias, the colon needs a space after it.
      const bool is_glued = entry->value->begin == entry->slot && entry->value->begin < entry->value->end;
      if (!slot.is_replaced() && is_glued) changes_.Insert(entry->slot, " ");
    }
    if (slot.is_replaced()) return Replaced(entry, *slot.now);
    if (slot.now->changed) RewriteFlow(tree_, slots_, *slot.now, value_style_, changes_);
  }

  void Replaced(const TextEntry* entry, Draft& value) {
    const TextNode* old = entry->value;
    const bool no_colon = entry->key != nullptr && entry->slot == entry->key->end;
    // A multi-line key without a value needs a `?` once a value is added.
    if (no_colon && entry->begin == entry->key->begin && HasLineEnd(Between(entry->begin, old->begin))) {
      changes_.Insert(entry->begin, "? ");
    }
    std::string text;
    if (no_colon) {
      text = IsOnlyTag(entry->key) ? " : " : ": ";
    } else if (!IsJson() && entry->key != nullptr && old->begin == entry->slot && !IsQuoteAt(entry->key->end - 1)) {
      text = " ";
    }
    text += FlowText(value, Styled(old));
    if (old->end < text_.size() && text_[old->end] == '#') text += ' ';
    changes_.Replace(old->begin, old->end, text);
  }

  bool IsQuoteAt(size_t at) const { return text_[at] == '"' || text_[at] == '\''; }

  // Returns the style for a value that replaces `old`: with the same quotes.
  FlowStyle Styled(const TextNode* old) const {
    FlowStyle style = value_style_;
    if (old->style == TextNode::Style::kDoubleQuoted) style.quotes = Quotes::kDouble;
    if (old->style == TextNode::Style::kSingleQuoted) style.quotes = Quotes::kSingle;
    return style;
  }

  std::string_view OuterIndent() const {
    std::string_view indent = style_.indent;
    indent.remove_suffix(std::min(style_.unit.size(), indent.size()));
    return indent;
  }

  const TextTree& tree_;
  std::string_view text_;
  Slots& slots_;
  const TextNode* node_;
  std::vector<Slot> entries_;
  size_t live_;
  FlowStyle style_;
  FlowStyle value_style_;  // for the values of the entries
  TextChanges& changes_;
  bool in_comment_ = false;  // the last entry ends in a comment
};

// Returns the entry before the last.
const TextEntry* BeforeLast(const TextNode* node) {
  const TextEntry* entry = node->first;
  if (entry == node->last) return nullptr;
  while (entry->next != node->last) entry = entry->next;
  return entry;
}

// Returns the text between key and value; nullopt if new entries should not copy it.
std::optional<std::string> ColonOf(std::string_view text, const TextEntry* entry) {
  if (entry->key == nullptr || entry->slot == entry->key->end) return std::nullopt;
  if (entry->value->begin == entry->value->end) return std::nullopt;
  const std::string_view colon = text.substr(entry->key->end, entry->value->begin - entry->key->end);
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
    if (entry.key == nullptr) continue;
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
  if (node->is_pair || node->first == nullptr) return style;
  const TextEntry* first = node->first;
  const TextEntry* before = BeforeLast(node);
  const size_t last_lead = before == nullptr           ? node->content + 1
                           : before->comma == kNowhere ? before->end
                                                       : before->comma + 1;
  const std::string_view lead = text.substr(last_lead, node->last->begin - last_lead);
  style.in_lines = HasLineEnd(lead);
  if (style.in_lines) {
    style.indent = LastIndent(lead);
    const std::string_view line = LineIndent(text, node->content);
    if (style.indent.starts_with(line) && style.indent.size() > line.size())
      style.unit = style.indent.substr(line.size());
  } else if (before != nullptr && lead.find_first_not_of(' ') == std::string_view::npos) {
    style.separator = lead;
  }
  style.colon = ColonOf(text, first).value_or(style.colon);
  if (tree.format == DataFormat::kYaml) {
    const bool quoted = IsDoubleQuoted(first->key != nullptr ? first->key : first->value);
    const bool tells = first->key != nullptr || first->value->kind == TextNode::Kind::kScalar;
    if (tells) style.quotes = quoted ? Quotes::kDouble : Quotes::kNone;
  }
  return style;
}

void RewriteFlow(const TextTree& tree, Slots& slots, Draft& collection, const FlowStyle& outer, TextChanges& changes) {
  FlowWriter(tree, slots, collection, outer, changes).Write();
}

}  // namespace smp::edit
