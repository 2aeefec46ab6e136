#include "edit/proof.h"

#include <utility>

#include "base/strings.h"
#include "value/equality.h"
#include "value/json.h"
#include "value/json_pointer.h"
#include "yaml/read_yaml.h"

namespace smp::edit {

namespace {

// A part of two values, nullptr where one of them lacks it.
struct Part {
  std::string token;
  const Value* wanted;
  const Value* found;
};

bool IsSame(const Part& part) {
  return part.wanted != nullptr && part.found != nullptr && SameByNumber(*part.wanted, *part.found);
}

Part FirstDifferentItem(std::span<const Value> wanted, std::span<const Value> found) {
  for (size_t i = 0;; ++i) {
    Part part = {std::to_string(i), i < wanted.size() ? &wanted[i] : nullptr, i < found.size() ? &found[i] : nullptr};
    if (!IsSame(part)) return part;
  }
}

Part FirstDifferentMember(const Value& wanted, const Value& found) {
  for (const Member& member : wanted.Members()) {
    Part part = {std::string(member.name), &member.value, found.Find(member.name)};
    if (!IsSame(part)) return part;
  }
  for (const Member& member : found.Members()) {
    if (wanted.Find(member.name) == nullptr) return {std::string(member.name), nullptr, &member.value};
  }
  return {};
}

// Returns the path of the first difference. REQUIRES: the values differ. The loop is bounded by their depth.
JsonPointer FirstDifference(const Value* wanted, const Value* found) {
  JsonPointer at;
  while (wanted != nullptr && found != nullptr && !wanted->is_scalar() && wanted->kind() == found->kind()) {
    Part part = wanted->is_array() ? FirstDifferentItem(wanted->Items(), found->Items())
                                   : FirstDifferentMember(*wanted, *found);
    at.push_back(std::move(part.token));
    wanted = part.wanted;
    found = part.found;
  }
  return at;
}

Error Unreadable(const Error& error) {
  const std::string line = error.source.line > 0 ? StrCat(", line ", error.source.line) : "";
  return Error::Parse(StrCat("the edited text cannot be read", line, ": ", error.message, "; nothing was written"));
}

}  // namespace

Status ProveText(std::string_view text, DataFormat format, const Value& wanted) {
  const Result<Document> read = format == DataFormat::kJson ? ParseJson(text) : yaml::ParseFirstYaml(text);
  if (!read) return Unreadable(read.error());
  if (SameByNumber(wanted, read->root())) return Ok();
  const JsonPointer at = FirstDifference(&wanted, &read->root());
  return Error::Refused(StrCat("the edited text does not read back as the requested value at ",
                               at.empty() ? "its root" : StrCat("\"", ToString(at), "\""), "; nothing was written"));
}

}  // namespace smp::edit
