#include "override/yaml_scanner.h"

#include <algorithm>
#include <optional>

#include "override/yaml_fold.h"
#include "value/utf8.h"
#include "value/yaml_text.h"

namespace smp {

namespace {

constexpr size_t kLongestKey = 1024;  // characters
constexpr std::string_view kTab = "a tab stands in the indentation; use spaces";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool IsWordCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

bool IsUriCharacter(char c) {
  return IsWordCharacter(c) ||
         (c != '\0' && std::string_view(";/?:@&=+$,.!~*'()[]%").find(c) != std::string_view::npos);
}

// `!handle!name`, for which a directive would be needed.
bool HasHandle(std::string_view tag) {
  size_t end = 1;
  while (end < tag.size() && IsWordCharacter(tag[end])) ++end;
  return end > 1 && end < tag.size() && tag[end] == '!';
}

}  // namespace

size_t LineEndSize(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '\n') return 1;
  if (text[at] == '\r') return text.substr(at + 1, 1) == "\n" ? 2 : 1;
  return text[at] == '\xC2' && text.substr(at + 1, 1) == "\x85" ? 2 : 0;
}

YamlScanner::YamlScanner(std::string_view text, size_t begin, Arena& arena)
    : text_(text), arena_(arena), at_(begin), line_begin_(begin), column_place_(begin), keys_(1) {}

const YamlToken& YamlScanner::Peek() {
  while (problem_.empty() && NeedsMore()) {
    if (!Fetch()) break;
  }
  static const YamlToken kFailed;
  return problem_.empty() ? tokens_.front() : kFailed;
}

void YamlScanner::Skip() {
  tokens_.pop_front();
  ++taken_;
}

bool YamlScanner::Fail(std::string_view why, size_t place) {
  problem_ = why;
  problem_place_ = place;
  return false;
}

// Characters from the beginning of the line.
int YamlScanner::Column() {
  if (column_place_ < line_begin_) {
    column_place_ = line_begin_;
    column_ = 0;
  }
  for (; column_place_ < at_; ++column_place_) column_ += IsContinuation(text_[column_place_]) ? 0 : 1;
  return column_;
}

bool YamlScanner::SkipLineEnd() {
  const size_t size = LineEndSize(text_, at_);
  if (size == 0) return false;
  at_ += size;
  line_begin_ = at_;
  ++line_;
  return true;
}

bool YamlScanner::IsMarker(std::string_view marker) const {
  return at_ == line_begin_ && text_.substr(at_, marker.size()) == marker && EndsWord(at_ + marker.size());
}

// A key must be on one line and not too long.
bool YamlScanner::IsValid(const Key& key) const {
  if (!key.possible || key.line != line_) return false;
  if (at_ - key.place <= kLongestKey) return true;
  if (at_ - key.place > 4 * kLongestKey) return false;
  const std::string_view between = text_.substr(key.place, at_ - key.place);
  return static_cast<size_t>(
             std::count_if(between.begin(), between.end(), [](char c) { return !IsContinuation(c); })) <= kLongestKey;
}

// Whether the next token may turn out to be a key, before which then another token comes.
bool YamlScanner::NeedsMore() {
  if (tokens_.empty() || finished_) return tokens_.empty();
  while (!pending_keys_.empty() && pending_keys_.front().first < taken_) pending_keys_.pop_front();
  if (pending_keys_.empty() || pending_keys_.front().first != taken_) return false;
  const size_t level = pending_keys_.front().second;
  return level < keys_.size() && keys_[level].token == taken_ && IsValid(keys_[level]);
}

// Whether the rest of the line is but white space and perhaps a comment. Differs from kubectl, as the reader in
// lib/value does: a tab may be in it.
bool YamlScanner::IsBlankLine() const {
  size_t at = at_;
  while (IsBlankAt(at)) ++at;
  return at >= text_.size() || LineEndSize(text_, at) > 0 || text_[at] == '#';
}

void YamlScanner::SkipToToken() {
  for (;;) {
    while (Next() == ' ' || (Next() == '\t' && (InFlow() || !key_allowed_ || IsBlankLine()))) ++at_;
    if (Next() == '#') {
      while (!AtEnd() && LineEndSize(text_, at_) == 0) ++at_;
    }
    if (!SkipLineEnd()) return;
    if (!InFlow()) key_allowed_ = true;
  }
}

bool YamlScanner::Fetch() {
  if (finished_) {
    Add(Type::kEnd, 0);
    return true;
  }
  SkipToToken();
  if (!InFlow()) UnrollIndent(Column());
  if (AtEnd()) return FetchEnd();
  const char c = Next();
  if (c == '%' && at_ == line_begin_) return FetchDirective();
  if (IsMarker("---")) return FetchMarker(Type::kDocumentStart);
  if (IsMarker("...")) return FetchMarker(Type::kDocumentEnd);
  return FetchIndicator(c);
}

bool YamlScanner::FetchIndicator(char c) {
  switch (c) {
    case '[': return FetchFlowStart(Type::kFlowSequence);
    case '{': return FetchFlowStart(Type::kFlowMapping);
    case ']': return FetchFlowEnd(Type::kFlowSequenceEnd);
    case '}': return FetchFlowEnd(Type::kFlowMappingEnd);
    case '*': return FetchAnchor(Type::kAlias);
    case '&': return FetchAnchor(Type::kAnchor);
    case '!': return FetchTag();
    case '\'':
    case '"': return FetchQuoted();
    case ',':
      if (!ForgetKey()) return false;
      key_allowed_ = true;
      return Add(Type::kFlowEntry, 1), true;
    default: break;
  }
  const bool ends_word = EndsWord(at_ + 1);
  if (c == '-' && ends_word) return FetchBlockEntry();
  if (c == '?' && (InFlow() || ends_word)) return FetchKey();
  if (c == ':' && (InFlow() || ends_word)) return FetchValue();
  if ((c == '|' || c == '>') && !InFlow()) return FetchBlockScalar();
  if (BeginsPlain(c)) return FetchPlain();
  return Fail(c == '\t' ? kTab : "a value cannot begin with this sign; put the text in quotes", at_);
}

void YamlScanner::Add(Type type, size_t size) {
  YamlToken token;
  token.type = type;
  token.begin = static_cast<uint32_t>(at_);
  at_ += size;
  token.end = static_cast<uint32_t>(at_);
  tokens_.push_back(token);
}

// A block mapping begins at a key that was read before; `token` is the key's.
void YamlScanner::RollIndent(int column, size_t token, size_t place) {
  if (InFlow() || indent_ >= column) return;
  indents_.push_back(indent_);
  indent_ = column;
  YamlToken start;
  start.type = Type::kBlockMapping;
  start.begin = start.end = static_cast<uint32_t>(place);
  tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(token - taken_), start);
}

void YamlScanner::RollIndentHere(Type type) {
  if (InFlow() || indent_ >= Column()) return;
  indents_.push_back(indent_);
  indent_ = Column();
  Add(type, 0);
}

void YamlScanner::UnrollIndent(int column) {
  while (indent_ > column) {
    Add(Type::kBlockEnd, 0);
    indent_ = indents_.back();
    indents_.pop_back();
  }
}

// What begins here may turn out to be a key.
bool YamlScanner::SaveKey() {
  if (!key_allowed_) return true;
  if (!ForgetKey()) return false;
  Key key;
  key.possible = true;
  key.required = !InFlow() && indent_ == Column();
  key.token = taken_ + tokens_.size();
  key.place = at_;
  key.line = line_;
  key.column = InFlow() ? 0 : Column();
  keys_.back() = key;
  pending_keys_.emplace_back(key.token, keys_.size() - 1);
  return true;
}

bool YamlScanner::ForgetKey() {
  Key& key = keys_.back();
  if (key.possible && key.required) return Fail("expected a colon behind the key", key.place);
  key.possible = false;
  return true;
}

bool YamlScanner::FetchEnd() {
  UnrollIndent(-1);
  if (!ForgetKey()) return false;
  key_allowed_ = false;
  finished_ = true;
  Add(Type::kEnd, 0);
  return true;
}

bool YamlScanner::FetchDirective() {
  UnrollIndent(-1);
  if (!ForgetKey()) return false;
  key_allowed_ = false;
  const size_t begin = at_;
  size_t end = begin;
  while (end < text_.size() && LineEndSize(text_, end) == 0) ++end;
  Add(Type::kDirective, end - begin);
  tokens_.back().text = text_.substr(begin, end - begin);
  return true;
}

bool YamlScanner::FetchMarker(Type type) {
  UnrollIndent(-1);
  if (!ForgetKey()) return false;
  key_allowed_ = false;
  Add(type, 3);
  return true;
}

bool YamlScanner::FetchFlowStart(Type type) {
  if (!SaveKey()) return false;
  if (keys_.size() > 4000) return Fail("it is nested too deeply", at_);  // the parser has a limit of its own
  keys_.emplace_back();
  key_allowed_ = true;
  Add(type, 1);
  return true;
}

bool YamlScanner::FetchFlowEnd(Type type) {
  if (!ForgetKey()) return false;
  if (InFlow()) keys_.pop_back();
  key_allowed_ = false;
  Add(type, 1);
  return true;
}

bool YamlScanner::FetchBlockEntry() {
  if (!InFlow()) {
    if (!key_allowed_) return Fail("a list item (-) cannot begin here; mend the indentation", at_);
    RollIndentHere(Type::kBlockSequence);
  }
  if (!ForgetKey()) return false;
  key_allowed_ = true;
  Add(Type::kBlockEntry, 1);
  return true;
}

bool YamlScanner::FetchKey() {
  if (!InFlow()) {
    if (!key_allowed_) return Fail("a key cannot stand here; mend the indentation", at_);
    RollIndentHere(Type::kBlockMapping);
  }
  if (!ForgetKey()) return false;
  key_allowed_ = !InFlow();
  Add(Type::kKey, 1);
  return true;
}

bool YamlScanner::FetchValue() {
  Key& key = keys_.back();
  if (IsValid(key)) {
    YamlToken token;
    token.type = Type::kKey;
    token.begin = token.end = static_cast<uint32_t>(key.place);  // empty, unlike `?`
    tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(key.token - taken_), token);
    RollIndent(key.column, key.token, key.place);
    key.possible = false;
    key_allowed_ = false;
  } else {
    if (!ForgetKey()) return false;
    if (!InFlow()) {
      if (!key_allowed_) {
        return Fail("a mapping cannot begin here; put a text that holds a colon in quotes, or mend the indentation",
                    at_);
      }
      RollIndentHere(Type::kBlockMapping);
    }
    key_allowed_ = !InFlow();
  }
  Add(Type::kValue, 1);
  return true;
}

bool YamlScanner::FetchAnchor(Type type) {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  size_t end = at_ + 1;
  while (end < text_.size() && IsWordCharacter(text_[end])) ++end;
  const bool ends = EndsWord(end) || std::string_view("?:,]}%@`").find(text_[end]) != std::string_view::npos;
  if (end == at_ + 1 || !ends) return Fail("the name of an anchor takes letters, digits, _ and - only", at_);
  const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
  Add(type, end - at_);
  tokens_.back().text = name;
  return true;
}

bool YamlScanner::FetchTag() {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  const size_t begin = at_;
  const bool verbatim = Next(1) == '<';
  size_t end = begin + (verbatim ? 2 : 1);
  while (end < text_.size() && IsUriCharacter(text_[end])) ++end;
  if (verbatim && (end == begin + 2 || end >= text_.size() || text_[end++] != '>'))
    return Fail("the tag is not closed by >", begin);
  const std::string_view tag = text_.substr(begin, end - begin);
  if (HasHandle(tag)) return Fail("the handle of the tag is not defined", begin);
  if (!EndsWord(end) || (!verbatim && tag.find_first_of(",[]{}\"") != std::string_view::npos)) {
    return Fail("put a space behind the tag", begin);
  }
  Add(Type::kTag, end - begin);
  tokens_.back().text = tag;
  return true;
}

bool YamlScanner::FetchBlockScalar() {
  if (!ForgetKey()) return false;
  key_allowed_ = true;
  const BlockText block = ReadBlockText(text_, at_, indent_);
  if (!block.problem.empty()) return Fail(block.problem, block.problem_place);
  const TextNode::Style style = Next() == '|' ? TextNode::Style::kLiteral : TextNode::Style::kFolded;
  Add(Type::kScalar, 0);
  tokens_.back().style = style;
  tokens_.back().one_line = false;
  tokens_.back().end = static_cast<uint32_t>(block.end);
  tokens_.back().text = arena_.Copy(block.text);
  at_ = block.next;
  line_ += block.lines;
  line_begin_ = block.next_line;
  return true;
}

// Behind the closing quote. `simple`: what is written is what it says.
bool YamlScanner::SkipQuoted(char quote, bool& simple) {
  const size_t begin = at_;
  for (++at_; !AtEnd();) {
    if (IsMarker("---") || IsMarker("...")) return Fail("the document ends within quotes", begin);
    if (Next() == quote) {
      ++at_;
      if (quote == '"' || Next() != quote) return true;
      simple = false;
      ++at_;
    } else if (Next() == '\\' && quote == '"') {
      simple = false;
      ++at_;
      if (!SkipLineEnd()) ++at_;
    } else if (SkipLineEnd()) {
      simple = false;
    } else {
      ++at_;
    }
  }
  return Fail("the quote that opens here is not closed", begin);
}

bool YamlScanner::FetchQuoted() {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  const char quote = Next();
  const size_t begin = at_;
  const size_t line = line_;
  bool simple = true;
  if (!SkipQuoted(quote, simple)) return false;
  YamlToken token;
  token.type = Type::kScalar;
  token.style = quote == '"' ? TextNode::Style::kDoubleQuoted : TextNode::Style::kSingleQuoted;
  token.one_line = line == line_;
  token.begin = static_cast<uint32_t>(begin);
  token.end = static_cast<uint32_t>(at_);
  token.text = text_.substr(begin + 1, at_ - begin - 2);
  if (!simple) {
    const std::optional<QuotedText> quoted = ReadQuoted(WithPlainLineEnds(text_.substr(begin, at_ - begin)), 0);
    if (!quoted || !quoted->problem.empty()) return Fail(quoted ? quoted->problem : "the quote is not closed", begin);
    token.text = arena_.Copy(quoted->text);
  }
  tokens_.push_back(token);
  return true;
}

bool YamlScanner::BeginsPlain(char c) const {
  if (!EndsWord(at_) && std::string_view("-?:,[]{}#&*!|>'\"%@`").find(c) == std::string_view::npos) return true;
  if (c == '-') return !IsBlankAt(at_ + 1);
  return (c == '?' || c == ':') && !InFlow() && !EndsWord(at_ + 1);
}

bool YamlScanner::EndsPlain() const {
  const char c = Next();
  if (c == ':' && EndsWord(at_ + 1)) return true;
  return InFlow() && (c == ',' || c == '?' || c == '[' || c == ']' || c == '{' || c == '}');
}

bool YamlScanner::FetchPlain() {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  const size_t begin = at_;
  const bool first_in_line = begin == line_begin_;
  size_t end = at_;
  const size_t line = line_;
  size_t lines_at_end = line_;
  bool line_ended = false;
  while (!AtEnd() && !IsMarker("---") && !IsMarker("...") && Next() != '#') {
    const size_t word = at_;
    while (!EndsWord(at_) && !EndsPlain()) ++at_;
    if (at_ > word) {
      end = at_;
      lines_at_end = line_;
    }
    if (!EndsWord(at_) || AtEnd()) break;
    bool in_indentation = false;
    while (IsBlankAt(at_) || LineEndSize(text_, at_) > 0) {
      if (SkipLineEnd()) {
        in_indentation = line_ended = true;
      } else {
        if (in_indentation && Next() == '\t' && Column() < indent_ + 1 && !IsBlankLine()) return Fail(kTab, at_);
        ++at_;
      }
    }
    if (!in_indentation) continue;
    if (!InFlow() && Column() < indent_ + 1) break;
  }
  YamlToken token;
  token.type = Type::kScalar;
  token.begin = static_cast<uint32_t>(begin);
  token.end = static_cast<uint32_t>(end);
  token.text = text_.substr(begin, end - begin);
  // A reader that splits documents first would not see it, nor would any if an edit made this the first line.
  if (first_in_line && token.text.starts_with(kByteOrderMark)) {
    return Fail("a byte order mark (U+FEFF) stands within the text; remove it", begin);
  }
  token.one_line = lines_at_end == line;
  if (!token.one_line) token.text = arena_.Copy(FoldPlain(token.text));
  if (line_ended) key_allowed_ = true;
  tokens_.push_back(token);
  return true;
}

}  // namespace smp
