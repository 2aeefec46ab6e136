#include "value/redact.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <mutex>
#include <optional>

#include "base/strings.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp {

namespace {

constexpr std::string_view kHidden = "***";
constexpr size_t kDigestBytes = 6;
constexpr size_t kShortestSecret = 4;  // shorter ones would match too much harmless text

using Key = std::array<unsigned char, 32>;

// Returns nullopt if the system has no random bytes; values are then masked without a digest.
const std::optional<Key>& ProcessKey() {
  static const std::optional<Key> key = [] {
    Key bytes;
    return RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1 ? std::optional<Key>(bytes) : std::nullopt;
  }();
  return key;
}

std::string Hex(const unsigned char* bytes, size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 0xF];
  }
  return out;
}

bool IsField(const PathStep& step, std::string_view name) {
  // ["x"] may be read as an element of a set, see path.h.
  if (step.kind == PathStep::Kind::kElement) return step.element == WriteJson(Value::UnownedString(name));
  return step.kind == PathStep::Kind::kField && step.name == name;
}

bool BeginsWith(const FieldPath& path, std::initializer_list<std::string_view> names) {
  if (path.size() < names.size()) return false;
  return std::equal(names.begin(), names.end(), path.begin(),
                    [](std::string_view name, const PathStep& step) { return IsField(step, name); });
}

// The fields of a Secret that may be shown. Everything else is masked, so that a misspelt `stringdatta` leaks nothing.
constexpr std::string_view kPublicFields[] = {"apiVersion", "immutable", "kind", "metadata", "type"};

bool IsPublicField(std::string_view name) {
  return std::find(std::begin(kPublicFields), std::end(kPublicFields), name) != std::end(kPublicFields);
}

bool IsPublic(const FieldPath& path) {
  return std::any_of(std::begin(kPublicFields), std::end(kPublicFields),
                     [&](std::string_view name) { return BeginsWith(path, {name}); });
}

bool IsMaskedPath(const FieldPath& path) {
  return !path.empty() && (!IsPublic(path) || BeginsWith(path, {"metadata", "annotations", kLastAppliedAnnotation}));
}

// Returns true if IsMaskedPath may hold for something below `path`, so that the walk must go on.
bool MayHoldMasked(const FieldPath& path) {
  return path.empty() || (path.size() == 1 && BeginsWith(path, {"metadata"})) ||
         (path.size() == 2 && BeginsWith(path, {"metadata", "annotations"}));
}

// Each entry of data, stringData and the like is masked alone, so that the names stay readable.
bool IsMapOfSecrets(const FieldPath& path) { return path.size() == 1 && !IsPublic(path); }

std::string Where(const Value& object, const FieldPath& path) {
  const Value* metadata = object.Find("metadata");
  const Value none;
  const Value& names = metadata != nullptr ? *metadata : none;
  return StrCat(names.StringOr("namespace"), "/", names.StringOr("name"), ":", ToString(path));
}

Value RedactedMembers(const FieldPath& path, const Value& object, const Value& kind_source, Arena& arena) {
  std::vector<Member> members;
  for (const Member& member : object.Members()) {
    FieldPath below = path;
    below.push_back(PathStep::Field(member.name));
    members.push_back({member.name, RedactedAt(below, member.value, kind_source, arena)});
  }
  return arena.SortedObject(members);
}

// --- escapes

// A text without its escapes, and the original position of each of its bytes.
struct Unescaped {
  std::string text;
  std::vector<size_t> begins;  // one more than `text` has bytes
};

// Returns the control character of an escape of Go and JSON, such as "\\n"; 0 if the letter has none.
char ControlCharacter(char letter) {
  constexpr std::string_view kLetters = "abfnrtv";
  constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v";
  const size_t at = kLetters.find(letter);
  return at == std::string_view::npos ? '\0' : kCharacters[at];
}

// Returns the number of digits in escapes such as "u0026", "x01" and "U0010ffff".
size_t HexDigits(char letter) {
  switch (letter) {
    case 'x': return 2;
    case 'u': return 4;
    case 'U': return 8;
    default: return 0;
  }
}

// Appends the character whose escape, without the backslash, is at `at`; moves `at` past it.
void AppendEscaped(std::string_view text, size_t& at, std::string& out) {
  const char letter = text[at++];
  const size_t digits = HexDigits(letter);
  const char* first = text.data() + at;
  uint32_t code = 0;
  if (digits > 0 && text.size() - at >= digits &&
      std::from_chars(first, first + digits, code, 16).ptr == first + digits) {
    at += digits;
    return letter == 'x' ? out.push_back(static_cast<char>(code)) : AppendUtf8(out, code);
  }
  const char control = ControlCharacter(letter);
  out += control != '\0' ? control : letter;
}

// A secret may be quoted several times: in the last-applied annotation, which is quoted in a message by Go's %q, which
// is quoted in a JSON body, so that its newline is "\\\\\\\\n". Any number of backslashes counts as one here, so that a
// secret and every quotation of it give the same text. (The secret's own backslashes are lost, too, so that too much
// may match, but never too little.)
Unescaped Unescape(std::string_view text) {
  Unescaped out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    at = std::min(text.find_first_not_of('\\', at), text.size());
    if (at == text.size()) break;
    if (at == begin) {
      out.text += text[at++];
    } else {
      AppendEscaped(text, at, out.text);
    }
    out.begins.resize(out.text.size(), begin);
  }
  out.begins.push_back(text.size());
  return out;
}

// --- the registry

struct Range {
  size_t begin;
  size_t end;
};

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

uint32_t FirstBytes(std::string_view text) {
  uint32_t bytes = 0;
  static_assert(sizeof(bytes) == kShortestSecret);
  std::memcpy(&bytes, text.data(), sizeof(bytes));
  return bytes;
}

}  // namespace

bool IsSecret(const Value& object) { return IsSecret(object.StringOr("apiVersion"), object.StringOr("kind")); }

bool IsSecret(std::string_view api_version, std::string_view kind) {
  return kind == "Secret" && api_version.find('/') == std::string_view::npos;
}

bool IsMasked(const Value& object, const FieldPath& path) { return IsSecret(object) && IsMaskedPath(path); }

std::string Masked(std::string_view where, const Value& value) {
  const std::optional<Key>& key = ProcessKey();
  if (!key) return std::string(kHidden);
  const std::string text = StrCat(where, '\0', WriteJson(value));
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const bool done = HMAC(EVP_sha256(), key->data(), static_cast<int>(key->size()), bytes, text.size(), digest.data(),
                         nullptr) != nullptr;
  return done ? StrCat(kHidden, " (", Hex(digest.data(), kDigestBytes), ")") : std::string(kHidden);
}

Value RedactedAt(const FieldPath& path, const Value& value, const Value& kind_source, Arena& arena) {
  if (value.is_null() || !IsSecret(kind_source)) return value;
  if (value.is_object() && (MayHoldMasked(path) || IsMapOfSecrets(path))) {
    return RedactedMembers(path, value, kind_source, arena);
  }
  return IsMaskedPath(path) ? arena.String(Masked(Where(kind_source, path), value)) : value;
}

Document Redacted(const Document& document, const Value& kind_source) {
  if (!IsSecret(kind_source)) return document;
  Arena arena;
  arena.Retain(document);
  const Value redacted = RedactedAt({}, document.root(), kind_source, arena);
  Document out(std::move(arena), redacted);
  out.SetSource(document.source_name());
  return out;
}

SecretRegistry& SecretRegistry::Instance() {
  static SecretRegistry registry;
  return registry;
}

void SecretRegistry::Remember(const Value& object) {
  if (!IsSecret(object)) return;
  for (const Member& field : object.Members()) {
    if (!IsPublicField(field.name)) RememberValues(field.value);
  }
  const Value* annotation = object.FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  if (annotation == nullptr || !annotation->is_string()) return;
  const Result<Document> last_applied = ParseJson(annotation->AsString());
  if (!last_applied.ok()) return RememberText(annotation->AsString());
  // It should not have this annotation itself. If it does, the nesting is bounded, because each level doubles the
  // escapes.
  Remember(last_applied->root());
}

void SecretRegistry::RememberValues(const Value& value) {
  if (value.is_string()) {
    RememberText(value.AsString());
    if (const std::optional<std::string> decoded = DecodeBase64(value.AsString())) RememberText(*decoded);
  }
  if (value.is_number()) RememberNumber(value);
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) RememberValues(item);
  for (const Member& member : value.is_object() ? value.Members() : std::span<const Member>()) {
    RememberValues(member.value);
  }
}

// Remembers the number as JSON writes it, and as a server may print it after reading it as a float64: in JSON, and by
// Go's %v (8.2749163e+07).
void SecretRegistry::RememberNumber(const Value& number) {
  const double d = number.is_int() ? static_cast<double>(number.AsInt()) : number.AsDouble();
  RememberText(WriteJson(number));
  RememberText(WriteNumber(d));
  RememberText(GeneralNotation(ShortestDecimal(d)));
}

void SecretRegistry::RememberText(std::string_view secret) {
  Add(secret);
  Add(EncodeBase64(secret));
  Add(Unescape(secret).text);
  // Also its exact form in a JSON body, and in the last-applied annotation inside one: a backslash before it may seem
  // to escape its first letter.
  std::string escaped(secret);
  for (int level = 0; level < 2; ++level) {
    const std::string quoted = WriteJson(Value::UnownedString(escaped));
    escaped = quoted.substr(1, quoted.size() - 2);
    Add(escaped);
  }
}

void SecretRegistry::Add(std::string_view secret) {
  if (secret.size() < kShortestSecret) return;
  const std::unique_lock lock(mutex_);
  std::vector<std::string>& same_start = secrets_[FirstBytes(secret)];
  if (std::find(same_start.begin(), same_start.end(), secret) == same_start.end()) same_start.emplace_back(secret);
}

size_t SecretRegistry::LongestAt(std::string_view text) const {
  if (text.size() < kShortestSecret) return 0;
  const auto same_start = secrets_.find(FirstBytes(text));
  if (same_start == secrets_.end()) return 0;
  size_t longest = 0;
  for (const std::string& secret : same_start->second) {
    if (text.starts_with(secret)) longest = std::max(longest, secret.size());
  }
  return longest;
}

std::string SecretRegistry::Scrub(std::string_view text) const {
  const std::shared_lock lock(mutex_);
  if (secrets_.empty()) return std::string(text);
  std::vector<Range> found;
  for (size_t at = 0; at < text.size(); ++at) {
    if (const size_t size = LongestAt(text.substr(at)); size > 0) found.push_back({at, at + size});
  }
  if (text.find('\\') == std::string_view::npos) return WithoutRanges(text, std::move(found));
  const auto [unescaped, begins] = Unescape(text);
  for (size_t at = 0; at < unescaped.size(); ++at) {
    const size_t size = LongestAt(std::string_view(unescaped).substr(at));
    if (size > 0) found.push_back({begins[at], begins[at + size]});
  }
  return WithoutRanges(text, std::move(found));
}

}  // namespace smp
