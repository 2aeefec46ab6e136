#include "value/redact.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "base/digest.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "value/json_pointer.h"
#include "value/metadata.h"
#include "value/secret_texts.h"
#include "value/unescape.h"

namespace smp {

namespace {

constexpr size_t kDigestBytes = 6;

// Returns nullopt if the system has no random bytes; values are then masked without a digest.
const std::optional<std::string>& ProcessKey() {
  constexpr size_t kBytes = 32;
  static const std::optional<std::string> key = RandomBytes(kBytes);
  return key;
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

bool IsMaskedInSecret(const FieldPath& path) { return IsMaskedPath(path); }

std::string Masked(std::string_view where, const Value& value) {
  const std::optional<std::string>& key = ProcessKey();
  const std::string digest = key ? HmacSha256(*key, StrCat(where, '\0', WriteJson(value))) : std::string();
  return digest.empty() ? std::string(kHidden) : StrCat(kHidden, " (", Hex(digest.substr(0, kDigestBytes)), ")");
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
  StringMasker masker(CopiesIn(strings, {.all = {}, .credentials = {}, .values = texts, .kept = kept}), arena);
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
  for (const std::string& form : forms) secrets_.Add(form);
}

std::string SecretRegistry::Scrub(std::string_view text) const {
  const std::shared_lock lock(mutex_);
  if (secrets_.empty()) return std::string(text);
  std::vector<Range> found = secrets_.FindIn(text);
  if (text.find('\\') == std::string_view::npos) return WithoutRanges(text, std::move(found));
  const auto [unescaped, begins] = Unescape(text);
  for (const Range& range : secrets_.FindIn(unescaped)) found.push_back({begins[range.begin], begins[range.end]});
  return WithoutRanges(text, std::move(found));
}

std::string SecretRegistry::ScrubMessageOfSecret(std::string_view message, std::string_view name_space,
                                                 std::string_view name) const {
  const std::shared_lock lock(mutex_);
  Texts values;
  AddValuesOf(name_space, name, values);
  AddValuesOf("", name, values);
  return WithoutSecrets(message, values, {std::string(name_space), std::string(name)});
}

std::string SecretRegistry::ScrubMessage(std::string_view message, std::string_view name_space,
                                         std::string_view name) const {
  const std::shared_lock lock(mutex_);
  return WithoutSecrets(message, {}, {std::string(name_space), std::string(name)});
}

void SecretRegistry::AddValuesOf(std::string_view name_space, std::string_view name, Texts& out) const {
  const auto found = values_.find(KeyOf(name_space, name));
  if (found != values_.end()) out.insert(found->second.begin(), found->second.end());
}

std::string SecretRegistry::WithoutSecrets(std::string_view message, const Texts& values, const Texts& kept) const {
  if (secrets_.empty()) return std::string(message);
  return WithoutRanges(message, CopiesIn(message, {secrets_, credentials_, values, kept}));
}

}  // namespace smp
