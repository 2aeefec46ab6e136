#include "override/json_pointer.h"

#include <algorithm>

#include "base/strings.h"
#include "value/json.h"
#include "value/number.h"

namespace smp {

namespace {

Result<std::string> Unescaped(std::string_view token) {
  std::string out;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      out += token[i];
      continue;
    }
    const char code = i + 1 < token.size() ? token[++i] : '\0';
    if (code != '0' && code != '1') {
      return Error::InvalidArgument("in a JSON pointer ~ is followed by 0 (for ~) or 1 (for /)");
    }
    out += code == '0' ? '~' : '/';
  }
  return out;
}

}  // namespace

Result<JsonPointer> ParseJsonPointer(std::string_view text) {
  JsonPointer out;
  if (text.empty()) return out;
  if (text.front() != '/')
    return Error::InvalidArgument(StrCat("\"", text, "\" is no JSON pointer, which begins with /"));
  if (std::count(text.begin(), text.end(), '/') > kMaxDepth) {
    return Error::InvalidArgument(StrCat("the JSON pointer has more than ", kMaxDepth, " parts"));
  }
  for (const std::string_view token : Split(text.substr(1), '/')) {
    SMP_ASSIGN(std::string name, Unescaped(token));
    out.push_back(std::move(name));
  }
  return out;
}

std::string ToString(const JsonPointer& pointer) {
  std::string out;
  for (const std::string& token : pointer) {
    out += '/';
    for (const char c : token) {
      if (c == '~') {
        out += "~0";
      } else if (c == '/') {
        out += "~1";
      } else {
        out += c;
      }
    }
  }
  return out;
}

std::optional<size_t> ParseListIndex(std::string_view token) {
  const bool digits = !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
  const std::optional<int64_t> index = digits && (token == "0" || token[0] != '0') ? ParseInt64(token) : std::nullopt;
  return index ? std::optional<size_t>(static_cast<size_t>(*index)) : std::nullopt;
}

}  // namespace smp
