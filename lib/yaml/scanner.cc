#include "yaml/scanner.h"

namespace smp::yaml {

namespace {

constexpr uint32_t kLongestKey = 1024;  // characters
constexpr size_t kDeepest = 10'000;     // of brackets, and of blocks
constexpr std::string_view kTooDeep = "it is nested too deeply";

}  // namespace

void TokenQueue::Insert(size_t number, const Token& token) {
  tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(head_ + number - first_), token);
}

void TokenQueue::Pop() {
  constexpr size_t kMany = 64;
  ++head_;
  ++first_;
  if (head_ < tokens_.size() && (head_ < kMany || head_ < tokens_.size() / 2)) return;
  tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(head_));
  head_ = 0;
}

bool Scanner::Fail(std::string_view why, Mark mark) {
  if (problem_.empty()) {
    problem_ = why;
    problem_mark_ = mark;
  }
  return false;
}

// --- Fetching tokens until the front token is final

void Scanner::FetchMore() {
  while (problem_.empty() && NeedsMore()) {
    if (!Fetch()) break;
  }
  ready_ = true;
}

// Returns true if there is no token, or if the front token may be a key, so that a kKey would be inserted before it.
bool Scanner::NeedsMore() {
  if (tokens_.empty() || finished_) return tokens_.empty();
  while (first_pending_ < pending_.size() && pending_[first_pending_].token < tokens_.first()) ++first_pending_;
  if (first_pending_ == pending_.size()) {
    pending_.clear();
    first_pending_ = 0;
    return false;
  }
  const PendingKey& first = pending_[first_pending_];
  if (first.token != tokens_.first() || first.level >= keys_.size()) return false;
  Key& key = keys_[first.level];
  return key.possible && key.token == first.token && DropStale(key) && key.possible;
}

// Drops a possible key that now spans lines or is too long. Returns false if a key was required there.
bool Scanner::DropStale(Key& key) {
  if (!key.possible) return true;
  if (key.mark.line == cursor_.line() && cursor_.Column() - key.mark.column <= kLongestKey) return true;
  key.possible = false;
  return !key.required || Fail("expected a colon after the key", key.mark);
}

// Skips blanks, comments and line breaks. As in Go, tabs are not allowed where a key may begin.
void Scanner::SkipToToken() {
  for (;;) {
    const bool tabs = InFlow() || !key_allowed_;
    while (cursor_.Next() == ' ' || (tabs && cursor_.Next() == '\t')) cursor_.Skip(1);
    if (cursor_.Next() == '\t' && tabs_ == BlankTabs::kAllow && cursor_.AtBlankRest()) cursor_.SkipBlanks();
    if (cursor_.Next() == '#') cursor_.SkipRestOfLine();
    if (!cursor_.SkipBreak()) return;
    if (!InFlow()) key_allowed_ = true;
  }
}

bool Scanner::Fetch() {
  SkipToToken();
  if (!InFlow()) UnrollIndent(static_cast<int>(cursor_.Column()));
  if (cursor_.AtEnd()) return FetchEnd();
  return cursor_.AtLineBegin() ? FetchMarked() : FetchSign(cursor_.Next());
}

// Fetches a directive or document marker, if there is one. REQUIRES: the cursor is at the beginning of a line.
bool Scanner::FetchMarked() {
  if (cursor_.Next() == '%') return FetchDocumentLevel(Type::kDirective);
  if (cursor_.AtMarker('-')) return FetchDocumentLevel(Type::kDocumentStart);
  if (cursor_.AtMarker('.')) return FetchDocumentLevel(Type::kDocumentEnd);
  return FetchSign(cursor_.Next());
}

bool Scanner::FetchSign(char c) {
  if (!HasClass(c, kIndicator)) return FetchPlain();
  switch (c) {
    case '[': return FetchFlowStart(Type::kFlowSequence);
    case '{': return FetchFlowStart(Type::kFlowMapping);
    case ']': return FetchFlowEnd(Type::kFlowSequenceEnd);
    case '}': return FetchFlowEnd(Type::kFlowMappingEnd);
    case ',': return FetchFlowEntry();
    case '*': return FetchAnchor(Type::kAlias);
    case '&': return FetchAnchor(Type::kAnchor);
    case '!': return FetchTag();
    case '\'':
    case '"': return FetchQuoted();
    default: break;
  }
  if (c == '-' && NextEndsWord()) return FetchBlockEntry();
  if (c == '?' && (InFlow() || NextEndsWord())) return FetchKey();
  if (c == ':' && (InFlow() || NextEndsWord())) return FetchValue();
  if ((c == '|' || c == '>') && !InFlow()) return FetchBlockScalar();
  return FetchPlain();
}

bool Scanner::Add(Type type, size_t size, std::string_view text) {
  Token& token = tokens_.Append();
  token.type = type;
  token.begin = cursor_.mark();
  token.text = text;
  cursor_.Skip(size);
  token.end = cursor_.mark();
  return true;
}

bool Scanner::AddScalar(Style style, Mark begin, const ScannedScalar& scalar) {
  if (!scalar.problem.empty()) return Fail(scalar.problem, scalar.problem_mark);
  Token& token = tokens_.Append();
  token.type = Type::kScalar;
  token.style = style;
  token.one_line = scalar.one_line;
  token.begin = begin;
  token.end = scalar.end;
  token.text = scalar.text;
  return true;
}

// --- Blocks and keys

// Begins a block if `mark` is indented deeper than the innermost open block. `before_token`: where to insert its token.
bool Scanner::RollIndent(const Mark& mark, Type type, size_t before_token) {
  if (InFlow() || indent_ >= static_cast<int>(mark.column)) return true;
  indents_.push_back(indent_);
  indent_ = static_cast<int>(mark.column);
  if (indents_.size() > kDeepest) return Fail(kTooDeep, mark);
  Token start;
  start.type = type;
  start.begin = start.end = mark;
  tokens_.Insert(before_token, start);
  return true;
}

void Scanner::UnrollIndent(int column) {
  while (indent_ > column) {
    Add(Type::kBlockEnd, 0);
    indent_ = indents_.back();
    indents_.pop_back();
  }
}

// Remembers that the next token may turn out to be a key.
bool Scanner::SaveKey() {
  if (!key_allowed_) return true;
  if (!ForgetKey()) return false;
  Key& key = keys_.back();
  key.mark = cursor_.mark();
  key.possible = true;
  key.required = !InFlow() && indent_ == static_cast<int>(key.mark.column);
  key.token = tokens_.next();
  pending_.push_back({key.token, keys_.size() - 1});
  return true;
}

bool Scanner::ForgetKey() {
  Key& key = keys_.back();
  if (!key.possible) return true;
  key.possible = false;
  return !key.required || Fail("expected a colon after the key", key.mark);
}

// --- Functions that fetch one token each

bool Scanner::FetchEnd() {
  UnrollIndent(-1);
  if (!ForgetKey()) return false;
  key_allowed_ = false;
  finished_ = true;
  return Add(Type::kStreamEnd, 0);
}

// A directive or document marker ends all blocks.
bool Scanner::FetchDocumentLevel(Type type) {
  UnrollIndent(-1);
  if (!ForgetKey()) return false;
  key_allowed_ = false;
  if (type != Type::kDirective) return Add(type, 3);
  Cursor line_end = cursor_;
  line_end.SkipRestOfLine();
  const size_t size = line_end.offset() - cursor_.offset();
  return Add(type, size, {cursor_.at(), size});
}

bool Scanner::FetchFlowStart(Type type) {
  if (!SaveKey()) return false;
  if (keys_.size() > kDeepest) return Fail(kTooDeep, cursor_.mark());
  keys_.emplace_back();
  key_allowed_ = true;
  return Add(type, 1);
}

bool Scanner::FetchFlowEnd(Type type) {
  if (!ForgetKey()) return false;
  if (InFlow()) keys_.pop_back();
  key_allowed_ = false;
  return Add(type, 1);
}

bool Scanner::FetchFlowEntry() {
  if (!ForgetKey()) return false;
  key_allowed_ = true;
  return Add(Type::kFlowEntry, 1);
}

// Fetches the dash of a list item. Inside brackets it is invalid, but the parser reports that.
bool Scanner::FetchBlockEntry() {
  if (!InFlow() && !key_allowed_) {
    return Fail("a list item (-) cannot begin here; fix the indentation", cursor_.mark());
  }
  if (!RollIndent(cursor_.mark(), Type::kBlockSequence, tokens_.next()) || !ForgetKey()) return false;
  key_allowed_ = true;
  return Add(Type::kBlockEntry, 1);
}

bool Scanner::FetchKey() {
  if (!InFlow() && !key_allowed_) return Fail("a key cannot begin here; fix the indentation", cursor_.mark());
  if (!RollIndent(cursor_.mark(), Type::kBlockMapping, tokens_.next()) || !ForgetKey()) return false;
  key_allowed_ = !InFlow();
  return Add(Type::kKey, 1);
}

bool Scanner::FetchValue() {
  Key& key = keys_.back();
  if (!DropStale(key)) return false;
  if (key.possible) {
    if (!FetchImplicitKey(key)) return false;
  } else {
    if (!InFlow() && !key_allowed_) {
      return Fail("a mapping cannot begin here; put text that contains a colon in quotes, or fix the indentation",
                  cursor_.mark());
    }
    if (!RollIndent(cursor_.mark(), Type::kBlockMapping, tokens_.next())) return false;
    key_allowed_ = !InFlow();
  }
  return Add(Type::kValue, 1);
}

bool Scanner::FetchImplicitKey(Key& key) {
  Token token;
  token.type = Type::kKey;
  token.begin = token.end = key.mark;
  tokens_.Insert(key.token, token);
  key.possible = key_allowed_ = false;
  return RollIndent(key.mark, Type::kBlockMapping, key.token);
}

bool Scanner::FetchAnchor(Type type) {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  size_t size = 1;
  while (HasClass(cursor_.at()[size], kWord)) ++size;
  const char* end = cursor_.at() + size;
  if (size == 1 || (!EndsWord(end) && std::string_view("?:,]}%@`").find(*end) == std::string_view::npos)) {
    return Fail(type == Type::kAlias ? "the name of an alias (*) is missing or has characters other than letters, "
                                       "digits, _ and -; put text that begins with * in quotes"
                                     : "the name of an anchor (&) is missing or has characters other than letters, "
                                       "digits, _ and -; put text that begins with & in quotes",
                cursor_.mark());
  }
  return Add(type, size, {cursor_.at() + 1, size - 1});
}

bool Scanner::FetchTag() {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  const char* begin = cursor_.at();
  const bool verbatim = begin[1] == '<';
  const char* end = begin + (verbatim ? 2 : 1);
  while (IsUriCharacter(*end)) ++end;
  if (verbatim && (end == begin + 2 || *end++ != '>')) return Fail("the tag is not closed by >", cursor_.mark());
  if (!EndsWord(end)) return Fail("put a space after the tag", cursor_.mark());
  const auto size = static_cast<size_t>(end - begin);
  return Add(Type::kTag, size, {begin, size});
}

bool Scanner::FetchBlockScalar() {
  if (!ForgetKey()) return false;
  key_allowed_ = true;
  const Mark begin = cursor_.mark();
  const Style style = cursor_.Next() == '|' ? Style::kLiteral : Style::kFolded;
  return AddScalar(style, begin, ScanBlock(cursor_, {indent_, false, tabs_, arena_, buffer_}));
}

bool Scanner::FetchQuoted() {
  if (!SaveKey()) return false;
  key_allowed_ = false;
  const Mark begin = cursor_.mark();
  const Style style = cursor_.Next() == '"' ? Style::kDoubleQuoted : Style::kSingleQuoted;
  return AddScalar(style, begin, ScanQuoted(cursor_, {indent_, InFlow(), tabs_, arena_, buffer_}));
}

bool Scanner::BeginsPlain(char c) const {
  if (!HasClass(c, kIndicator)) return !EndsWord(cursor_.at());
  if (c == '-') return !IsBlank(cursor_.at()[1]);
  return (c == '?' || c == ':') && !InFlow() && !NextEndsWord();
}

bool Scanner::FetchPlain() {
  const Mark begin = cursor_.mark();
  if (!BeginsPlain(cursor_.Next())) {
    return Fail(cursor_.Next() == '\t' ? "tab in the indentation; use spaces"
                                       : "a value cannot begin with this character; put the text in quotes",
                begin);
  }
  if (!SaveKey()) return false;
  key_allowed_ = false;
  const ScannedScalar scalar = ScanPlain(cursor_, {indent_, InFlow(), tabs_, arena_, buffer_});
  if (scalar.at_new_line) key_allowed_ = true;
  return AddScalar(Style::kPlain, begin, scalar);
}

}  // namespace smp::yaml
