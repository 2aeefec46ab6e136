// Expansion: counts the size of a document with its aliases expanded, and enforces limits on it.
#pragma once

#include <cstddef>
#include <string_view>

namespace smp::yaml {

// The cost of a node with everything in it. Each alias of the node costs the same again.
struct Cost {
  size_t nodes = 0;
  size_t bytes = 0;    // of strings
  size_t depth = 0;    // levels of collections
  size_t decodes = 0;  // calls of Go's decoder.unmarshal
};

class Expansion {
 public:
  // `any_share_of_aliases`: do not apply Go's limit to the share of a document that comes from aliases.
  explicit Expansion(bool any_share_of_aliases) : any_share_of_aliases_(any_share_of_aliases) {}

  const Cost& spent() const { return spent_; }

  // Both add to spent() and return why the document must be refused; empty if it is within the limits.
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
