// Parser: tokens → events, like goyaml's parserc.go. Uses an explicit stack, no recursion. Reads all documents of a
// text, one after the other.
//
//   Parser parser(text, 0, arena);
//   while (parser.Next().type > Event::Type::kStreamEnd) Use(parser.event());
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/document.h"
#include "yaml/events.h"
#include "yaml/scanner.h"
#include "yaml/tags.h"

namespace smp::yaml {

class Parser {
 public:
  // Starts at offset `begin`. `arena` stores strings that are not parts of the text. REQUIRES: a NUL byte follows
  // `text`, and `text` contains none.
  Parser(std::string_view text, size_t begin, Arena& arena, BlankTabs tabs = BlankTabs::kRefuse)
      : scanner_(text, begin, arena, tabs), arena_(arena) {}

  // Returns the next event. After kError or kStreamEnd, every call returns the same event again.
  const Event& Next();
  const Event& event() const { return event_; }

  std::string_view problem() const { return problem_; }
  Mark problem_mark() const { return problem_mark_; }

 private:
  using Type = Token::Type;

  enum class Place : uint8_t { kStream, kDocument, kDocumentEnd };
  enum class Form : uint8_t { kBlockSequence, kIndentless, kBlockMapping, kFlowSequence, kFlowMapping, kPair };
  enum class Expect : uint8_t { kEntry, kValue, kNoValue };
  enum class Context : uint8_t { kBlock, kBlockOrIndentless, kFlow };

  struct Frame {
    Form form;
    Expect expect = Expect::kEntry;
    bool has_entry = false;
  };

  bool Is(Type type) { return scanner_.Peek().type == type; }
  template <class... Types>
  bool IsAny(Types... types) {
    const Type type = scanner_.Peek().type;
    return ((type == types) || ...);
  }
  Mark PeekBegin() { return scanner_.Peek().begin; }
  Token Take();
  void TakeIndicator();
  bool Fail(std::string_view why, Mark mark);
  bool Unexpected(std::string_view why);

  bool ReadNext();
  bool ReadStream();
  bool ReadDirectives();
  bool ReadDocument();
  bool ReadDocumentEnd();
  bool ReadEntry();

  bool ReadNode(Role role, Context context);
  bool ReadAlias();
  bool ReadProperties();
  bool TakeTag();
  bool ReadScalar();
  bool ReadAbsent(Role role, Mark mark);
  std::optional<Form> FormOf(Context context);
  bool Open(Form form);
  bool Close(bool takes_token);
  std::string_view MissingNode();

  bool ReadBlockItem();
  bool ReadBlockKey();
  bool ReadBlockValue();
  bool ReadFlowItem();
  bool ReadFlowKey();
  bool ReadFlowValue(Type end);
  bool ReadPairKey();
  bool TakeComma(std::string_view why);

  Scanner scanner_;
  Arena& arena_;
  TagHandles tag_handles_;
  std::string tag_;  // scratch
  std::vector<Frame> open_;
  Place place_ = Place::kStream;
  bool first_document_ = true;
  Event event_;
  std::string_view problem_;
  Mark problem_mark_;
};

}  // namespace smp::yaml
