#include "yaml/tags.h"

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "yaml/characters.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kBadDirective = "the only supported directives (%) are %YAML 1.1 and %TAG; remove the line";
constexpr std::string_view kBadTag = "the tag has no name or an invalid %-escape";

// Returns the size in bytes of a UTF-8 character that begins with `lead`; 0 if `lead` is invalid there.
size_t Width(unsigned char lead) {
  if (lead < 0x80) return 1;
  return (lead & 0xE0) == 0xC0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : (lead & 0xF8) == 0xF0 ? 4 : 0;
}

// Removes %XX from the front of `text` and returns its value; -1 if there is no %XX.
int TakeOctet(std::string_view& text) {
  unsigned octet = 0;
  if (text.size() < 3 || text[0] != '%') return -1;
  if (std::from_chars(text.data() + 1, text.data() + 3, octet, 16).ptr != text.data() + 3) return -1;
  text.remove_prefix(3);
  return static_cast<int>(octet);
}

bool AppendEscaped(std::string_view& text, std::string& out) {
  const int lead = TakeOctet(text);
  const size_t width = lead < 0 ? 0 : Width(static_cast<unsigned char>(lead));
  if (width == 0) return false;
  out += static_cast<char>(lead);
  for (size_t i = 1; i < width; ++i) {
    const int octet = TakeOctet(text);
    if (octet < 0 || (octet & 0xC0) != 0x80) return false;
    out += static_cast<char>(octet);
  }
  return true;
}

bool AppendUri(std::string_view text, std::string& out) {
  while (!text.empty()) {
    if (text.front() == '%') {
      if (!AppendEscaped(text, out)) return false;
    } else {
      if (!IsUriCharacter(text.front())) return false;
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return true;
}

// Returns the size of the handle (`!`, `!!` or `!name!`) at the front of a tag.
size_t HandleSize(std::string_view tag) {
  size_t size = 1;
  while (size < tag.size() && HasClass(tag[size], kWord)) ++size;
  return size < tag.size() && tag[size] == '!' ? size + 1 : 1;
}

size_t BlanksBefore(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsBlank) - text.begin());
}

std::string_view TakeWord(std::string_view& text) {
  text.remove_prefix(BlanksBefore(text));
  const size_t size = static_cast<size_t>(std::find_if(text.begin(), text.end(), IsBlank) - text.begin());
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

bool IsCommentOrEmpty(std::string_view text) {
  text.remove_prefix(BlanksBefore(text));
  return text.empty() || text.front() == '#';
}

// Removes a number of one or two digits from the front of `text` and returns it.
int TakeVersionNumber(std::string_view& text) {
  size_t size = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') ++size;
  int number = -1;
  if (size <= 2) std::from_chars(text.data(), text.data() + size, number);
  text.remove_prefix(size);
  return number;
}

}  // namespace

std::string_view TagHandles::AddDirective(std::string_view line) {
  const std::string_view name = TakeWord(line);
  if (name == "%YAML") return AddVersion(line);
  return name == "%TAG" ? AddHandle(line) : kBadDirective;
}

std::string_view TagHandles::AddVersion(std::string_view value) {
  value.remove_prefix(BlanksBefore(value));
  const int major = TakeVersionNumber(value);
  if (!value.starts_with('.')) return kBadDirective;
  value.remove_prefix(1);
  const int minor = TakeVersionNumber(value);
  if (major != 1 || minor != 1 || has_version_ || !IsCommentOrEmpty(value)) return kBadDirective;
  has_version_ = true;
  return {};
}

std::string_view TagHandles::AddHandle(std::string_view value) {
  const std::string_view name = TakeWord(value);
  const std::string_view prefix = TakeWord(value);
  const bool valid = name.starts_with('!') && HandleSize(name) == name.size() && !prefix.empty();
  Handle handle = {std::string(name), {}};
  if (!valid || Find(name) != nullptr || !AppendUri(prefix, handle.prefix) || !IsCommentOrEmpty(value)) {
    return kBadDirective;
  }
  handles_.push_back(std::move(handle));
  return {};
}

const TagHandles::Handle* TagHandles::Find(std::string_view name) const {
  const auto at = std::find_if(handles_.begin(), handles_.end(), [&](const Handle& h) { return h.name == name; });
  return at == handles_.end() ? nullptr : &*at;
}

std::string_view TagHandles::Expand(std::string_view tag, std::string& out) const {
  out.clear();
  if (tag == "!") return out = tag, std::string_view();
  if (tag.starts_with("!<")) return AppendUri(tag.substr(2, tag.size() - 3), out) ? std::string_view() : kBadTag;
  const size_t size = HandleSize(tag);
  const std::string_view name = tag.substr(0, size);
  if (const Handle* handle = Find(name); handle != nullptr) {
    out = handle->prefix;
  } else if (size <= 2) {
    out = name == "!" ? name : kTagPrefix;
  } else {
    return "the handle of the tag is not defined";
  }
  return size < tag.size() && AppendUri(tag.substr(size), out) ? std::string_view() : kBadTag;
}

}  // namespace smp::yaml
