#include "value/label_syntax.h"

#include <algorithm>

#include "base/strings.h"
#include "value/name_syntax.h"

namespace smp {

namespace {

constexpr size_t kMaxName = 63;

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool IsName(std::string_view text) {
  return !text.empty() && IsAlnum(text.front()) && IsAlnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

}  // namespace

std::string ProblemOfQualifiedName(std::string_view key) {
  const size_t slash = key.find('/');
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (slash != std::string_view::npos && !IsDnsSubdomain(key.substr(0, slash))) {
    return StrCat("the part of \"", key, "\" before the / is not a DNS name");
  }
  if (name.size() > kMaxName) return StrCat("the name in \"", key, "\" has more than ", kMaxName, " characters");
  if (!IsName(name)) {
    return StrCat("\"", key,
                  "\" is not a valid key: its name must consist of letters, digits, '-', '_' and '.', and begin and "
                  "end with a letter or digit");
  }
  return {};
}

std::string ProblemOfLabelValue(std::string_view value) {
  if (value.size() > kMaxName) return StrCat("\"", value, "\" has more than ", kMaxName, " characters");
  if (!value.empty() && !IsName(value)) {
    return StrCat("\"", value,
                  "\" is not a valid label value: it must consist of letters, digits, '-', '_' and '.', and begin and "
                  "end with a letter or digit");
  }
  return {};
}

}  // namespace smp
