#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "edit/text_reader.h"
#include "value/json.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kDigits = "0123456789";

Error ErrorAt(std::string_view text, size_t at, std::string_view why) {
  Error error = Error::Parse(StrCat("this is not valid JSON: ", why));
  error.source.line = LineAt(text, at);
  return error;
}

// Parses four hexadecimal digits.
std::optional<char32_t> Hexadecimal(std::string_view text, size_t at) {
  uint32_t code = 0;
  if (at + 4 > text.size()) return std::nullopt;
  const char* begin = text.data() + at;
  return std::from_chars(begin, begin + 4, code, 16).ptr == begin + 4 ? std::optional<char32_t>(code) : std::nullopt;
}

bool IsHigh(char32_t code) { return code >= 0xD800 && code <= 0xDBFF; }
bool IsLow(char32_t code) { return code >= 0xDC00 && code <= 0xDFFF; }

// Decodes the escape whose u is at `at`, and moves `at` past it. An unpaired surrogate becomes U+FFFD, as in Go.
std::optional<char32_t> UnicodeEscape(std::string_view text, size_t& at) {
  const std::optional<char32_t> first = Hexadecimal(text, at + 1);
  if (!first) return std::nullopt;
  at += 5;
  if (!IsHigh(*first)) return IsLow(*first) ? kReplacementRune : *first;
  const bool escape_follows = text.substr(at, 2) == "\\u";
  const std::optional<char32_t> second = escape_follows ? Hexadecimal(text, at + 2) : std::nullopt;
  if (!second || !IsLow(*second)) return kReplacementRune;
  at += 6;
  return 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00);
}

// Decodes the inside of a string; nullopt if an escape is invalid.
std::optional<std::string> Unescaped(std::string_view inside) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  std::string out;
  for (size_t at = 0; at < inside.size();) {
    if (inside[at] != '\\') {
      out += inside[at++];
      continue;
    }
    const char c = inside[++at];
    if (c == 'u') {
      const std::optional<char32_t> code = UnicodeEscape(inside, at);
      if (!code) return std::nullopt;
      AppendUtf8(out, *code);
    } else {
      const size_t named = kNames.find(c);
      if (named == std::string_view::npos) return std::nullopt;
      out += kMeanings[named];
      ++at;
    }
  }
  return out;
}

// Returns the size of the number at the beginning, 0 if there is none.
size_t NumberSize(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
    return std::exchange(at, end) != end;
  };
  if (text.substr(at, 1) == "0") {
    ++at;
  } else if (!digits()) {
    return 0;
  }
  if (text.substr(at, 1) == ".") {
    ++at;
    if (!digits()) return 0;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return 0;
  }
  return at;
}

class JsonTextReader {
 public:
  explicit JsonTextReader(TextTree& tree) : tree_(tree), text_(tree.text), valid_utf8_(IsValidUtf8(tree.text)) {}

  Status Read() {
    SkipSpace();
    if (at_ == text_.size()) return Bad("there is no value");
    SMP_TRY(ReadValue(nullptr));
    while (!open_.empty()) SMP_TRY(ReadNext());
    SkipSpace();
    if (at_ < text_.size()) return Bad("there is something behind the value");
    tree_.end = static_cast<uint32_t>(text_.size());
    if (tree_.root()->is_collection() || tree_.root()->value.is_null()) return Ok();
    return ErrorAt(text_, tree_.root()->begin, "the document is no object and no array");
  }

 private:
  Error Bad(std::string_view why) const { return ErrorAt(text_, at_, why); }
  uint32_t Here() const { return static_cast<uint32_t>(at_); }
  void SkipSpace() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }
  bool Sees(char c) const { return at_ < text_.size() && text_[at_] == c; }

  // Reads the next item, member or closing bracket of the innermost open collection.
  Status ReadNext() {
    TextNode* node = open_.back();
    const bool is_map = node->kind == TextNode::Kind::kMapping;
    SkipSpace();
    if (Sees(is_map ? '}' : ']') && (last_ == nullptr || behind_value_)) return Close();
    if (behind_value_) {
      if (!Sees(','))
        return Bad(is_map ? "a comma or } is missing behind a member" : "a comma or ] is missing behind an item");
      last_->comma = Here();
      ++at_;
      SkipSpace();
    }
    return is_map ? ReadMember(node) : ReadItem(node);
  }

  Status ReadItem(TextNode* node) {
    TextEntry* entry = Add(node);
    entry->slot = Here();
    return ReadValue(entry);
  }

  Status ReadMember(TextNode* node) {
    if (!Sees('"')) return Bad("a name in double quotes is missing");
    TextEntry* entry = Add(node);
    SMP_ASSIGN(entry->key, ReadString());
    entry->key->entry = entry;
    entry->name = entry->spelling = entry->key->spelling;
    SkipSpace();
    if (!Sees(':')) return Bad("a colon is missing behind a name");
    entry->slot = Here() + 1;
    ++at_;
    SkipSpace();
    return ReadValue(entry);
  }

  TextEntry* Add(TextNode* node) {
    TextEntry* entry = NewEntry(tree_, node);
    entry->begin = Here();
    return entry;
  }

  Status ReadValue(TextEntry* entry) {
    if (++tree_.expanded_nodes > kMaxTextNodes) return Bad("it holds too many values");
    if (Sees('{') || Sees('[')) return Open(entry);
    Result<TextNode*> scalar = Sees('"') ? ReadString() : ReadWord();
    if (!scalar) return std::move(scalar).error();
    Place(entry, *scalar);
    Finish(*scalar);
    return Ok();
  }

  void Place(TextEntry* entry, TextNode* node) {
    node->entry = entry;
    (entry == nullptr ? tree_.document : *entry).value = node;
  }

  // Called when a value is complete.
  void Finish(const TextNode* node) {
    if (node->entry != nullptr) node->entry->end = node->end;
    last_ = node->entry;
    behind_value_ = true;
  }

  TextNode* Begin(TextNode::Kind kind, TextNode::Style style) {
    TextNode* node = NewNode(tree_, kind);
    node->style = style;
    node->begin = node->content = Here();
    return node;
  }

  Status Open(TextEntry* entry) {
    if (open_.size() >= static_cast<size_t>(kMaxDepth))
      return Bad(StrCat("it is nested deeper than ", kMaxDepth, " levels"));
    TextNode* node = Begin(Sees('{') ? TextNode::Kind::kMapping : TextNode::Kind::kSequence, TextNode::Style::kFlow);
    Place(entry, node);
    ++at_;
    open_.push_back(node);
    last_ = nullptr;
    behind_value_ = false;
    return Ok();
  }

  Status Close() {
    TextNode* node = open_.back();
    open_.pop_back();
    ++at_;
    node->end = Here();
    Finish(node);
    return Ok();
  }

  Result<TextNode*> ReadString() {
    TextNode* node = Begin(TextNode::Kind::kScalar, TextNode::Style::kDoubleQuoted);
    bool escaped = false;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return Bad("a control character in a string must be escaped");
      if (text_[at_] != '\\') continue;
      escaped = true;
      ++at_;
    }
    if (at_ >= text_.size()) return ErrorAt(text_, node->begin, "the quote that opens here is not closed");
    std::string_view inside = text_.substr(node->begin + 1, at_ - node->begin - 1);
    ++at_;
    node->end = Here();
    node->written = text_.substr(node->begin, node->end - node->begin);
    if (escaped) {
      const std::optional<std::string> said = Unescaped(inside);
      if (!said) return ErrorAt(text_, node->begin, "JSON does not know an escape in this string");
      inside = tree_.arena.Copy(*said);
    }
    node->spelling = valid_utf8_ ? inside : tree_.arena.Copy(ReplaceInvalidUtf8(inside));
    node->value = Value::UnownedString(node->spelling);
    return node;
  }

  Result<TextNode*> ReadWord() {
    TextNode* node = Begin(TextNode::Kind::kScalar, TextNode::Style::kPlain);
    const std::string_view rest = text_.substr(at_);
    size_t size = NumberSize(rest);
    if (size > 0) {
      SMP_ASSIGN(node->value, Number(rest.substr(0, size)));
    } else if (rest.starts_with("true") || rest.starts_with("null")) {
      size = 4;
      if (rest.front() == 't') node->value = Value::Bool(true);
    } else if (rest.starts_with("false")) {
      size = 5;
      node->value = Value::Bool(false);
    } else {
      return Bad("a value is missing");
    }
    at_ += size;
    node->end = Here();
    node->written = node->spelling = rest.substr(0, size);
    return node;
  }

  Result<Value> Number(std::string_view number) const {
    if (number.find_first_of(".eE") == std::string_view::npos) {
      if (const std::optional<int64_t> integer = ParseInt64(number)) return Value::Int(*integer);
    }
    const std::optional<double> d = ParseDouble(number);
    if (!d) return Bad("the number is too large");
    return Value::Double(*d);
  }

  TextTree& tree_;
  std::string_view text_;
  bool valid_utf8_;
  size_t at_ = 0;
  std::vector<TextNode*> open_;
  TextEntry* last_ = nullptr;  // the last entry of the innermost open collection; nullptr: it is empty so far
  bool behind_value_ = false;
};

}  // namespace

Result<std::unique_ptr<TextTree>> ReadJsonText(std::string_view text) {
  auto tree = std::make_unique<TextTree>();
  tree->format = DataFormat::kJson;
  if (text.size() > kMaxInputBytes) return ErrorAt({}, 0, StrCat("it is larger than ", kMaxInputBytes >> 20, " MiB"));
  tree->text = text;
  if (text.find("\r\n") != std::string_view::npos && text.find('\n') > text.find('\r')) tree->line_end = "\r\n";
  SMP_TRY(JsonTextReader(*tree).Read());
  return tree;
}

}  // namespace smp
