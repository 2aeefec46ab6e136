// The syntax tree of a regular expression. Private to re2_pattern.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/code_ranges.h"

namespace smp {

struct Re2Node {
  enum class Kind : uint8_t {
    kEmpty,
    kRunes,  // one character of `ranges`
    kSequence,
    kChoice,
    kRepeat,  // the first child, `least` to `most` times
    kAssert
  };
  enum class Assertion : uint8_t { kBeginText, kEndText, kBeginLine, kEndLine, kWordBoundary, kNoWordBoundary };
  static constexpr int kNoLimit = -1;

  Kind kind = Kind::kEmpty;
  Assertion assertion = Assertion::kBeginText;
  int least = 0, most = 0;
  std::vector<CodeRange> ranges = {};  // sorted, without overlaps
  std::vector<std::unique_ptr<Re2Node>> children = {};
};

// Errors: as of Re2Pattern::Parse.
Result<std::unique_ptr<Re2Node>> ParseRe2(std::string_view pattern);

}  // namespace smp
