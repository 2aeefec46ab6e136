// A parsed template of jsonpath.h. Used only by jsonpath.cc and jsonpath_template.cc.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp::cmd::jsonpath {

struct Node;
using Nodes = std::vector<Node>;

// Start, end or step of [a:b:c].
struct Bound {
  int64_t value = 0;
  bool known = false;
  bool derived = false;  // the end of [a], which is a + 1
};

struct Node {
  enum class Kind {
    kText,
    kAction,      // lists[0]: the nodes in the braces
    kField,       // text
    kIdentifier,  // text: range, end
    kSlice,       // bounds
    kFilter,      // lists[0] text lists[1]; the text is the operator, or "exists"
    kUnion,       // lists
    kInteger,
    kFloat,
    kBool,
    kWildcard,
    kRecursive,
  };
  Kind kind = Kind::kText;
  std::string text = {};
  int64_t integer = 0;
  double number = 0;
  bool boolean = false;
  std::array<Bound, 3> bounds = {};
  std::vector<Nodes> lists = {};
};

inline constexpr int kMaxNesting = 100;  // of filters in a template, and of ranges when it runs

Result<Nodes> ParseTemplate(std::string_view text);

}  // namespace smp::cmd::jsonpath
