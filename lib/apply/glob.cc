#include "apply/glob.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>
#include <utility>

#include "base/path_syntax.h"
#include "base/strings.h"
#include "value/utf8.h"

namespace smp::apply {

namespace {

namespace fs = std::filesystem;

// As in Go: where \ separates the parts of a path, nothing escapes.
bool IsEscape(char c) { return c == '\\' && !IsPathSeparator(c); }

// Removes and returns the first character of `text`.
char32_t TakeRune(std::string_view& text) {
  const Rune rune = FirstRune(text);
  text.remove_prefix(rune.size);
  return rune.code;
}

// Removes one end of a range in a class and returns it; nullopt if malformed (Go's filepath.getEsc).
std::optional<char32_t> TakeClassRune(std::string_view& pattern) {
  if (pattern.empty() || pattern[0] == '-' || pattern[0] == ']') return std::nullopt;
  if (IsEscape(pattern[0])) pattern.remove_prefix(1);
  if (pattern.empty()) return std::nullopt;
  return TakeRune(pattern);
}

// Removes a class (after its [) from the pattern. Returns true if `rune` is in it, nullopt if malformed.
std::optional<bool> TakeClass(std::string_view& pattern, char32_t rune) {
  const bool negated = pattern.starts_with('^');
  if (negated) pattern.remove_prefix(1);
  bool in_class = false;
  for (bool first = true; first || !pattern.starts_with(']'); first = false) {
    const std::optional<char32_t> low = TakeClassRune(pattern);
    if (!low) return std::nullopt;
    std::optional<char32_t> high = low;
    if (pattern.starts_with('-')) {
      pattern.remove_prefix(1);
      high = TakeClassRune(pattern);
      if (!high) return std::nullopt;
    }
    in_class |= *low <= rune && rune <= *high;
  }
  pattern.remove_prefix(1);
  return in_class != negated;
}

// Removes one pattern element (not a *) and one character of `name`. Returns true if they match. REQUIRES:
// !name.empty().
bool TakeElement(std::string_view& pattern, std::string_view& name) {
  const char sign = pattern[0];
  if (sign == '[') {
    pattern.remove_prefix(1);
    const char32_t rune = TakeRune(name);
    return TakeClass(pattern, rune).value_or(false);
  }
  if (sign == '?') {
    pattern.remove_prefix(1);
    (void)TakeRune(name);
    return true;
  }
  if (IsEscape(sign)) pattern.remove_prefix(1);
  if (pattern.empty() || pattern[0] != name[0]) return false;
  pattern.remove_prefix(1);
  name.remove_prefix(1);
  return true;
}

bool HasMeta(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c == '*' || c == '?' || c == '[' || IsEscape(c); });
}

std::vector<std::string> Parts(std::string_view path) {
  std::vector<std::string> out = {""};
  for (const char c : path) {
    if (!IsPathSeparator(c)) {
      out.back() += c;
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() != fs::file_type::not_found && !error;
}

// Adds the matches in one folder; none if the folder cannot be read, as in Go.
void AddMatches(const std::string& folder, const std::string& pattern, std::vector<std::string>& out) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (!MatchesGlob(pattern, name)) continue;
    out.push_back(folder.empty() ? name : (fs::path(folder) / name).string());
  }
}

}  // namespace

bool MatchesGlob(std::string_view pattern, std::string_view name) {
  // On a mismatch, go back to the last * and let it take one more character.
  std::optional<std::pair<std::string_view, std::string_view>> star;
  while (true) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      star = {pattern, name};
      continue;
    }
    if (pattern.empty() && name.empty()) return true;
    if (!pattern.empty() && !name.empty() && TakeElement(pattern, name)) continue;
    if (!star || star->second.empty()) return false;
    (void)TakeRune(star->second);
    std::tie(pattern, name) = *star;
  }
}

bool IsGlobPattern(std::string_view pattern) {
  while (!pattern.empty()) {
    const char sign = pattern[0];
    pattern.remove_prefix(1);
    if (sign == '[' && !TakeClass(pattern, 0)) return false;
    if (IsEscape(sign)) {
      if (pattern.empty()) return false;
      pattern.remove_prefix(1);
    }
  }
  return true;
}

Result<std::vector<std::string>> Glob(const std::string& pattern) {
  if (!IsGlobPattern(pattern)) {
    return Error::InvalidArgument(StrCat("pattern \"", pattern, "\" is not valid: syntax error in pattern"));
  }
  if (pattern.empty()) return std::vector<std::string>();
  // Component by component from the left, not recursively, so that deep patterns are safe.
  const fs::path whole = pattern;
  std::vector<std::string> found = {whole.root_path().string()};
  for (const std::string& part : Parts(pattern.substr(found[0].size()))) {
    std::vector<std::string> next;
    for (const std::string& folder : found) {
      const std::string path = folder.empty() ? part : (fs::path(folder) / part).string();
      if (HasMeta(part)) {
        AddMatches(folder, part, next);
      } else if (Exists(path)) {
        next.push_back(path);
      }
    }
    found = std::move(next);
  }
  return found;
}

}  // namespace smp::apply
