// YamlScanner: the tokens of one YAML 1.1 document with their places, as the scanner of Go's yaml.v2 finds them. It
// looks ahead only as far as a key without `?` may reach: one line, 1024 characters.
#ifndef SMP_OVERRIDE_YAML_SCANNER_H_
#define SMP_OVERRIDE_YAML_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "override/text_tree.h"

namespace smp {

struct YamlToken {
  enum class Type : uint8_t {
    kError,  // see YamlScanner::problem
    kEnd,    // of the text
    kDirective,
    kDocumentStart,
    kDocumentEnd,
    kBlockSequence,
    kBlockMapping,
    kBlockEnd,
    kFlowSequence,
    kFlowSequenceEnd,
    kFlowMapping,
    kFlowMappingEnd,
    kBlockEntry,
    kFlowEntry,
    kKey,
    kValue,
    kAlias,
    kAnchor,
    kTag,
    kScalar,
  };

  Type type = Type::kError;
  TextNode::Style style = TextNode::Style::kPlain;
  bool one_line = true;
  uint32_t begin = 0;
  uint32_t end = 0;            // behind the last byte; of a block of text without the last line end
  std::string_view text = {};  // what a scalar says, the name of an anchor or alias, a tag as it is written
};

// The line end at `at`: 0 bytes if there is none.
size_t LineEndSize(std::string_view text, size_t at);

class YamlScanner {
 public:
  // Begins at `begin`. `arena` keeps what scalars say where it is not what is written.
  YamlScanner(std::string_view text, size_t begin, Arena& arena);

  const YamlToken& Peek();
  void Skip();

  std::string_view problem() const { return problem_; }
  size_t problem_place() const { return problem_place_; }

 private:
  struct Key {
    bool possible = false;
    bool required = false;
    size_t token = 0;
    size_t place = 0;
    size_t line = 0;
    int column = 0;
  };

  using Type = YamlToken::Type;

  bool AtEnd() const { return at_ >= text_.size(); }
  char Next(size_t offset = 0) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
  bool IsBlankAt(size_t at) const { return at < text_.size() && (text_[at] == ' ' || text_[at] == '\t'); }
  bool EndsWord(size_t at) const { return at >= text_.size() || IsBlankAt(at) || LineEndSize(text_, at) > 0; }
  bool InFlow() const { return keys_.size() > 1; }
  bool IsMarker(std::string_view marker) const;
  int Column();
  bool Fail(std::string_view why, size_t place);
  bool SkipLineEnd();

  bool NeedsMore();
  bool IsValid(const Key& key) const;
  bool IsBlankLine() const;
  void SkipToToken();
  bool Fetch();
  bool FetchIndicator(char c);
  void Add(Type type, size_t size);
  void RollIndent(int column, size_t token, size_t place);
  void RollIndentHere(Type type);
  void UnrollIndent(int column);
  bool SaveKey();
  bool ForgetKey();

  bool FetchEnd();
  bool FetchDirective();
  bool FetchMarker(Type type);
  bool FetchFlowStart(Type type);
  bool FetchFlowEnd(Type type);
  bool FetchBlockEntry();
  bool FetchKey();
  bool FetchValue();
  bool FetchAnchor(Type type);
  bool FetchTag();
  bool FetchBlockScalar();
  bool FetchQuoted();
  bool FetchPlain();
  bool BeginsPlain(char c) const;
  bool EndsPlain() const;
  bool SkipQuoted(char quote, bool& simple);

  std::string_view text_;
  Arena& arena_;
  size_t at_;
  size_t line_ = 0;
  size_t line_begin_;
  size_t column_place_;  // where column_ was counted
  int column_ = 0;
  int indent_ = -1;
  std::vector<int> indents_;
  std::vector<Key> keys_;                               // one for the block context and one for each open bracket
  std::deque<std::pair<size_t, size_t>> pending_keys_;  // token and level, by token
  std::deque<YamlToken> tokens_;
  size_t taken_ = 0;
  bool key_allowed_ = true;
  bool finished_ = false;
  std::string_view problem_;
  size_t problem_place_ = 0;
};

}  // namespace smp

#endif  // SMP_OVERRIDE_YAML_SCANNER_H_
