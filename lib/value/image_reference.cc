#include "value/image_reference.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"

namespace smp {

namespace {

constexpr size_t kLongestRepository = 255;
constexpr size_t kLongestTag = 128;
constexpr size_t kMinDigestHex = 32;

bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// path-component := [a-z0-9]+ (separator [a-z0-9]+)*, separator := [_.] | "__" | "-"+
bool IsPathComponent(std::string_view text) {
  const auto plain = [](char c) { return IsLower(c) || IsDigit(c); };
  if (text.empty() || !plain(text.front()) || !plain(text.back())) return false;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && !plain(text[end])) ++end;
    const std::string_view separator = text.substr(at, end - at);
    const bool dashes = separator.find_first_not_of('-') == std::string_view::npos;
    if (!separator.empty() && !dashes && separator != "_" && separator != "." && separator != "__") return false;
    at = std::max(end, at + 1);
  }
  return true;
}

// domain-name := domain-component ("." domain-component)*, domain-component := letters, digits, "-" within
bool IsRegistryHost(std::string_view text) {
  for (const std::string_view part : Split(text, '.')) {
    const auto plain = [](char c) { return IsLetter(c) || IsDigit(c); };
    const bool fits = std::all_of(part.begin(), part.end(), [&](char c) { return plain(c) || c == '-'; });
    if (part.empty() || !fits || !plain(part.front()) || !plain(part.back())) return false;
  }
  return true;
}

// Returns true for the form of an IPv6 address in brackets.
bool IsBracketed(std::string_view text) {
  return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
         std::all_of(text.begin() + 1, text.end() - 1, [](char c) { return IsHex(c) || c == ':'; });
}

bool IsRegistry(std::string_view text) {
  const size_t colon = text.ends_with(']') ? std::string_view::npos : text.rfind(':');
  if (colon != std::string_view::npos) {
    const std::string_view port = text.substr(colon + 1);
    if (port.empty() || !std::all_of(port.begin(), port.end(), IsDigit)) return false;
    text = text.substr(0, colon);
  }
  return IsBracketed(text) || IsRegistryHost(text);
}

bool IsRepository(std::string_view name) {
  const std::vector<std::string_view> parts = Split(name, '/');
  const bool with_domain = parts.size() > 1 && IsRegistry(parts[0]);
  return std::all_of(parts.begin() + (with_domain ? 1 : 0), parts.end(), IsPathComponent);
}

// Returns true for a valid digest with a registered algorithm; the distribution project's parser accepts no others.
bool IsKnownDigest(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view algorithm = text.substr(0, colon), hex = text.substr(colon + 1);
  const size_t size = algorithm == "sha256" ? 64 : algorithm == "sha384" ? 96 : algorithm == "sha512" ? 128 : 0;
  return size > 0 && hex.size() == size &&
         std::all_of(hex.begin(), hex.end(), [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); });
}

void SplitRegistry(std::string_view name, ImageReference& out) {
  const size_t slash = name.find('/');
  const std::string_view first = name.substr(0, slash);
  const bool registry =
      slash != std::string_view::npos && (first.find_first_of(".:") != std::string_view::npos || first == "localhost");
  out.registry = registry ? first : "";
  out.repository = registry ? name.substr(slash + 1) : name;
}

}  // namespace

// [\w][\w.-]{0,127}
bool IsTag(std::string_view text) {
  const auto word = [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; };
  return !text.empty() && text.size() <= kLongestTag && word(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return word(c) || c == '.' || c == '-'; });
}

// [A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}
bool IsDigest(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view hex = text.substr(colon + 1);
  bool begins = true;  // at the start of a component of the algorithm's name
  for (const char c : text.substr(0, colon)) {
    const bool separator = c == '-' || c == '_' || c == '+' || c == '.';
    if (begins ? !IsLetter(c) : !(IsLetter(c) || IsDigit(c) || separator)) return false;
    begins = separator;
  }
  return !begins && hex.size() >= kMinDigestHex && std::all_of(hex.begin(), hex.end(), IsHex);
}

Result<ImageReference> ParseImage(std::string_view text) {
  const auto invalid = [text](std::string_view why) {
    return Error{ErrorCode::kParse, StrCat("\"", text, "\" is not a valid image reference: ", why)};
  };
  ImageReference out;
  std::string_view name = text;
  if (const size_t at = name.find('@'); at != std::string_view::npos) {
    out.digest = name.substr(at + 1);
    name = name.substr(0, at);
    if (!IsKnownDigest(out.digest)) return invalid("invalid digest");
  }
  const size_t colon = name.rfind(':');
  if (colon != std::string_view::npos && name.find('/', colon) == std::string_view::npos) {
    out.tag = name.substr(colon + 1);
    name = name.substr(0, colon);
    if (!IsTag(out.tag)) return invalid("invalid tag");
  }
  if (name.empty()) return invalid("the name is missing");
  if (name.size() > kLongestRepository) return invalid("the name is longer than 255 characters");
  if (!IsRepository(name))
    return invalid("a repository may only contain lowercase letters, digits and single separators");
  SplitRegistry(name, out);
  return out;
}

std::string ToString(const ImageReference& image) {
  return StrCat(image.registry, image.registry.empty() ? "" : "/", image.repository, image.tag.empty() ? "" : ":",
                image.tag, image.digest.empty() ? "" : "@", image.digest);
}

}  // namespace smp
