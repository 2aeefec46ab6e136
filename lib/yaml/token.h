// The tokens of YAML 1.1 that the scanner passes to the parser.
#pragma once

#include <cstdint>
#include <string_view>

namespace smp::yaml {

// A position in the text. All members count from 0.
struct Mark {
  uint32_t offset = 0;  // bytes
  uint32_t line = 0;
  uint32_t column = 0;  // characters
};

enum class Style : uint8_t { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral, kFolded, kBlock, kFlow };

struct Token {
  enum class Type : uint8_t {
    kError,  // see Scanner::problem
    kStreamEnd,
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
    kKey,  // empty (begin == end) if the key has no `?`
    kValue,
    kAlias,
    kAnchor,
    kTag,
    kScalar,
  };

  Type type = Type::kError;
  Style style = Style::kPlain;  // of a scalar
  bool one_line = true;
  Mark begin = {};
  Mark end = {};               // after the last byte; a block scalar ends before its last line break
  std::string_view text = {};  // value of a scalar; name of an anchor or alias; a tag or directive as written
};

}  // namespace smp::yaml
