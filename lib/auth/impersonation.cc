#include "auth/impersonation.h"

#include <algorithm>

#include "base/strings.h"
#include "net/percent.h"

namespace smp::auth {
namespace {

// RFC 7230, 3.2.6 (token), without % itself: client-go's headerKeyEscape.
bool IsPlainInHeaderName(char c) {
  return IsAlnum(c) || (c != '\0' && std::string_view("!#$&'*+-.^_`|~").find(c) != std::string_view::npos);
}

// A line end would start another header. Like Go's ValidHeaderFieldValue, allows tabs but no other control characters.
bool FitsIntoHeader(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= ' ' && byte != 0x7f) || c == '\t';
  });
}

}  // namespace

Result<Impersonation> MergeImpersonation(Impersonation of_user, const Impersonation& of_flags,
                                         const std::vector<std::string>& user_extra) {
  if (!of_flags.user.empty()) of_user.user = of_flags.user;
  if (!of_flags.uid.empty()) of_user.uid = of_flags.uid;
  if (!of_flags.groups.empty()) of_user.groups = of_flags.groups;
  std::map<std::string, std::vector<std::string>> extra;
  for (const std::string& text : user_extra) {
    const size_t sign = text.find('=');
    // Differs from kubectl: it drops a value without "=", and so acts with other rights than the user asked for.
    if (sign == std::string::npos || sign == 0) {
      return Error::InvalidArgument(StrCat("invalid --as-user-extra \"", text, "\": it must be KEY=VALUE"));
    }
    extra[text.substr(0, sign)].push_back(text.substr(sign + 1));
  }
  for (auto& [key, values] : extra) of_user.extra[key] = std::move(values);
  return of_user;
}

Status CheckImpersonation(const Impersonation& as, const std::string& user_name) {
  if (as.user.empty() && !as.empty()) {
    return Error::InvalidArgument(StrCat("requesting uid, groups or user-extra for ",
                                         user_name.empty() ? "the user" : user_name,
                                         " without impersonating a user; specify one with --as"));
  }
  for (const auto& [name, value] : ImpersonationHeaders(as)) {
    if (!FitsIntoHeader(value)) {
      return Error::InvalidArgument(StrCat("cannot impersonate: the value of ", name, " contains a control character"));
    }
  }
  return Ok();
}

net::Headers ImpersonationHeaders(const Impersonation& as) {
  net::Headers headers;
  if (as.user.empty()) return headers;
  headers.emplace_back("Impersonate-User", as.user);
  if (!as.uid.empty()) headers.emplace_back("Impersonate-Uid", as.uid);
  for (const std::string& group : as.groups) headers.emplace_back("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra) {
    for (const std::string& value : values) {
      headers.emplace_back("Impersonate-Extra-" + net::PercentEncoded(key, &IsPlainInHeaderName), value);
    }
  }
  return headers;
}

}  // namespace smp::auth
