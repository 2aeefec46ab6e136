// Names some of many things in a sentence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace smp {

// So many are named in a message unless there is a reason for another number.
inline constexpr size_t kMostNamed = 5;

// Returns "a, b and 3 more", with the first `most` names, or one more if that is the last. `between`: for names that have
// commas.
inline std::string NameSome(std::vector<std::string> names, size_t most, std::string_view between = ", ") {
  const size_t more = names.size() <= most + 1 ? 0 : names.size() - most;
  names.resize(names.size() - more);
  return StrCat(Join(names, between), more > 0 ? StrCat(" and ", more, " more") : "");
}

// Things that a sentence names once each, in the order in which they are added.
class NamesOnce {
 public:
  void Add(std::string name) {
    if (seen_.insert(name).second) names_.push_back(std::move(name));
  }
  bool empty() const { return names_.empty(); }
  const std::vector<std::string>& all() const { return names_; }
  std::string Some(size_t most, std::string_view between = ", ") const { return NameSome(names_, most, between); }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> names_;
};

}  // namespace smp
