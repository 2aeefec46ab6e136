#include "value/secret_texts.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/digest.h"
#include "base/hash.h"
#include "value/base64.h"
#include "value/document.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/number.h"
#include "value/redact.h"
#include "value/secret_index.h"
#include "value/unescape.h"

namespace smp {

namespace {

uint64_t PartAt(std::string_view text, size_t at) {
  uint64_t bytes = 0;
  static_assert(sizeof(bytes) == kShortestPart);
  std::memcpy(&bytes, text.data() + at, sizeof(bytes));
  return bytes;
}

bool IsInToken(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
}

bool IsBorder(std::string_view text, size_t at) {
  return at == 0 || at == text.size() || !IsInToken(text[at - 1]) || !IsInToken(text[at]);
}

// The copies of secrets in one message. Linear in the message and the secrets.
class Copies {
 public:
  explicit Copies(std::string_view message) : message_(message) {}

  void AddWhole(const std::string& secret) {
    if (secret.size() < kShortestSecret) return;
    lengths_.insert(secret.size());
    wholes_.insert(secret);
  }

  void AddParts(const std::string& secret) {
    if (secret.size() < kShortestPart) return AddWhole(secret);
    if (parts_.empty()) FindParts();
    for (size_t at = 0; at + kShortestPart <= secret.size(); ++at) {
      if (const auto part = parts_.find(PartAt(secret, at)); part != parts_.end()) part->second = true;
    }
  }

  std::vector<Range> Found() const {
    std::vector<Range> out;
    for (size_t at = 0; at < message_.size(); ++at) {
      if (!parts_.empty() && at + kShortestPart <= message_.size() && parts_.at(PartAt(message_, at))) {
        out.push_back({at, at + kShortestPart});
      }
      for (const size_t length : lengths_) {
        if (IsWholeAt(at, length)) out.push_back({at, at + length});
      }
    }
    return out;
  }

 private:
  // Most messages are about objects that are no Secrets, and need none.
  void FindParts() {
    for (size_t at = 0; at + kShortestPart <= message_.size(); ++at) parts_.emplace(PartAt(message_, at), false);
  }

  bool IsWholeAt(size_t at, size_t length) const {
    return at + length <= message_.size() && IsBorder(message_, at) && IsBorder(message_, at + length) &&
           wholes_.contains(std::string(message_.substr(at, length)));
  }

  std::string_view message_;
  std::unordered_map<uint64_t, bool, NumberHash> parts_;  // of the message; true: also of a secret
  std::set<size_t> lengths_;                              // of wholes_
  std::unordered_set<std::string, TextHash> wholes_;
};

std::vector<Range> CopiesInText(std::string_view text, const Searched& searched) {
  Copies copies(text);
  for (const std::string& credential : searched.credentials) copies.AddWhole(credential);
  for (const std::string& value : searched.values) {
    for (const std::string& form : FormsOf(value)) {
      if (!searched.kept.contains(form)) copies.AddParts(form);
    }
  }
  std::vector<Range> found = copies.Found();
  const std::vector<Range> whole = searched.all.FindIn(text, [&](const Range& range) {
    const size_t size = range.end - range.begin;
    return size >= kShortestPart && IsBorder(text, range.begin) && IsBorder(text, range.end) &&
           !searched.kept.contains(std::string(text.substr(range.begin, size)));
  });
  found.insert(found.end(), whole.begin(), whole.end());
  return found;
}

bool IsPublicField(std::string_view name) {
  return std::find(std::begin(kPublicFields), std::end(kPublicFields), name) != std::end(kPublicFields);
}

// Adds the number as JSON writes it, and as a server may print it after reading it as a float64: in JSON, and by Go's %v
// (8.2749163e+07).
void AddNumber(const Value& number, Texts& out) {
  const double d = number.is_int() ? static_cast<double>(number.AsInt()) : number.AsDouble();
  out.insert({WriteJson(number), WriteNumber(d), GeneralNotation(ShortestDecimal(d))});
}

// Returns the bytes as numbers: "104, 117", with `prefix` before each.
std::string ByteList(std::string_view bytes, std::string_view prefix, int base, std::string_view separator) {
  std::string out;
  for (const char c : bytes) {
    char digits[3];
    const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), static_cast<unsigned char>(c), base);
    out.append(out.empty() ? "" : separator).append(prefix).append(digits, end);
  }
  return out;
}

// Recursion depth: that of the value.
void AddTexts(const Value& value, Texts& out) {
  if (value.is_string()) {
    out.emplace(value.AsString());
    if (const std::optional<std::string> decoded = DecodeBase64(value.AsString())) out.insert(*decoded);
  }
  if (value.is_number()) AddNumber(value, out);
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) AddTexts(item, out);
  for (const Member& member : value.is_object() ? value.Members() : std::span<const Member>()) {
    AddTexts(member.value, out);
  }
}

}  // namespace

void AddTextsOfSecret(const Value& object, Texts& out) {
  if (!IsSecret(object)) return;
  for (const Member& field : object.Members()) {
    if (!IsPublicField(field.name)) AddTexts(field.value, out);
  }
  const Value* annotation = object.FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  if (annotation == nullptr || !annotation->is_string()) return;
  const Result<Document> last_applied = ParseJson(annotation->AsString());
  if (!last_applied.ok()) return void(out.emplace(annotation->AsString()));
  AddTextsOfSecret(last_applied->root(), out);
}

std::vector<std::string> FormsOf(std::string_view secret) {
  std::vector<std::string> out = {std::string(secret),   EncodeBase64(secret),
                                  Unescape(secret).text, ByteList(secret, "", 10, " "),
                                  Hex(secret),           ByteList(secret, "0x", 16, ", ")};
  std::string escaped(secret);
  for (int level = 0; level < 2; ++level) {
    const std::string quoted = WriteJson(Value::UnownedString(escaped));
    escaped = quoted.substr(1, quoted.size() - 2);
    out.push_back(escaped);
  }
  return out;
}

uint32_t FirstBytes(std::string_view text) {
  uint32_t bytes = 0;
  static_assert(sizeof(bytes) == kShortestSecret);
  std::memcpy(&bytes, text.data(), sizeof(bytes));
  return bytes;
}

std::string WithoutRanges(std::string_view text, std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::string out;
  size_t done = 0;
  for (const Range& range : ranges) {
    // Overlapping secrets are replaced by a single "***".
    if (range.begin >= done) out.append(text.substr(done, range.begin - done)).append(kHidden);
    done = std::max(done, range.end);
  }
  return out.append(text.substr(done));
}

std::vector<Range> CopiesIn(std::string_view message, const Searched& searched) {
  const auto [unescaped, begins] = Unescape(message);
  std::vector<Range> found = CopiesInText(message, searched);
  for (const Range& range : CopiesInText(unescaped, searched))
    found.push_back({begins[range.begin], begins[range.end]});
  return found;
}

}  // namespace smp
