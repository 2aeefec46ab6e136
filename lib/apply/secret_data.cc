#include "apply/secret_data.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "value/at.h"
#include "value/base64.h"
#include "value/derived_document.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

constexpr std::string_view kData = "data", kStringData = "stringData";

// Returns true if `string_data` is valid. If not, the object is left unchanged, and the server rejects it.
bool HoldsTexts(const Value& string_data) {
  if (string_data.is_null()) return true;
  if (!string_data.is_object()) return false;
  const auto members = string_data.Members();
  return std::all_of(members.begin(), members.end(),
                     [](const Member& m) { return m.value.is_string() || m.value.is_null(); });
}

// A null in stringData changes nothing in data: neither a patch nor the creation, which has no nulls, says anything of it.
Value Merged(const Value* data, const Value& string_data, Arena& arena) {
  std::vector<Member> members;
  if (data != nullptr && data->is_object()) members.assign(data->Members().begin(), data->Members().end());
  if (!string_data.is_null()) {
    for (const Member& m : string_data.Members()) {
      if (m.value.is_string()) members.push_back({m.name, arena.String(EncodeBase64(m.value.AsString()))});
    }
  }
  return arena.Object(std::move(members));
}

// Returns `stored` with the lines of stringData, which wins, for the entries of data that come from it.
Document WithLinesOfStringData(const Document& stored, const Document& object) {
  Arena arena;
  arena.Retain(stored);
  Document out(std::move(arena), stored.root());
  std::vector<std::pair<const Value*, int>> lines = {{&out.root(), stored.LineOf(&stored.root())}};
  for (const Member& m : object.root().Find(kStringData)->Members()) {
    const Source source = object.SourceOf(&m.value);
    if (source.line > 0 && source.file == object.source_name()) {
      lines.emplace_back(out.root().FindPath({kData, m.name}), source.line);
    }
  }
  out.SetSource(object.source_name());
  out.SetLines(std::move(lines));
  return out;
}

}  // namespace

Document WithStringDataStored(const Document& object) {
  const Value& root = object.root();
  const Value* string_data = root.Find(kStringData);
  if (string_data == nullptr || !IsSecret(root) || !HoldsTexts(*string_data)) return object;
  Arena arena;
  arena.Retain(object);
  Value stored = WithoutAt(root, {}, {kStringData}, arena);
  if (!string_data->empty()) {
    stored = WithAt(stored, {kData}, Merged(root.Find(kData), *string_data, arena), arena);
  }
  const Document derived = DerivedDocument(object, std::move(arena), stored);
  return string_data->empty() ? derived : WithLinesOfStringData(derived, object);
}

bool HasStringDataAlone(const Value& object) {
  const Value* string_data = object.Find(kStringData);
  return IsSecret(object) && string_data != nullptr && !string_data->empty() && object.Find(kData) == nullptr;
}

Document WithSomeData(const Document& secret) {
  if (secret.root().Find(kData) != nullptr) return secret;
  Arena arena;
  arena.Retain(secret);
  const Value root = WithAt(secret.root(), {kData}, arena.Object({}), arena);
  return DerivedDocument(secret, std::move(arena), root);
}

Document WithNullStringDataEmpty(const Document& object) {
  return IsSecret(object.root()) ? WithTextsForNulls(object, {kStringData}) : object;
}

}  // namespace smp::apply
