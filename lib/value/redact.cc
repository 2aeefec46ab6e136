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
#include <unordered_set>

#include "base/strings.h"
#include "value/at.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/json_pointer.h"
#include "value/metadata.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp {

namespace {

constexpr std::string_view kHidden = "***";
constexpr size_t kDigestBytes = 6;
constexpr size_t kShortestSecret = 4;  // shorter ones would match too much harmless text
constexpr size_t kShortestPart = 8;    // of a secret, likewise

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

Value RedactedMembers(const FieldPath& path, const Value& object, const Value& kind_source, Digests digests,
                      Arena& arena) {
  std::vector<Member> members;
  for (const Member& member : object.Members()) {
    FieldPath below = path;
    below.push_back(PathStep::Field(member.name));
    members.push_back({member.name, RedactedAt(below, member.value, kind_source, digests, arena)});
  }
  return arena.SortedObject(members);
}

// Returns the value of a JSON patch operation, which the pointer says where to write.
Value RedactedOperand(std::string_view pointer, const Value& value, const Value& object, Arena& arena) {
  const Result<std::vector<std::string>> names = ParseJsonPointer(pointer);
  if (!names.ok()) return arena.String(kHidden);
  FieldPath path;
  for (const std::string& name : *names) path.push_back(PathStep::Field(name));
  return RedactedAt(path, value, object, Digests::kHide, arena);
}

Value RedactedOperation(const Value& operation, const Value& object, Arena& arena) {
  const Value* value = operation.Find("value");
  if (value == nullptr) return operation;
  return WithAt(operation, {"value"}, RedactedOperand(operation.StringOr("path"), *value, object, arena), arena);
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

// --- copies of secrets in texts

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
  explicit Copies(std::string_view message) : message_(message) {
    for (size_t at = 0; at + kShortestPart <= message.size(); ++at) parts_.emplace(PartAt(message, at), false);
  }

  void AddWhole(const std::string& secret) {
    if (secret.size() < kShortestSecret) return;
    lengths_.insert(secret.size());
    wholes_.insert(secret);
  }

  void AddParts(const std::string& secret) {
    if (secret.size() < kShortestPart) return AddWhole(secret);
    for (size_t at = 0; at + kShortestPart <= secret.size(); ++at) {
      if (const auto part = parts_.find(PartAt(secret, at)); part != parts_.end()) part->second = true;
    }
  }

  std::vector<Range> Found() const {
    std::vector<Range> out;
    for (size_t at = 0; at < message_.size(); ++at) {
      if (at + kShortestPart <= message_.size() && parts_.at(PartAt(message_, at))) {
        out.push_back({at, at + kShortestPart});
      }
      for (const size_t length : lengths_) {
        if (IsWholeAt(at, length)) out.push_back({at, at + length});
      }
    }
    return out;
  }

 private:
  bool IsWholeAt(size_t at, size_t length) const {
    return at + length <= message_.size() && IsBorder(message_, at) && IsBorder(message_, at + length) &&
           wholes_.contains(std::string(message_.substr(at, length)));
  }

  std::string_view message_;
  std::unordered_map<uint64_t, bool> parts_;  // of the message; true: also of a secret
  std::set<size_t> lengths_;                  // of wholes_
  std::unordered_set<std::string> wholes_;
};

// --- the forms of secrets

using Texts = std::set<std::string>;

// Adds the number as JSON writes it, and as a server may print it after reading it as a float64: in JSON, and by Go's %v
// (8.2749163e+07).
void AddNumber(const Value& number, Texts& out) {
  const double d = number.is_int() ? static_cast<double>(number.AsInt()) : number.AsDouble();
  out.insert({WriteJson(number), WriteNumber(d), GeneralNotation(ShortestDecimal(d))});
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

// Adds the secret texts of a Secret and of its last-applied annotation. That should not have this annotation itself. If
// it does, the nesting is bounded, because each level doubles the escapes.
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

// Returns the secret as others may write it. Its exact forms in a JSON body, and in the last-applied annotation inside
// one, are among them because a backslash before it may seem to escape its first letter.
std::vector<std::string> FormsOf(std::string_view secret) {
  std::vector<std::string> out = {std::string(secret), EncodeBase64(secret), Unescape(secret).text};
  std::string escaped(secret);
  for (int level = 0; level < 2; ++level) {
    const std::string quoted = WriteJson(Value::UnownedString(escaped));
    escaped = quoted.substr(1, quoted.size() - 2);
    out.push_back(escaped);
  }
  return out;
}

// Returns where whole credentials, and copies and parts of `values`, are in the message.
std::vector<Range> CopiesIn(std::string_view message, const Texts& credentials, const Texts& values,
                            const Texts& kept) {
  const auto [unescaped, begins] = Unescape(message);
  Copies copies(message), escaped_copies(unescaped);
  for (Copies* in : {&copies, &escaped_copies}) {
    for (const std::string& credential : credentials) in->AddWhole(credential);
    for (const std::string& value : values) {
      for (const std::string& form : FormsOf(value)) {
        if (!kept.contains(form)) in->AddParts(form);
      }
    }
  }
  std::vector<Range> found = copies.Found();
  for (const Range& range : escaped_copies.Found()) found.push_back({begins[range.begin], begins[range.end]});
  return found;
}

constexpr char kBetweenStrings = '\x1F';

// Recursion depth: that of the value.
void JoinStrings(const Value& value, std::string& out) {
  if (value.is_string()) out.append(value.AsString()) += kBetweenStrings;
  if (value.is_array()) {
    for (const Value& item : value.Items()) JoinStrings(item, out);
  }
  if (!value.is_object()) return;
  for (const Member& member : value.Members()) JoinStrings(member.value, out);
}

// Masks `copies`, ranges in the strings as JoinStrings joined them, in the order of JoinStrings.
class StringMasker {
 public:
  StringMasker(std::vector<Range> copies, Arena& arena) : copies_(std::move(copies)), arena_(arena) {
    std::sort(copies_.begin(), copies_.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }

  // Recursion depth: that of the value.
  Value Masked(const Value& value) {
    if (value.is_string()) return MaskedString(value);
    if (value.is_array()) {
      std::vector<Value> items;
      for (const Value& item : value.Items()) items.push_back(Masked(item));
      return arena_.Array(items);
    }
    if (!value.is_object()) return value;
    std::vector<Member> members;
    for (const Member& member : value.Members()) members.push_back({member.name, Masked(member.value)});
    return arena_.SortedObject(members);
  }

 private:
  Value MaskedString(const Value& value) {
    const std::string_view text = value.AsString();
    const size_t end = begin_ + text.size();
    std::vector<Range> inside;
    for (; next_ < copies_.size() && copies_[next_].begin <= end; ++next_) {
      // What begins in one string and ends in another is no copy.
      const Range& copy = copies_[next_];
      if (copy.end <= end) inside.push_back({copy.begin - begin_, copy.end - begin_});
    }
    begin_ = end + 1;
    return inside.empty() ? value : arena_.String(WithoutRanges(text, std::move(inside)));
  }

  std::vector<Range> copies_;
  Arena& arena_;
  size_t begin_ = 0;  // of the next string
  size_t next_ = 0;   // in copies_
};

std::string KeyOf(std::string_view name_space, std::string_view name) { return StrCat(name_space, "/", name); }

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

std::string MaskedAt(const FieldPath& path, const Value& value, const Value& object) {
  return Masked(Where(object, path), value);
}

Value RedactedAt(const FieldPath& path, const Value& value, const Value& kind_source, Digests digests, Arena& arena) {
  if (value.is_null() || !IsSecret(kind_source)) return value;
  if (value.is_object() && (MayHoldMasked(path) || IsMapOfSecrets(path))) {
    return RedactedMembers(path, value, kind_source, digests, arena);
  }
  if (!IsMaskedPath(path)) return value;
  return arena.String(digests == Digests::kShow ? MaskedAt(path, value, kind_source) : kHidden);
}

Document RedactedPatch(const Document& body, const Value& object) {
  if (!IsSecret(object)) return body;
  Arena arena;
  arena.Retain(body);
  Value redacted;
  if (body.root().is_array()) {
    std::vector<Value> operations;
    for (const Value& operation : body.root().Items()) {
      operations.push_back(RedactedOperation(operation, object, arena));
    }
    redacted = arena.Array(operations);
  } else {
    redacted = RedactedAt({}, body.root(), object, Digests::kHide, arena);
  }
  return Document(std::move(arena), redacted);
}

std::vector<Value> WithoutCopies(const std::vector<Value>& values, const std::vector<const Value*>& secrets,
                                 Arena& arena) {
  Texts texts, kept;
  for (const Value* secret : secrets) {
    AddTextsOfSecret(*secret, texts);
    kept.emplace(TextAt(*secret, {"metadata", "namespace"}));
    kept.emplace(TextAt(*secret, {"metadata", "name"}));
  }
  // A label with the value "false" is no copy of a Secret's "false", and a hole there would tell that value.
  std::erase_if(texts, [](const std::string& text) { return text.size() < kShortestPart; });
  std::string strings;
  for (const Value& value : values) JoinStrings(value, strings);
  StringMasker masker(CopiesIn(strings, {}, texts, kept), arena);
  std::vector<Value> out;
  for (const Value& value : values) out.push_back(masker.Masked(value));
  return out;
}

SecretRegistry& SecretRegistry::Instance() {
  static SecretRegistry registry;
  return registry;
}

void SecretRegistry::Remember(const Value& object) {
  Texts texts;
  AddTextsOfSecret(object, texts);
  if (texts.empty()) return;
  for (const std::string& text : texts) Add(text);
  const std::string key = KeyOf(TextAt(object, {"metadata", "namespace"}), TextAt(object, {"metadata", "name"}));
  const std::unique_lock lock(mutex_);
  values_[key].merge(texts);
}

void SecretRegistry::RememberText(std::string_view credential) {
  Add(credential);
  const std::unique_lock lock(mutex_);
  credentials_.emplace(credential);
}

void SecretRegistry::Add(std::string_view secret) {
  const std::vector<std::string> forms = FormsOf(secret);
  const std::unique_lock lock(mutex_);
  for (const std::string& form : forms) {
    if (form.size() < kShortestSecret) continue;
    std::vector<std::string>& same_start = secrets_[FirstBytes(form)];
    if (std::find(same_start.begin(), same_start.end(), form) == same_start.end()) same_start.push_back(form);
  }
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

std::string SecretRegistry::ScrubMessage(std::string_view message, std::string_view name_space,
                                         std::string_view name) const {
  const std::shared_lock lock(mutex_);
  Texts values;
  AddValuesOf(name_space, name, values);
  AddValuesOf("", name, values);
  return WithoutSecrets(message, values, {std::string(name_space), std::string(name)});
}

std::string SecretRegistry::ScrubMessage(std::string_view message) const {
  const std::shared_lock lock(mutex_);
  return WithoutSecrets(message, {}, {});
}

void SecretRegistry::AddValuesOf(std::string_view name_space, std::string_view name, Texts& out) const {
  const auto found = values_.find(KeyOf(name_space, name));
  if (found != values_.end()) out.insert(found->second.begin(), found->second.end());
}

std::string SecretRegistry::WithoutSecrets(std::string_view message, const Texts& values, const Texts& kept) const {
  if (values.empty() && credentials_.empty()) return std::string(message);
  return WithoutRanges(message, CopiesIn(message, credentials_, values, kept));
}

}  // namespace smp
