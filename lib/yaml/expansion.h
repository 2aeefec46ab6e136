// What a document grows to when its aliases are expanded, and the limits of that.
#pragma once

#include <cstddef>
#include <string_view>

namespace smp::yaml {

inline constexpr size_t kMaxNodes = 10'000'000;  // a "billion laughs" ends here

// Of a node with all that is in it; an alias of it costs as much again.
struct Cost {
  size_t nodes = 0;
  size_t bytes = 0;    // of strings
  size_t depth = 0;    // levels of collections
  size_t decodes = 0;  // calls of Go's decoder.unmarshal
};

class Expansion {
 public:
  // `any_share_of_aliases`: whether a document may consist of aliases for the most part.
  explicit Expansion(bool any_share_of_aliases) : any_share_of_aliases_(any_share_of_aliases) {}

  const Cost& spent() const { return spent_; }

  // Each returns why the document is refused; empty if it is not.
  std::string_view Spend(size_t nodes, size_t bytes, size_t decodes);
  std::string_view SpendAlias(const Cost& target);

 private:
  std::string_view Check() const;
  bool HasExcessiveAliases() const;

  bool any_share_of_aliases_;
  Cost spent_ = {0, 0, 0, 1};  // Go decodes the document itself, too
  size_t decodes_of_aliases_ = 0;
};

}  // namespace smp::yaml
