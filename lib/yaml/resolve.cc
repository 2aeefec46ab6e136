#include "yaml/resolve.h"

#include <array>
#include <optional>
#include <string>

#include "value/base64.h"
#include "value/utf8.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kBinaryTag = "tag:yaml.org,2002:binary";
constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";

enum class Hint : uint8_t { kString, kWord, kNumber };

// The possible types of a plain scalar by its first character (resolveTable of goyaml's resolve.go).
constexpr std::array<Hint, 256> MakeHints() {
  std::array<Hint, 256> hints = {};
  for (const char c : std::string_view("yYnNtTfFoO~<")) hints[static_cast<unsigned char>(c)] = Hint::kWord;
  for (const char c : std::string_view("+-.0123456789")) hints[static_cast<unsigned char>(c)] = Hint::kNumber;
  return hints;
}

constexpr std::array<Hint, 256> kHints = MakeHints();

bool IsSurelyString(std::string_view text) {
  constexpr size_t kLongestWord = 5;  // "false"
  if (text.empty()) return false;
  const Hint hint = kHints[static_cast<unsigned char>(text.front())];
  return hint == Hint::kString || (hint == Hint::kWord && text.size() > kLongestWord);
}

YamlScalar String(std::string_view text) { return {YamlScalar::Type::kString, Value::UnownedString(text)}; }

Result<YamlScalar> Binary(std::string_view text, Arena& arena) {
  const std::optional<std::string> bytes = DecodeBase64(text);
  if (!bytes) return Error::Parse("the value of !!binary is not valid base64");
  return String(arena.Copy(ReplaceInvalidUtf8(*bytes)));
}

}  // namespace

Result<YamlScalar> Resolve(const Event& scalar, Arena& arena) {
  const std::string_view text = scalar.text;
  if (scalar.tag.empty()) {
    return scalar.style != Style::kPlain || IsSurelyString(text) ? String(text) : ResolvePlain(text);
  }
  return scalar.tag == kBinaryTag ? Binary(text, arena) : ResolveTagged(scalar.tag, text);
}

bool IsMergeKey(const Event& scalar) {
  if (scalar.text != "<<") return false;
  if (scalar.tag.empty()) return scalar.style == Style::kPlain;
  return scalar.tag == "!" || scalar.tag == kMergeTag;
}

}  // namespace smp::yaml
