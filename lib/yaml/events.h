// Events: what the parser says of a document, in the order of the text.
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
// Together the marks cover all that is not white space or comment, so that a lossless reader can be built on them:
// a node has its indicator (dash, `?` or colon), its properties (anchor and tag) and its content, and an entry in
// brackets knows the comma before it.
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
    kDocumentStart,  // content: after the directives and `---`; the same place if there is neither
    kDocumentEnd,    // content: of `...`; else where the next document or the end of the text is
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
  Style style = Style::kPlain;  // of a scalar; kBlock or kFlow of a collection, of its end, too
  bool absent = false;          // a scalar that nothing is written for
  bool is_pair = false;         // a mapping without brackets: `[a: b]`
  bool one_line = true;         // of a scalar

  // The dash of an item, the `?` of a key or the colon of a value; begin == end if there is none.
  Mark indicator_begin = {};
  Mark indicator_end = {};
  Mark begin = {};           // of the node: its properties, or else its content
  Mark properties_end = {};  // begin if there are none
  Mark content = {};
  Mark end = {};            // of scalars and aliases, and of the bracket that begins or ends a collection
  uint32_t comma = kNone;   // offset of the comma before an entry or bracket
  std::string_view anchor;  // its name; of an alias, too
  std::string_view tag;     // in its long form: tag:yaml.org,2002:str
  std::string_view text;    // what a scalar says
};

}  // namespace smp::yaml
