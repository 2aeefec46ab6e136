#include "smp/directives.h"

#include "base/strings.h"

namespace smp {

std::string OrderKey(std::string_view list) { return StrCat(kOrderDirective, "/", list); }

std::string DeleteFromListKey(std::string_view list) { return StrCat(kDeleteFromListDirective, "/", list); }

bool IsOrderKey(std::string_view member) { return member.starts_with(kOrderDirective); }

bool IsDeleteFromListKey(std::string_view member) { return member.starts_with(kDeleteFromListDirective); }

bool IsDirective(std::string_view member) {
  return member == kPatchDirective || member == kRetainKeysDirective || IsOrderKey(member) ||
         IsDeleteFromListKey(member);
}

Result<std::string_view> ParallelList(std::string_view member) {
  const std::string_view prefix = IsOrderKey(member) ? kOrderDirective : kDeleteFromListDirective;
  const size_t slash = member.find('/');
  if (slash != prefix.size() || slash + 1 == member.size()) {
    return Error::PatchFormat(StrCat("\"", member, "\" is not a directive; use ", prefix, "/<list>"));
  }
  return member.substr(slash + 1);
}

}  // namespace smp
