#include "yaml/expansion.h"

#include <algorithm>

#include "value/json.h"

namespace smp::yaml {

std::string_view Expansion::Spend(size_t nodes, size_t bytes, size_t decodes) {
  spent_.nodes += nodes;
  spent_.bytes += bytes;
  spent_.decodes += decodes;
  return Check();
}

std::string_view Expansion::SpendAlias(const Cost& target) {
  decodes_of_aliases_ += target.decodes;
  return Spend(target.nodes, target.bytes, target.decodes + 1);
}

std::string_view Expansion::Check() const {
  if (spent_.nodes > kMaxNodes || spent_.bytes > kMaxInputBytes) {
    return "the document is too large after its aliases are expanded";
  }
  return HasExcessiveAliases() ? "most of the document consists of aliases, which kubectl refuses" : "";
}

// As decoder.unmarshal and allowedAliasRatio of goyaml's decode.go: at most 99 % of a small document and 10 % of a
// large one may come from aliases.
bool Expansion::HasExcessiveAliases() const {
  constexpr double kLow = 400'000, kHigh = 4'000'000;
  if (any_share_of_aliases_ || decodes_of_aliases_ <= 100 || spent_.decodes <= 1000) return false;
  const auto all = static_cast<double>(spent_.decodes);
  const double beyond = std::clamp((all - kLow) / (kHigh - kLow), 0.0, 1.0);
  return static_cast<double>(decodes_of_aliases_) / all > 0.99 - 0.89 * beyond;
}

}  // namespace smp::yaml
