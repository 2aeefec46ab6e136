#include "value/json_pointer.h"

#include "base/strings.h"
#include "value/number.h"

namespace smp {

Result<JsonPointer> ParseJsonPointer(std::string_view text) {
  JsonPointer pointer;
  if (text.empty()) return pointer;
  if (text.front() != '/') {
    return Error::InvalidArgument(StrCat("the path \"", text, "\" must begin with / (or be empty, for the document)"));
  }
  for (const std::string_view piece : Split(text.substr(1), '/')) {
    std::string token;
    for (size_t i = 0; i < piece.size(); ++i) {
      const std::string_view escape = piece.substr(i, 2);
      if (piece[i] != '~') {
        token += piece[i];
      } else if (escape == "~0" || escape == "~1") {
        token += escape == "~0" ? '~' : '/';
        ++i;
      } else {
        return Error::InvalidArgument(
            StrCat("in the path \"", text, "\" a ~ must be followed by 0 or 1; write ~0 for ~"));
      }
    }
    pointer.push_back(std::move(token));
  }
  return pointer;
}

std::string EscapedToken(std::string_view token) {
  std::string out;
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string ToString(const JsonPointer& pointer) {
  std::string out;
  for (const std::string& token : pointer) out += StrCat("/", EscapedToken(token));
  return out;
}

std::optional<size_t> ParseListIndex(std::string_view token) {
  const bool digits = !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
  const std::optional<int64_t> index = digits && (token == "0" || token[0] != '0') ? ParseInt64(token) : std::nullopt;
  return index ? std::optional<size_t>(static_cast<size_t>(*index)) : std::nullopt;
}

}  // namespace smp
