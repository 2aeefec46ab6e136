#include "auth/bearer_token.h"

#include <algorithm>

#include "base/read_file.h"
#include "base/strings.h"

namespace smp::auth {
namespace {

constexpr size_t kMaxTokenBytes = 1UL << 20;
constexpr int64_t kReadAgainAfterMs = 60'000;

// A line end in a header value would start another header.
bool IsTokenText(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

Result<std::string> BearerToken::Get(int64_t now_ms) {
  if (!file_.empty() && (!read_at_ms_ || now_ms - *read_at_ms_ >= kReadAgainAfterMs)) {
    Result<std::string> text = ReadWholeFile(file_, kMaxTokenBytes, "tokenFile");
    if (!text.ok() && token_.empty()) return Error::InvalidArgument(text.error().message);
    if (text.ok() && !Trim(*text).empty()) token_ = Trim(*text);
    read_at_ms_ = now_ms;
  }
  if (!IsTokenText(token_)) {
    return Error::InvalidArgument(
        StrCat("the bearer token ", file_.empty() ? std::string() : "in " + file_ + " ",
               "contains a space, newline or other invalid character; check it for a copy-and-paste error"));
  }
  if (token_.empty() && !file_.empty()) return Error::InvalidArgument(StrCat("tokenFile ", file_, " is empty"));
  return token_;
}

}  // namespace smp::auth
