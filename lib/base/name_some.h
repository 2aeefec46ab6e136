// Names some of many things in a sentence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/strings.h"

namespace smp {

// Returns "a, b and 3 more", with the first `most` names.
inline std::string NameSome(std::vector<std::string> names, size_t most) {
  const size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  return StrCat(Join(names, ", "), more > 0 ? StrCat(" and ", more, " more") : "");
}

}  // namespace smp
