#include "edit/block_writer.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "edit/flow_writer.h"
#include "edit/new_text.h"
#include "value/utf8.h"
#include "yaml/characters.h"

namespace smp {

namespace {

using Kind = TextNode::Kind;
using Style = TextNode::Style;

bool IsBlockCollection(const TextNode* node) { return node->is_collection() && node->style == Style::kBlock; }
bool IsEmpty(const TextNode* node) { return node->items->list.size() == 0; }

// Lines of the first document.
class Lines {
 public:
  explicit Lines(const TextTree& tree)
      : text_(std::string_view(tree.text).substr(0, tree.end)),
        first_(text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0) {}

  std::string_view text() const { return text_; }
  size_t size() const { return text_.size(); }
  size_t first() const { return first_; }
  std::string_view Between(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }

  size_t Begin(size_t at) const {
    while (at > first_ && !EndsAt(at)) --at;
    return at;
  }
  // Without the line end.
  size_t End(size_t at) const {
    while (at < text_.size() && yaml::BreakSize(text_.data() + at) == 0) ++at;
    return at;
  }
  size_t Next(size_t at) const {
    const size_t end = End(at);
    return end + yaml::BreakSize(text_.data() + end);
  }
  size_t Column(size_t at) const { return at - Begin(at); }
  size_t FirstSign(size_t line) const {
    while (line < text_.size() && text_[line] == ' ') ++line;
    return line;
  }
  bool IsFirstSign(size_t at) const { return FirstSign(Begin(at)) == at; }
  bool IsBlank(size_t line) const {
    const size_t sign = FirstVisible(line);
    return sign == text_.size() || yaml::BreakSize(text_.data() + sign) > 0;
  }
  // The column of the comment that is all of the line.
  std::optional<size_t> CommentColumn(size_t line) const {
    const size_t sign = FirstVisible(line);
    if (sign == text_.size() || text_[sign] != '#') return std::nullopt;
    return sign - line;
  }
  // Whether one of the blank lines that begin at `line` is not empty.
  bool HasSpacesIn(size_t line) const {
    for (; line < text_.size() && IsBlank(line); line = Next(line)) {
      if (End(line) > line) return true;
    }
    return false;
  }
  // Whether one of the lines from `line` on is indented.
  bool HasIndentationIn(size_t line) const {
    for (; line < text_.size(); line = Next(line)) {
      if (text_[line] == ' ' || text_[line] == '\t') return true;
    }
    return false;
  }
  bool HasLineEnd(size_t begin, size_t end) const { return End(begin) < end; }

 private:
  size_t FirstVisible(size_t line) const {
    while (line < text_.size() && (text_[line] == ' ' || text_[line] == '\t')) ++line;
    return line;
  }
  // Whether a line ends right before `at`.
  bool EndsAt(size_t at) const {
    const char before = text_[at - 1];
    if (before == '\n') return true;
    if (before == '\r') return at == text_.size() || text_[at] != '\n';
    return before == '\x85' && at >= 2 && text_[at - 2] == '\xC2';
  }

  std::string_view text_;
  size_t first_;  // behind a byte order mark
};

// The lines that an entry of a block collection owns: [begin, end), with the comments directly above it in its column
// and the deeper ones below it. `bound`: where the lines of the entry before end.
struct Extent {
  size_t begin;
  size_t end;
};

size_t LeadOf(const Lines& lines, size_t entry, size_t bound) {
  const size_t column = lines.Column(entry);
  size_t begin = lines.Begin(entry);
  while (begin > bound) {
    const size_t above = lines.Begin(begin - 1 - (begin >= 2 && lines.Between(begin - 2, begin) == "\r\n" ? 1 : 0));
    if (above < bound || lines.CommentColumn(above) != column) break;
    begin = above;
  }
  return begin;
}

size_t TailOf(const Lines& lines, size_t end, size_t column) {
  size_t tail = lines.Next(end);
  for (size_t line = tail; line < lines.size(); line = lines.Next(line)) {
    if (lines.IsBlank(line)) continue;
    const std::optional<size_t> comment = lines.CommentColumn(line);
    if (!comment || *comment <= column) break;
    tail = lines.Next(line);
  }
  return tail;
}

const TextEntry* FirstInText(const TextNode* node) {
  const TextEntry* first = nullptr;
  node->items->list.ForEach([&](const TextEntry* entry) {
    if (first == nullptr && entry->in_text) first = entry;
  });
  return first;
}

class BlockWriter {
 public:
  explicit BlockWriter(const TextTree& tree) : tree_(tree), lines_(tree), flow_style_(DefaultFlowStyle(tree)) {
    block_style_.line_end = tree.line_end;
    if (EndsOpen()) block_style_.literals = Literals::kForbidden;
    FindIndentation();
    open_text_ = FindOpenText();
  }

  std::string Write() && {
    if (tree_.root == tree_.read_root) {
      OldRoot();
    } else {
      NewRoot();
    }
    if (EndsOpen() && !EndsInBlockText()) CutLineEnd();
    return std::move(out_);
  }

 private:
  // --- The output

  void Raw(std::string_view text) {
    if (skip_blanks_) {
      text.remove_prefix(std::min(text.find_first_not_of(" \r\n"), text.size()));
      if (text.empty()) return;
      skip_blanks_ = false;
    }
    out_ += text;
  }

  void Copy(size_t begin, size_t end) {
    begin = CopyBehindText(begin, end);
    if (end <= begin) return;
    CloseOpenText();
    Raw(lines_.Between(begin, end));
    // The open text has been written: if anything follows, its header must say that it ends without a line end.
    if (open_text_ != nullptr && begin <= open_text_->content && end == lines_.size()) {
      open_header_ = out_.size() - (end - open_text_->content) + 1;
    }
  }

  // Of blank lines that came to stand behind a block of text those that would become a part of it are left out.
  // Returns where the other lines begin.
  size_t CopyBehindText(size_t begin, size_t end) {
    while (out_.size() == text_end_ && begin < end && lines_.IsBlank(begin)) {
      const size_t line = std::exchange(begin, lines_.Next(begin));
      if (swallows_ == Swallows::kBlank || lines_.End(line) > line) continue;
      CloseOpenText();
      Raw(lines_.Between(line, begin));
      text_end_ = out_.size();
    }
    return begin;
  }

  void Write(std::string_view text) {
    CloseOpenText();
    Raw(text);
  }

  void CloseOpenText() {
    if (!open_header_) return;
    const size_t header = *std::exchange(open_header_, std::nullopt);
    const size_t end = std::min(out_.find_first_of(" \t#\r\n", header), out_.size());
    const size_t plus = out_.find('+', header);
    if (plus < end) {
      out_[plus] = '-';
    } else {
      out_.insert(header, 1, '-');
    }
    open_text_ = nullptr;
  }

  void WriteLineEnd() { Write(tree_.line_end); }

  // Before a new line.
  void EndLine() {
    if (skip_blanks_ || out_.size() == lines_.first() || out_.ends_with('\n') || out_.ends_with('\r') ||
        out_.ends_with("\xC2\x85"))
      return;
    // Spaces in a last line of their own, as a line, might become a part of a block of text above.
    const size_t visible = out_.find_last_not_of(' ');
    const bool blank = visible != std::string::npos && (out_[visible] == '\n' || out_[visible] == '\r');
    if (!blank || LastRead()->end == lines_.size()) return WriteLineEnd();
    out_.resize(visible + 1);
  }

  // --- What the text is like

  // Whether its last line has no end.
  bool EndsOpen() const {
    const std::string_view text = tree_.text;
    return tree_.end == text.size() && !text.empty() && !text.ends_with('\n') && !text.ends_with('\r');
  }

  const TextNode* LastRead() const {
    return LastNode(
        tree_.read_root, [](const TextEntry* entry) { return entry->in_text; }, true);
  }

  // A block of text at the end that has no line end: with one it would say something else.
  const TextNode* FindOpenText() const {
    if (!EndsOpen()) return nullptr;
    const TextNode* node = LastRead();
    const TextEntry* entry = node->entry;
    const bool only_key = entry != nullptr && entry->read_key != nullptr && entry->slot == entry->read_key->end;
    if (only_key) node = entry->read_key;
    const bool block = node->style == Style::kLiteral || node->style == Style::kFolded;
    if (!block || node->end != lines_.size()) return nullptr;
    const size_t header_end = std::min(tree_.text.find_first_of(" \t#\r\n", node->content), lines_.size());
    const bool strips = lines_.Between(node->content, header_end).find('-') != std::string_view::npos;
    return strips ? nullptr : node;
  }

  template <class Accepts>
  static const TextNode* LastNode(const TextNode* node, Accepts accepts, bool as_read) {
    while (node->is_collection()) {
      const TextEntry* last = nullptr;
      node->items->list.ForEach([&](const TextEntry* entry) {
        if (accepts(entry)) last = entry;
      });
      if (last == nullptr) break;
      node = as_read ? last->read_value : last->value;
    }
    return node;
  }

  bool EndsInBlockText() const {
    const TextNode* node = LastNode(
        tree_.root, [](const TextEntry* entry) { return !entry->removed; }, false);
    return node->in_text && (node->style == Style::kLiteral || node->style == Style::kFolded) && node != open_text_;
  }

  // What a block of text takes for its own of the lines behind it: blank ones if it keeps them (`|+`), else those with
  // more spaces than its indentation.
  enum class Swallows { kNothing, kSpaces, kBlank };
  Swallows SwallowsBehind(const TextNode* node) const {
    node = LastNode(
        node, [](const TextEntry* entry) { return !entry->removed; }, false);
    if (!node->in_text) {
      const bool text = node->kind == Kind::kScalar && node->value.is_string();
      return text && FitsLiteral(node->value.AsString()) ? Swallows::kSpaces : Swallows::kNothing;
    }
    if (node->style != Style::kLiteral && node->style != Style::kFolded) return Swallows::kNothing;
    const size_t end = std::min(tree_.text.find_first_of(" \t#\r\n", node->content), lines_.size());
    const bool keeps = lines_.Between(node->content, end).find('+') != std::string_view::npos;
    return keeps ? Swallows::kBlank : Swallows::kSpaces;
  }

  void GuardTextEnd(const TextNode* last) {
    swallows_ = SwallowsBehind(last);
    if (swallows_ != Swallows::kNothing) text_end_ = out_.size();
  }

  void CutLineEnd() {
    if (out_.ends_with(tree_.line_end)) out_.resize(out_.size() - tree_.line_end.size());
  }

  // How deep the text indents mappings below mappings, and lists below mappings: the first of each says.
  void FindIndentation() {
    bool mapping = false;
    bool list = false;
    for (const TextEntry& entry : tree_.entries) {
      if (mapping && list) return;
      if (!entry.in_text || entry.read_key == nullptr || !IsBlockCollection(entry.read_value)) continue;
      const TextNode* value = entry.read_value;
      if (!lines_.HasLineEnd(entry.slot, value->content)) continue;
      const size_t outer = lines_.Column(entry.begin);
      const size_t inner = lines_.Column(value->content);
      if (value->kind == Kind::kMapping && !mapping) {
        block_style_.step = inner - outer;
        mapping = true;
      } else if (value->kind == Kind::kSequence && !list) {
        block_style_.list_offset = inner - outer;
        list = true;
      }
    }
  }

  // --- Block collections

  // Whether it begins in the line of a dash.
  bool IsCompact(const TextNode* node) const { return !lines_.IsFirstSign(node->content); }

  // Where the first of the lines begins that hold the entries. `header`: behind what stands before them.
  size_t LinesOf(const TextNode* node, size_t header) const {
    if (IsCompact(node)) return node->content;
    const bool at_beginning = header == tree_.begin && !lines_.HasLineEnd(header, node->content);
    return at_beginning || lines_.Begin(header) == header ? header : lines_.Next(header);
  }

  BlockStyle StyleOf(const TextNode* node) const {
    BlockStyle style = block_style_;
    if (const TextEntry* first = FirstInText(node); first != nullptr && first->read_key != nullptr) {
      if (first->read_key->style == Style::kDoubleQuoted) style.key_quotes = Quotes::kDouble;
      if (first->read_key->style == Style::kSingleQuoted) style.key_quotes = Quotes::kSingle;
    }
    return style;
  }

  // Returns where the lines of the last entry end. REQUIRES: some entries are left.
  size_t Entries(const TextNode* node, size_t begin) {
    const size_t column = lines_.Column(node->content);
    const BlockStyle style = StyleOf(node);
    size_t at = begin;
    const TextEntry* first = FirstInText(node);
    const TextEntry* last = nullptr;        // that was written
    std::vector<const TextEntry*> waiting;  // new ones before all others: comments at the top stay there
    if (IsCompact(node)) skip_blanks_ = true;
    node->items->list.ForEach([&](const TextEntry* entry) {
      if (!entry->in_text) {
        if (entry->removed) return;
        last = entry;
        return at == begin ? waiting.push_back(entry) : NewEntry(entry, column, style);
      }
      const bool compact = entry == first && IsCompact(node);
      const Extent extent = {compact ? begin : LeadOf(lines_, entry->begin, at), TailOf(lines_, entry->end, column)};
      if (entry->removed && last != nullptr) GuardTextEnd(last->value);
      if (at < extent.begin || (!waiting.empty() && !compact)) EndLine();
      Copy(at, extent.begin);
      for (const TextEntry* added : waiting) NewEntry(added, column, style);
      waiting.clear();
      if (!entry->removed) {
        const bool moved = compact && !skip_blanks_;
        EndLine();
        if (moved) Write(std::string(column, ' '));
        Entry(entry, extent);
        last = entry;
      }
      at = extent.end;
    });
    skip_blanks_ = false;
    return at;
  }

  void NewEntry(const TextEntry* entry, size_t column, const BlockStyle& style) {
    EndLine();
    Write(StrCat(std::string(column, ' '), BlockEntryText(entry, column, style)));
    WriteLineEnd();
    GuardTextEnd(entry->value);
  }

  void Entry(const TextEntry* entry, Extent extent) {
    const TextNode* value = entry->value;
    size_t at = extent.begin;
    if (entry->key != entry->read_key) {
      Copy(at, entry->read_key->begin);
      Write(ScalarLine(entry->key, YamlPlace::kBlock, Quotes::kNone));
      at = entry->read_key->end;
    }
    if (value != entry->read_value) return Replaced(entry, at, extent.end);
    if (!value->changed) return Copy(at, extent.end);
    if (value->style == Style::kFlow) {
      Copy(at, value->content);
      AppendFlowText(value);
      return Copy(value->end, extent.end);
    }
    if (IsEmpty(value)) return Emptied(entry, at, extent.end);
    const size_t begin = LinesOf(value, HeaderOf(entry));
    Copy(at, begin);
    Copy(Entries(value, begin), extent.end);
  }

  void AppendFlowText(const TextNode* node) {
    std::string text;
    AppendFlow(tree_, node, flow_style_, text);
    Write(text);
  }

  // Behind the colon or dash, or the anchor and tag of the value.
  static size_t HeaderOf(const TextEntry* entry) {
    return std::max<size_t>(entry->slot, entry->read_value->behind_properties);
  }

  // Where the lines of a block collection of the text end.
  size_t EndOf(const TextNode* node) const { return TailOf(lines_, node->end, lines_.Column(node->content)); }

  // Comments that belong to none of the entries, which all went away.
  std::string Remains(const TextNode* node, size_t begin) const {
    std::string out;
    const size_t column = lines_.Column(node->content);
    size_t at = begin;
    node->items->list.ForEach([&](const TextEntry* entry) {
      if (!entry->in_text) return;
      const bool compact = at == begin && IsCompact(node);
      if (!compact) out += lines_.Between(at, LeadOf(lines_, entry->begin, at));
      at = TailOf(lines_, entry->end, column);
    });
    return out;
  }

  static std::string_view Brackets(const TextNode* node) { return node->kind == Kind::kMapping ? "{}" : "[]"; }

  // `key:` and lines below it become `key: {}`.
  void Emptied(const TextEntry* entry, size_t at, size_t end) {
    const TextNode* value = entry->value;
    const size_t header = HeaderOf(entry);
    const size_t begin = LinesOf(value, header);
    if (IsCompact(value)) {
      Copy(at, begin);
      Write(Brackets(value));
    } else {
      Copy(at, header);
      Write(StrCat(" ", Brackets(value)));
      Copy(header, lines_.End(header));
    }
    WriteLineEnd();
    Write(Remains(value, begin));
    Copy(EndOf(value), end);
  }

  // --- Values that were replaced

  // The new value is written where the old one stood, as far as its lines allow.
  void Replaced(const TextEntry* entry, size_t at, size_t end) {
    const TextNode* value = entry->value;
    if (entry->read_key != nullptr && entry->slot == entry->read_key->end) return WithColon(entry, at, end);
    if (value->is_collection() && !IsEmpty(value) && !StaysFlow(entry)) return ReplacedByBlock(entry, at, end);
    const TextNode* old = entry->read_value;
    if (!IsBlockCollection(old)) return ReplacedInLine(entry, at, end);
    const size_t rest = EndOf(old);
    const bool followed = rest != end || lines_.HasSpacesIn(end);
    const std::string text = ValueText(entry, followed ? Literals::kForbidden : Literals::kAllowed);
    Copy(at, entry->slot);
    Head(text, IsCompact(old) ? std::string_view() : CommentBehind(HeaderOf(entry)));
    WriteLineEnd();
    Copy(rest, end);
  }

  // `? key` without a value.
  void WithColon(const TextEntry* entry, size_t at, size_t end) {
    const size_t line_end = lines_.End(entry->slot);
    const size_t column = lines_.Column(entry->begin);
    Copy(at, line_end);
    EndLine();
    const bool followed = lines_.Next(line_end) != end || lines_.HasSpacesIn(end);
    const BlockStyle style = followed ? WithoutLiterals(block_style_) : block_style_;
    Write(StrCat(std::string(column, ' '), ":", BlockValueText(entry->value, true, column, style)));
    if (line_end == lines_.Next(line_end)) return;
    Copy(line_end, end);
  }

  bool StaysFlow(const TextEntry* entry) const {
    const TextNode* old = entry->read_value;
    return old->kind == entry->value->kind && old->style == Style::kFlow && FirstInText(old) != nullptr;
  }

  std::string_view CommentBehind(size_t at) const { return lines_.Between(at, lines_.End(at)); }

  static Quotes QuotesOf(const TextNode* node) {
    if (node->style == Style::kDoubleQuoted) return Quotes::kDouble;
    return node->style == Style::kSingleQuoted ? Quotes::kSingle : Quotes::kNone;
  }

  static BlockStyle WithoutLiterals(BlockStyle style) {
    style.literals = Literals::kForbidden;
    return style;
  }

  // With a space or line end before it.
  std::string ValueText(const TextEntry* entry, Literals literals) const {
    const TextNode* value = entry->value;
    const TextNode* old = entry->read_value;
    if (value->is_collection() && !IsEmpty(value)) return " " + FlowText(value, FlowStyleOf(tree_, old, flow_style_));
    const BlockStyle style = literals == Literals::kForbidden ? WithoutLiterals(block_style_) : block_style_;
    const bool in_quotes = QuotesOf(old) != Quotes::kNone && value->kind == Kind::kScalar && value->value.is_string();
    const bool one_line = in_quotes && value->value.AsString().find('\n') == std::string_view::npos;
    if (one_line) return " " + ScalarLine(value, YamlPlace::kBlock, QuotesOf(old));
    return BlockValueText(value, entry->key == nullptr, lines_.Column(entry->begin), style);
  }

  // A text whose first line goes on with a comment.
  void Head(std::string_view text, std::string_view comment) {
    const size_t head = std::min(text.find_first_of("\r\n"), text.size());
    Write(text.substr(0, head));
    if (comment.starts_with('#')) Write(" ");
    Write(comment);
    Write(text.substr(head));
  }

  // Of a line of its own. A block of text need not stand deeper than its key, all else must.
  bool StandsDeeper(const TextEntry* entry) const {
    const size_t old = entry->read_value->begin;
    return !lines_.HasLineEnd(entry->slot, old) || lines_.Column(old) > lines_.Column(entry->begin);
  }

  void ReplacedInLine(const TextEntry* entry, size_t at, size_t end) {
    const TextNode* old = entry->read_value;
    // By lines that a block of text would swallow.
    const bool followed = lines_.Next(old->end) != end || lines_.HasSpacesIn(end);
    const std::string text = ValueText(entry, followed ? Literals::kForbidden : Literals::kAllowed);
    const bool behind_slot = old->begin == old->end || !StandsDeeper(entry);
    Copy(at, behind_slot ? entry->slot : old->begin);
    const bool separated = !behind_slot && old->begin > entry->slot;
    Head(std::string_view(text).substr(separated ? 1 : 0), CommentBehind(old->end));
    Copy(lines_.End(old->end), end);
  }

  // Whether a collection may begin in the line of the slot: behind a dash, or a colon that begins a line.
  bool MayBeCompact(const TextEntry* entry) const {
    return entry->key == nullptr || lines_.IsFirstSign(entry->slot - 1);
  }

  void ReplacedByBlock(const TextEntry* entry, size_t at, size_t end) {
    const TextNode* old = entry->read_value;
    const TextNode* value = entry->value;
    const bool old_block = IsBlockCollection(old);
    const bool own_line = lines_.HasLineEnd(entry->slot, old->begin) && StandsDeeper(entry);
    const size_t outer = lines_.Column(entry->begin);
    const bool followed = (old_block ? EndOf(old) : lines_.Next(old->end)) != end || lines_.HasSpacesIn(end);
    const BlockStyle style = followed ? WithoutLiterals(block_style_) : block_style_;
    if (own_line && !old_block && old->begin < old->end) {
      Copy(at, old->begin);
      Head(BlockText(value, lines_.Column(old->begin), style), CommentBehind(old->end));
      return Copy(lines_.End(old->end), end);
    }
    const bool compact_old = old_block && IsCompact(old);
    const std::string_view comment =
        compact_old ? std::string_view() : CommentBehind(old_block ? HeaderOf(entry) : old->end);
    Copy(at, entry->slot);
    if (MayBeCompact(entry)) {
      Head(" " + BlockText(value, outer + 2, style), comment);
    } else {
      const size_t column = ColumnBelow(old, value, outer);
      Head({}, comment);
      Write(StrCat(tree_.line_end, std::string(column, ' '), BlockText(value, column, style)));
    }
    if (!old_block) return Copy(lines_.End(old->end), end);
    WriteLineEnd();
    Copy(EndOf(old), end);
  }

  // Of a collection below its key, where the old one stood if that fits.
  size_t ColumnBelow(const TextNode* old, const TextNode* value, size_t outer) const {
    const bool list = value->kind == Kind::kSequence;
    if (IsBlockCollection(old) && !IsCompact(old)) {
      const size_t column = lines_.Column(old->content);
      if (column > outer || list) return column;
    }
    return outer + (list ? block_style_.list_offset : block_style_.step);
  }

  // --- The root

  size_t RootHeader() const { return std::max<size_t>(tree_.begin, tree_.read_root->behind_properties); }

  void OldRoot() {
    const TextNode* root = tree_.root;
    if (root->style == Style::kFlow) {
      Copy(0, root->content);
      AppendFlowText(root);
      return Copy(root->end, lines_.size());
    }
    const size_t begin = LinesOf(root, RootHeader());
    Copy(0, begin);
    if (!IsEmpty(root)) return Copy(Entries(root, begin), lines_.size());
    const size_t first = LeadOf(lines_, root->content, begin);
    const std::string remains = Remains(root, begin);
    const size_t before = first - begin;
    Write(remains.substr(0, before));
    Write(Brackets(root));
    WriteLineEnd();
    Write(remains.substr(before));
    Copy(EndOf(root), lines_.size());
  }

  void NewRoot() {
    const TextNode* old = tree_.read_root;
    if (IsBlockCollection(old)) {
      Copy(0, old->begin);
      SkipProperties(old);
      Write(RootText(old, RootStyle(EndOf(old))));
      WriteLineEnd();
      return Copy(EndOf(old), lines_.size());
    }
    if (old->begin == old->end) {  // no document
      Copy(0, lines_.size());
      EndLine();
      Write(RootText(old, block_style_));
      return WriteLineEnd();
    }
    Copy(0, old->begin);
    const BlockStyle style = RootStyle(lines_.Next(old->end));
    const bool block = tree_.root->is_collection() && !IsEmpty(tree_.root) && old->style != Style::kFlow;
    if (block && !lines_.IsFirstSign(old->begin)) {  // --- ~
      Head({}, CommentBehind(old->end));
      WriteLineEnd();
      Write(RootText(old, style));
      return Copy(lines_.End(old->end), lines_.size());
    }
    Head(RootText(old, style, lines_.IsFirstSign(old->begin) ? lines_.Column(old->begin) : 0), CommentBehind(old->end));
    Copy(lines_.End(old->end), lines_.size());
  }

  // Anchor and tag were those of the old value. Comments behind and below them stay.
  void SkipProperties(const TextNode* old) {
    const size_t begin = lines_.Begin(old->content);
    if (old->begin >= begin) return out_.resize(out_.size() - (old->begin - begin));
    size_t at = std::max<size_t>(old->begin, old->behind_properties);
    const bool is_line = lines_.IsFirstSign(old->begin) && lines_.IsBlank(at);
    if (is_line) out_.resize(out_.size() - lines_.Column(old->begin));
    Copy(is_line ? lines_.Next(at) : at, begin);
  }

  // What stands below would become a part of a block of text.
  BlockStyle RootStyle(size_t below) const {
    return lines_.HasIndentationIn(below) ? WithoutLiterals(block_style_) : block_style_;
  }

  std::string RootText(const TextNode* old, const BlockStyle& style, size_t column = 0) const {
    const TextNode* root = tree_.root;
    if (!root->is_collection() || IsEmpty(root)) return ScalarLine(root, YamlPlace::kBlock, Quotes::kNone);
    if (old->style != Style::kFlow) return BlockText(root, column, style);
    FlowStyle flow = FlowStyleOf(tree_, old, flow_style_);
    flow.indent.clear();
    return FlowText(root, flow);
  }

  const TextTree& tree_;
  Lines lines_;
  FlowStyle flow_style_;
  BlockStyle block_style_;
  const TextNode* open_text_ = nullptr;
  std::optional<size_t> open_header_;    // in out_, behind the `|` of the open text
  size_t text_end_ = std::string::npos;  // in out_, behind a block of text that would swallow lines
  Swallows swallows_ = Swallows::kNothing;
  bool skip_blanks_ = false;  // behind a dash: until something follows it
  std::string out_;
};

}  // namespace

std::string WriteYamlDocument(const TextTree& tree) { return BlockWriter(tree).Write(); }

}  // namespace smp
