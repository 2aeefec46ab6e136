#include <algorithm>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "edit/text_reader.h"
#include "value/json.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp::edit {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Builds the TextTree with its offsets. REQUIRES: the text is valid JSON.
class JsonTextReader {
 public:
  explicit JsonTextReader(TextTree& tree) : tree_(tree), text_(tree.text), valid_utf8_(IsValidUtf8(tree.text)) {}

  Status Read() {
    while (SkipSpace() < text_.size()) {
      ReadToken(text_[at_]);
      if (tree_.expanded_nodes > kMaxTextNodes) return Bad("it has too many values", at_);
    }
    tree_.end = Here();
    if (tree_.root()->is_collection() || tree_.root()->value.is_null()) return Ok();
    return Bad("the document must be an object or an array", tree_.root()->begin);
  }

 private:
  Error Bad(std::string_view why, size_t at) const {
    Error error = Error::Parse(StrCat("this is not valid JSON: ", why));
    error.source.line = LineAt(text_, at);
    return error;
  }

  uint32_t Here() const { return static_cast<uint32_t>(at_); }
  size_t SkipSpace() { return at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

  void ReadToken(char c) {
    switch (c) {
      case '{': return Open(TextNode::Kind::kMapping);
      case '[': return Open(TextNode::Kind::kSequence);
      case '}':
      case ']': return Close();
      case ',': return Mark(open_.back()->last->comma, at_++);
      case ':': return Mark(open_.back()->last->slot, ++at_);
      default: return IsAtKey() ? ReadKey() : ReadValue();
    }
  }

  static void Mark(uint32_t& place, size_t at) { place = static_cast<uint32_t>(at); }

  TextNode* Begin(TextNode::Kind kind, TextNode::Style style) {
    TextNode* node = NewNode(tree_, kind);
    node->style = style;
    node->begin = node->content = Here();
    return node;
  }

  bool IsAtKey() const {
    if (open_.empty() || open_.back()->kind != TextNode::Kind::kMapping) return false;
    const TextEntry* last = open_.back()->last;
    return last == nullptr || last->value != nullptr;
  }

  void ReadKey() {
    TextEntry* entry = NewEntry(tree_, open_.back());
    entry->begin = Here();
    entry->key = ReadScalar();
    entry->key->entry = entry;
    entry->name = entry->spelling = entry->key->spelling;
  }

  // Returns the entry for the value that begins here; nullptr for the root.
  TextEntry* BeginValue() {
    ++tree_.expanded_nodes;
    if (open_.empty()) return nullptr;
    if (open_.back()->kind == TextNode::Kind::kMapping) return open_.back()->last;
    TextEntry* entry = NewEntry(tree_, open_.back());
    entry->begin = entry->slot = Here();
    return entry;
  }

  void ReadValue() {
    TextEntry* entry = BeginValue();
    End(ReadScalar(), entry);
  }

  void End(TextNode* node, TextEntry* entry) {
    node->entry = entry;
    node->end = Here();
    (entry == nullptr ? tree_.document : *entry).value = node;
    if (entry != nullptr) entry->end = node->end;
  }

  void Open(TextNode::Kind kind) {
    TextNode* node = Begin(kind, TextNode::Style::kFlow);
    End(node, BeginValue());
    open_.push_back(node);
    ++at_;
  }

  void Close() {
    ++at_;
    End(open_.back(), open_.back()->entry);
    open_.pop_back();
  }

  TextNode* ReadScalar() {
    const bool is_string = text_[at_] == '"';
    TextNode* node =
        Begin(TextNode::Kind::kScalar, is_string ? TextNode::Style::kDoubleQuoted : TextNode::Style::kPlain);
    at_ = is_string ? EndOfString() : std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
    node->end = Here();
    node->written = text_.substr(node->begin, node->end - node->begin);
    node->value = is_string ? ValueOfString(node->written) : ValueOfWord(node->written);
    node->spelling = is_string ? node->value.AsString() : node->written;
    return node;
  }

  size_t EndOfString() const {
    size_t at = at_ + 1;
    while (text_[at] != '"') at += text_[at] == '\\' ? 2 : 1;
    return at + 1;
  }

  Value ValueOfString(std::string_view written) {
    const bool as_written = valid_utf8_ && written.find('\\') == std::string_view::npos;
    if (as_written) return Value::UnownedString(written.substr(1, written.size() - 2));
    return tree_.arena.String(ParseJson(written)->root().AsString());
  }

  static Value ValueOfWord(std::string_view written) {
    if (written == "null") return {};
    if (written == "true" || written == "false") return Value::Bool(written == "true");
    const bool is_integer = written.find_first_of(".eE") == std::string_view::npos;
    if (const std::optional<int64_t> integer = is_integer ? ParseInt64(written) : std::nullopt) {
      return Value::Int(*integer);
    }
    return Value::Double(ParseDouble(written).value_or(0));
  }

  TextTree& tree_;
  std::string_view text_;
  bool valid_utf8_;
  size_t at_ = 0;
  std::vector<TextNode*> open_;
};

}  // namespace

Result<std::unique_ptr<TextTree>> ReadJsonText(std::string_view text) {
  SMP_TRY(ParseJson(text));
  auto tree = std::make_unique<TextTree>();
  tree->format = DataFormat::kJson;
  tree->text = text;
  if (text.find("\r\n") != std::string_view::npos && text.find('\n') > text.find('\r')) tree->line_end = "\r\n";
  SMP_TRY(JsonTextReader(*tree).Read());
  return tree;
}

}  // namespace smp::edit
