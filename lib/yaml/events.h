// Events: the parser's output for a document, in the order of the text.
//
//   a: &x [1]     →   kDocumentStart
//   *x : b            kMappingStart   root, block
//                     kScalar         key   "a"
//                     kSequenceStart  value of "a", flow, anchor "x"; `indicator` is the colon
//                     kScalar         item  "1"
//                     kSequenceEnd
//                     kAlias          key   "x"
//                     kScalar         value "b"
//                     kMappingEnd
//                     kDocumentEnd
//
// Together the marks cover everything except white space and comments, so that a lossless reader can be built on them:
// a node has marks for its indicator (dash, `?` or colon), its properties (anchor and tag) and its content, and an
// entry in brackets has the offset of the comma before it.
#pragma once

#include <cstdint>
#include <string_view>

#include "yaml/token.h"

namespace smp::yaml {

enum class Role : uint8_t { kRoot, kItem, kKey, kValue };

struct Event {
  enum class Type : uint8_t {
    kError,  // see Parser::problem
    kStreamEnd,
    kDocumentStart,  // content: after the directives and `---`; same as `begin` if there is neither
    kDocumentEnd,    // content: start of `...`, else of the next document, else the end of the text
    kAlias,
    kScalar,
    kSequenceStart,
    kSequenceEnd,
    kMappingStart,
    kMappingEnd,
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  Type type = Type::kError;
  Role role = Role::kRoot;
  Style style = Style::kPlain;  // of a scalar; kBlock or kFlow for the start and end of a collection
  bool absent = false;          // an empty scalar without text, e.g. the value in `a:`
  bool is_pair = false;         // a mapping without brackets, as in `[a: b]`
  bool one_line = true;         // the scalar begins and ends on the same line

  // The dash of an item, the `?` of a key or the colon of a value; begin == end if there is no indicator.
  Mark indicator_begin = {};
  Mark indicator_end = {};
  Mark begin = {};           // start of the node's properties, or of its content if it has no properties
  Mark properties_end = {};  // same as `begin` if there are no properties
  Mark content = {};
  Mark end = {};            // end of a scalar or alias, or of the bracket that begins or ends a collection
  uint32_t comma = kNone;   // offset of the comma before an entry or bracket
  std::string_view anchor;  // name of the node's anchor, or of the anchor that an alias refers to
  std::string_view tag;     // in its long form, e.g. tag:yaml.org,2002:str
  std::string_view text;    // value of a scalar: unquoted, unescaped, folded
};

}  // namespace smp::yaml
