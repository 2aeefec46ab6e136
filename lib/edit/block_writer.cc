#include "edit/block_writer.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "edit/flow_writer.h"
#include "edit/scalar_rewriter.h"
#include "edit/text_lines.h"
#include "edit/text_reader.h"
#include "value/equality.h"

namespace smp::edit {

namespace {

using NodeKind = TextNode::Kind;
using Style = TextNode::Style;

bool IsBlockCollection(const TextNode* node) { return node->is_collection() && node->style == Style::kBlock; }
bool IsBlockScalar(const TextNode* node) { return node->style == Style::kLiteral || node->style == Style::kFolded; }
std::string_view Brackets(const TextNode* node) { return node->kind == NodeKind::kMapping ? "{}" : "[]"; }
// Returns the offset after the colon or dash, or after the value's anchor and tag if it has them.
size_t HeaderOf(const TextEntry* entry) { return std::max(entry->slot, entry->value->after_properties); }

Quotes QuotesOf(const TextNode* node) {
  if (node->style == Style::kDoubleQuoted) return Quotes::kDouble;
  return node->style == Style::kSingleQuoted ? Quotes::kSingle : Quotes::kNone;
}

bool HasEntries(Draft& draft) { return IsCollection(draft) && !IsEmpty(draft); }

// The last scalar or empty collection in a value: `node` if it is in the text, else the new value.
struct Last {
  const TextNode* node = nullptr;
  const Draft* draft = nullptr;
};

// Which blank lines after a block scalar are read as a part of it: all of them if it keeps them (`|+`), else those with
// more spaces than its indentation.
enum class Swallows { kUnknown, kNothing, kSpaces, kBlank };

constexpr size_t kNoGap = std::string_view::npos;

class BlockWriter {
 public:
  explicit BlockWriter(DraftDocument& document)
      : tree_(*document.tree),
        root_(document.root),
        lines_(tree_),
        slots_(document),
        flow_style_(DefaultFlowStyle(tree_)) {
    block_style_.line_end = tree_.line_end;
    FindIndentation();
  }

  std::string Write() {
    if (IsInPlace(root_)) {
      OldRoot();
    } else {
      NewRoot();
    }
    EndOpenScalar();
    return WithFormerEnd(changes_.AppliedTo(lines_.text()));
  }

 private:
  // --- Properties of the text

  // Uses the indentation of the first mapping below a key, and of the first list below a key, for new ones.
  void FindIndentation() {
    bool mapping = false;
    bool list = false;
    for (const TextEntry& entry : tree_.entries) {
      if (mapping && list) return;
      const TextNode* value = entry.value;
      if (entry.key == nullptr || !IsBlockCollection(value) || !lines_.HasLineEnd(entry.slot, value->content)) continue;
      const size_t depth = lines_.Column(value->content) - lines_.Column(entry.begin);
      if (value->kind == NodeKind::kMapping && !std::exchange(mapping, true)) block_style_.step = depth;
      if (value->kind == NodeKind::kSequence && !std::exchange(list, true)) block_style_.list_offset = depth;
    }
  }

  static const TextNode* LastOf(const TextNode* node) {
    while (node->is_collection() && node->last != nullptr) node = node->last->value;
    return node;
  }

  Last LastOf(const Slot& slot) { return slot.now != nullptr ? LastOf(*slot.now) : Last{LastOf(slot.old->value)}; }

  Last LastOf(Draft& draft) {
    if (IsAsInText(draft)) return {LastOf(draft.place->value)};
    if (!IsInPlace(draft)) {
      if (!HasEntries(draft)) return {nullptr, &draft};
      return LastOf(*ChildrenOf(draft).back());
    }
    const std::vector<Slot> slots = slots_.Of(draft);
    const auto last = std::find_if(slots.rbegin(), slots.rend(), [](const Slot& slot) { return !slot.removed; });
    if (last == slots.rend()) return {nullptr, &draft};
    return LastOf(*last);
  }

  std::string_view HeaderText(const TextNode* scalar) const { return BlockHeader(lines_.text(), scalar); }

  Swallows SwallowsAfter(const Last& last) const {
    if (const auto at = rewritten_.find(last.draft); at != rewritten_.end()) {
      const bool is_block = at->second != RewrittenAs::kQuoted;
      return at->second == RewrittenAs::kKeepingBlock ? Swallows::kBlank
             : is_block                               ? Swallows::kSpaces
                                                      : Swallows::kNothing;
    }
    if (last.node == nullptr) {
      const auto block = LiteralOf(*last.draft, block_style_);
      if (!block) return Swallows::kNothing;
      return block->final_breaks < 2 ? Swallows::kSpaces : Swallows::kBlank;
    }
    if (!IsBlockScalar(last.node)) return Swallows::kNothing;
    return HeaderText(last.node).find('+') != std::string_view::npos ? Swallows::kBlank : Swallows::kSpaces;
  }

  // Returns the block scalar that ends the text if that has no final line end (which would change it); else nullptr.
  const TextNode* OpenScalar() const {
    if (!lines_.was_open()) return nullptr;
    const TextNode* node = LastOf(tree_.root());
    const TextEntry* entry = node->entry;
    if (entry != nullptr && entry->key != nullptr && entry->slot == entry->key->end) node = entry->key;
    return IsBlockScalar(node) && node->end == lines_.read_size() ? node : nullptr;
  }

  // If new text follows OpenScalar(), changes its header to `|-` or `>-`, so that its value still has no line end.
  void EndOpenScalar() {
    const TextNode* open = OpenScalar();
    if (open == nullptr || open == rewritten_open_ || !changes_.Inserts(open->end)) return;
    if (changes_.Removes(open->content)) return;
    const std::string_view header = HeaderText(open);
    const size_t plus = header.find('+');
    if (plus != std::string_view::npos) {
      changes_.Replace(open->content + plus, open->content + plus + 1, "-");
    } else if (header.find('-') == std::string_view::npos) {
      changes_.Insert(open->content + 1, "-");
    }
  }

  // Takes the last line end away if the text had none, unless it has become a part of a block scalar.
  std::string WithFormerEnd(std::string out) const {
    if (!lines_.was_open() || !out.ends_with(tree_.line_end)) return out;
    const std::string_view open = std::string_view(out).substr(0, out.size() - tree_.line_end.size());
    const auto read = ReadYamlText(open);
    Arena arena;
    const bool same = read.ok() && SameByNumber(ValueOf((*read)->root(), arena), ValueOf(root_, arena));
    return same ? std::string(open) : out;
  }

  BlockStyle StyleOf(const TextNode* node) const {
    BlockStyle style = block_style_;
    if (node->first != nullptr && node->first->key != nullptr) style.key_quotes = QuotesOf(node->first->key);
    return style;
  }

  BlockStyle WithLiterals(bool allowed) const {
    BlockStyle style = block_style_;
    if (!allowed) style.literals = Literals::kForbidden;
    return style;
  }

  // Returns the style for a text that the line at `below` follows.
  BlockStyle Keeping(BlockStyle style, size_t below) const {
    style.may_keep = !lines_.IsBlank(below) || below == lines_.text().size();
    return style;
  }

  // --- Block collections

  // Returns true if the collection begins on the line of the dash before it.
  bool IsCompact(const TextNode* node) const { return !lines_.IsFirst(node->content); }

  // Returns where the lines with the entries begin. `header`: see HeaderOf.
  size_t LinesOf(const TextNode* node, size_t header) const {
    if (IsCompact(node)) return node->content;
    const bool at_beginning = header == tree_.begin && !lines_.HasLineEnd(header, node->content);
    return at_beginning || lines_.Begin(header) == header ? header : lines_.Next(header);
  }

  size_t TailOf(const TextEntry* entry) const {
    return lines_.TailOf(entry->end, lines_.Column(entry->parent->content));
  }
  // Returns where the lines of a block collection end.
  size_t EndOf(const TextNode* node) const { return lines_.TailOf(node->end, lines_.Column(node->content)); }

  // Returns where the lines that an entry owns begin. `at`: where those of the previous entry end.
  size_t LeadOf(const TextEntry* entry, size_t at) const {
    return IsCompact(entry->parent) && entry == entry->parent->first ? at : lines_.LeadOf(entry->begin, at);
  }

  static bool HasLive(const std::vector<Slot>& slots) {
    return std::any_of(slots.begin(), slots.end(), [](const Slot& slot) { return !slot.removed; });
  }

  // Writes the changes of the entries. `begin`: where their lines begin. REQUIRES: at least one entry is not removed.
  void Entries(const TextNode* node, const std::vector<Slot>& slots, size_t begin) {
    Walk walk{node, begin, lines_.Column(node->content), StyleOf(node)};
    const bool moves = std::ranges::any_of(slots, [](const Slot& slot) { return slot.moved != nullptr; });
    const LinesByEntry lines = moves && !IsCompact(node) ? LinesOfEntries(node, begin) : LinesByEntry();
    for (const Slot& slot : slots) {
      const auto own = lines.find(slot.moved);
      if (own != lines.end() && IsAsInText(*slot.now)) {
        Moved(walk, own->second);
      } else if (slot.is_new()) {
        Added(walk, *slot.now);
      } else if (slot.removed) {
        Removed(walk, slot.old);
      } else {
        Stays(walk, slot);
      }
      if (!slot.is_new()) walk.at = TailOf(slot.old);
      if (slot.removed) continue;
      walk.before = &slot;
      walk.swallows = Swallows::kUnknown;
    }
  }

  // The state while visiting the entries of a collection.
  struct Walk {
    const TextNode* node;
    size_t at;  // where the lines of the last visited entry of the text end
    size_t column;
    BlockStyle style;
    const Slot* before = nullptr;            // the last visited entry that is not removed
    Swallows swallows = Swallows::kUnknown;  // whether `before` would swallow blank lines after it
    size_t gap = kNoGap;  // if the first entries of a compact collection are removed: where the next text moves to
  };

  void Added(Walk& walk, Draft& entry) {
    BlockStyle style = walk.style;
    if (lines_.HasSpacesIn(walk.at)) style.literals = Literals::kForbidden;
    style = Keeping(style, walk.at);
    const TextNode* node = walk.node;
    const std::string text = BlockEntryText(entry, node->kind == NodeKind::kSequence, walk.column, style);
    if (walk.gap != kNoGap) {
      return changes_.Replace(std::exchange(walk.gap, kNoGap), walk.at, StrCat(text, tree_.line_end));
    }
    const bool is_first = walk.at <= node->content;
    if (is_first && IsCompact(node)) {
      return changes_.Insert(node->content, StrCat(text, tree_.line_end, Spaces(walk.column)));
    }
    // Comments at the top of the collection stay at the top.
    changes_.Insert(is_first ? LeadOf(node->first, walk.at) : walk.at,
                    StrCat(Spaces(walk.column), text, tree_.line_end));
  }

  using LinesByEntry = std::unordered_map<const TextEntry*, std::string_view>;

  // Returns the lines that each entry owns. `begin`: where the first of them begins.
  LinesByEntry LinesOfEntries(const TextNode* node, size_t begin) const {
    LinesByEntry out;
    ForEachEntry(node, [&](const TextEntry* entry) {
      const size_t end = TailOf(entry);
      out.emplace(entry, lines_.Between(LeadOf(entry, begin), end));
      begin = end;
    });
    return out;
  }

  void Moved(Walk& walk, std::string_view lines) {
    const bool is_first = walk.at <= walk.node->content;
    changes_.Insert(is_first ? LeadOf(walk.node->first, walk.at) : walk.at, lines);
  }

  void Removed(Walk& walk, const TextEntry* entry) {
    const size_t lead = LeadOf(entry, walk.at);
    CloseGap(walk, lead);
    if (IsCompact(walk.node) && entry == walk.node->first) walk.gap = lead;
    if (walk.gap != kNoGap) return;
    const size_t tail = TailOf(entry);
    changes_.Remove(lead, tail);
    if (walk.before == nullptr || !lines_.AreBlank(walk.at, lead)) return;
    if (walk.swallows == Swallows::kUnknown) walk.swallows = SwallowsAfter(LastOf(*walk.before));
    RemoveSwallowed(walk.swallows, tail);
  }

  // Removes blank lines that would now follow a block scalar and become a part of it.
  void RemoveSwallowed(Swallows swallows, size_t at) {
    if (swallows == Swallows::kNothing) return;
    for (size_t line = at; line < lines_.text().size() && lines_.IsBlank(line); line = lines_.Next(line)) {
      if (swallows == Swallows::kBlank || lines_.End(line) > line) changes_.Remove(line, lines_.Next(line));
    }
  }

  void Stays(Walk& walk, const Slot& slot) {
    CloseGap(walk, slot.old->begin + 1);
    if (!slot.is_kept()) Entry(slot);
  }

  // Moves the following text to the gap, if text other than blanks comes before `end`.
  void CloseGap(Walk& walk, size_t end) {
    const size_t visible = lines_.text().find_first_not_of(" \r\n", walk.at);
    if (walk.gap != kNoGap && visible < end) changes_.Remove(std::exchange(walk.gap, kNoGap), visible);
  }

  void Entry(const Slot& slot) {
    const TextEntry* entry = slot.old;
    Draft& now = *slot.now;
    if (now.new_key) {
      changes_.Replace(entry->key->begin, entry->key->end, KeyLine(now, YamlPlace::kBlock, Quotes::kNone));
    }
    if (slot.is_replaced()) return Replaced(entry, now);
    if (!now.changed) return;
    if (entry->value->style == Style::kFlow) return RewriteFlow(tree_, slots_, now, flow_style_, changes_);
    const std::vector<Slot> slots = slots_.Of(now);
    const size_t begin = LinesOf(entry->value, HeaderOf(entry));
    return HasLive(slots) ? Entries(entry->value, slots, begin) : Emptied(entry, begin);
  }

  // Removes all entries, but no comments that belong to none of them. Returns where the first entry began.
  size_t RemoveAll(const TextNode* node, size_t begin) {
    size_t at = begin;
    ForEachEntry(node, [&](const TextEntry* entry) {
      changes_.Remove(LeadOf(entry, at), TailOf(entry));
      at = TailOf(entry);
    });
    return LeadOf(node->first, begin);
  }

  // Changes `key:` and the entries below it to `key: {}` or `key: []`.
  void Emptied(const TextEntry* entry, size_t begin) {
    const std::string_view brackets = Brackets(entry->value);
    const size_t first = RemoveAll(entry->value, begin);
    if (IsCompact(entry->value)) {
      changes_.Insert(first, StrCat(brackets, tree_.line_end));
    } else {
      changes_.Insert(HeaderOf(entry), StrCat(" ", brackets));
    }
  }

  // --- Values that were replaced

  // Writes the new value where the old one was, on the same line where possible.
  void Replaced(const TextEntry* entry, Draft& value) {
    const TextNode* old = entry->value;
    if (entry->key != nullptr && entry->slot == entry->key->end) return WithColon(entry, value);
    if (StaysInLines(old, value)) return;
    if (HasEntries(value) && !StaysFlow(entry, value)) return ReplacedByBlock(entry, value);
    if (!IsBlockCollection(old)) return ReplacedInLine(entry, value);
    const size_t end = EndOf(old);
    const std::string text = ValueText(entry, value, StyleBefore(end, entry));
    const std::string_view comment = IsCompact(old) ? std::string_view() : CommentAfter(HeaderOf(entry));
    changes_.Replace(entry->slot, end, StrCat(Commented(text, comment), tree_.line_end));
  }

  // Returns true if the new text was written into the lines of the old one.
  bool StaysInLines(const TextNode* old, const Draft& value) {
    if (IsCollection(value) || !ScalarOf(value).is_string()) return false;
    const RewrittenAs now = RewriteLines(tree_, lines_, old, ScalarOf(value).AsString(), changes_);
    if (now == RewrittenAs::kNothing) return false;
    rewritten_[&value] = now;
    if (old == OpenScalar()) rewritten_open_ = old;
    return true;
  }

  // Adds a line with a colon and the value to a `? key` that has no value.
  void WithColon(const TextEntry* entry, Draft& value) {
    const size_t line_end = lines_.End(entry->slot);
    const size_t column = lines_.Column(entry->begin);
    const BlockStyle style = StyleBefore(lines_.Next(line_end), entry);
    changes_.Insert(line_end, StrCat(lines_.Begin(line_end) == line_end ? "" : tree_.line_end, Spaces(column), ":",
                                     BlockValueText(value, true, column, style)));
  }

  bool StaysFlow(const TextEntry* entry, const Draft& value) const {
    const TextNode* old = entry->value;
    return old->style == Style::kFlow && old->first != nullptr && (old->kind == NodeKind::kSequence) == IsList(value);
  }

  std::string_view CommentAfter(size_t at) const { return lines_.Between(at, lines_.End(at)); }

  // The comment on the last line of a value, or after the header of a block scalar.
  std::string_view CommentOf(const TextNode* node) const {
    return CommentAfter(IsBlockScalar(node) ? node->content + HeaderText(node).size() : node->end);
  }

  // Forbids block scalars if they would swallow lines of the entry that stay after `end`, or spaces after the entry.
  BlockStyle StyleBefore(size_t end, const TextEntry* entry) const {
    const size_t tail = TailOf(entry);
    return Keeping(WithLiterals(end == tail && !lines_.HasSpacesIn(tail)), tail);
  }

  // Returns the text of the value, beginning with a space or line end.
  std::string ValueText(const TextEntry* entry, Draft& value, const BlockStyle& style) const {
    const TextNode* old = entry->value;
    if (HasEntries(value)) return " " + FlowText(value, FlowStyleOf(tree_, old, flow_style_));
    const bool in_quotes = QuotesOf(old) != Quotes::kNone && !IsCollection(value) && ScalarOf(value).is_string();
    const bool one_line = in_quotes && ScalarOf(value).AsString().find('\n') == std::string_view::npos;
    if (one_line) return " " + ScalarLine(value, YamlPlace::kBlock, QuotesOf(old));
    return BlockValueText(value, entry->key == nullptr, lines_.Column(entry->begin), style);
  }

  // Returns `text` with the comment added to its first line.
  static std::string Commented(std::string_view text, std::string_view comment) {
    const size_t head = std::min(text.find_first_of("\r\n"), text.size());
    return StrCat(text.substr(0, head), comment.starts_with('#') ? " " : "", comment, text.substr(head));
  }

  // Returns false for a value on its own line that is not deeper than its key; only a block scalar's header may be so.
  bool IsDeeper(const TextEntry* entry) const {
    const size_t old = entry->value->begin;
    return !lines_.HasLineEnd(entry->slot, old) || lines_.Column(old) > lines_.Column(entry->begin);
  }

  void ReplacedInLine(const TextEntry* entry, Draft& value) {
    const TextNode* old = entry->value;
    const std::string text = ValueText(entry, value, StyleBefore(lines_.Next(old->end), entry));
    const bool after_slot = old->begin == old->end || !IsDeeper(entry);
    const bool separated = !after_slot && old->begin > entry->slot;
    changes_.Replace(after_slot ? entry->slot : old->begin, lines_.End(old->end),
                     Commented(std::string_view(text).substr(separated ? 1 : 0), CommentOf(old)));
  }

  // Returns true if a block collection may begin on the same line: after a dash, or after a colon that begins its line.
  bool MayBeCompact(const TextEntry* entry) const { return entry->key == nullptr || lines_.IsFirst(entry->slot - 1); }

  void ReplacedByBlock(const TextEntry* entry, Draft& value) {
    const TextNode* old = entry->value;
    const bool old_block = IsBlockCollection(old);
    const bool own_line = lines_.HasLineEnd(entry->slot, old->begin) && IsDeeper(entry);
    const BlockStyle style = StyleBefore(old_block ? EndOf(old) : lines_.Next(old->end), entry);
    if (own_line && !old_block && old->begin < old->end) {
      const std::string text = BlockText(value, lines_.Column(old->begin), style);
      return changes_.Replace(old->begin, lines_.End(old->end), Commented(text, CommentAfter(old->end)));
    }
    const std::string_view comment =
        old_block && IsCompact(old) ? std::string_view() : CommentAfter(old_block ? HeaderOf(entry) : old->end);
    const std::string text = Commented(TextAtSlot(entry, value, style), comment);
    changes_.Replace(entry->slot, old_block ? EndOf(old) : lines_.End(old->end),
                     StrCat(text, old_block ? tree_.line_end : std::string_view()));
  }

  std::string TextAtSlot(const TextEntry* entry, Draft& value, const BlockStyle& style) const {
    const size_t outer = lines_.Column(entry->begin);
    if (MayBeCompact(entry)) return " " + BlockText(value, outer + 2, style);
    const size_t column = ColumnBelow(entry->value, value, outer);
    return StrCat(tree_.line_end, Spaces(column), BlockText(value, column, style));
  }

  // Returns the column for a collection below its key: that of the old collection if possible.
  size_t ColumnBelow(const TextNode* old, const Draft& value, size_t outer) const {
    if (IsBlockCollection(old) && !IsCompact(old)) {
      const size_t column = lines_.Column(old->content);
      if (column > outer || IsList(value)) return column;
    }
    return outer + (IsList(value) ? block_style_.list_offset : block_style_.step);
  }

  // --- The root

  void OldRoot() {
    const TextNode* root = root_.origin;
    if (root->style == Style::kFlow) return RewriteFlow(tree_, slots_, root_, flow_style_, changes_);
    const size_t begin = LinesOf(root, std::max(tree_.begin, root->after_properties));
    const std::vector<Slot> slots = slots_.Of(root_);
    if (HasLive(slots)) return Entries(root, slots, begin);
    changes_.Insert(RemoveAll(root, begin), StrCat(Brackets(root), tree_.line_end));
  }

  void NewRoot() {
    const TextNode* old = tree_.root();
    if (IsBlockCollection(old)) return NewRootForBlock(old);
    if (old->begin == old->end) {  // the document is empty
      return changes_.Insert(lines_.text().size(), StrCat(RootText(old, block_style_, 0), tree_.line_end));
    }
    const bool own_line = lines_.IsFirst(old->begin);
    const bool below = HasEntries(root_) && old->style != Style::kFlow && !own_line;  // as in `--- ~`
    const std::string text =
        StrCat(below ? tree_.line_end : std::string_view(),
               RootText(old, StyleAbove(lines_.Next(old->end)), own_line ? lines_.Column(old->begin) : 0));
    changes_.Replace(old->begin, lines_.End(old->end), Commented(text, CommentAfter(old->end)));
  }

  // Also removes the old value's anchor and tag, but not the comments after and below them.
  void NewRootForBlock(const TextNode* old) {
    const size_t line = lines_.Begin(old->content);
    if (old->begin < line) {
      const size_t end = std::max(old->begin, old->after_properties);
      const bool is_line = lines_.IsFirst(old->begin) && lines_.IsBlank(end);
      changes_.Remove(is_line ? lines_.Begin(old->begin) : old->begin, is_line ? lines_.Next(end) : end);
    }
    const size_t end = EndOf(old);
    changes_.Replace(line, end, StrCat(RootText(old, StyleAbove(end), 0), tree_.line_end));
  }

  // Forbids block scalars if they would swallow indented lines below.
  BlockStyle StyleAbove(size_t below) const { return Keeping(WithLiterals(!lines_.HasIndentationIn(below)), below); }

  std::string RootText(const TextNode* old, const BlockStyle& style, size_t column) const {
    if (!HasEntries(root_)) return ScalarLine(root_, YamlPlace::kBlock, Quotes::kNone);
    if (old->style != Style::kFlow) return BlockText(root_, column, style);
    FlowStyle flow = FlowStyleOf(tree_, old, flow_style_);
    flow.indent.clear();
    return FlowText(root_, flow);
  }

  const TextTree& tree_;
  Draft& root_;
  TextLines lines_;
  Slots slots_;
  TextChanges changes_;
  FlowStyle flow_style_;
  BlockStyle block_style_;
  std::unordered_map<const Draft*, RewrittenAs> rewritten_;
  const TextNode* rewritten_open_ = nullptr;  // OpenScalar(), if its header says how its new text ends
};

}  // namespace

std::string WriteYamlDocument(DraftDocument& document) { return BlockWriter(document).Write(); }

}  // namespace smp::edit
