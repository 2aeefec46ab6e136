// Reads the maps of a policy member by member. RefuseUnknown reports members that were never read as unknown fields: a
// server would silently drop them, and the policy would not have the intended effect.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "karmada/policy.h"
#include "value/document.h"

namespace smp::karmada {

// Treats a null as absent, like Go's decoder, except in Any.
class PolicyReader {
 public:
  // `path`: that of `value` in the policy. Error: policy, if `value` is not a map.
  static Result<PolicyReader> Open(const Value& value, std::string path, const Document& document);

  const PolicyPlace& place() const { return place_; }
  PolicyPlace PlaceOf(std::string_view name) const;
  bool Given(std::string_view name) { return Find(name) != nullptr; }

  // Each of these returns a member and marks it as known. Any returns nullptr if it is absent, and a null as a null.
  const Value* Any(std::string_view name);
  Result<std::string> Text(std::string_view name);          // "" if absent
  Result<std::string> RequiredText(std::string_view name);  // error if absent; may be ""
  Result<std::vector<std::string>> Texts(std::string_view name);
  Result<std::map<std::string, std::string>> TextMap(std::string_view name);
  Result<std::optional<PolicyReader>> Map(std::string_view name);
  Result<std::vector<PolicyReader>> Maps(std::string_view name);
  // Reads the member `operator`. Error: policy, if it is not one of `allowed`.
  Result<edit::EditKind> Operator(const std::vector<edit::EditKind>& allowed);

  // Error: policy, naming the first member that was never read.
  Status RefuseUnknown() const;

  Error Wrong(std::string_view name, std::string message) const;  // an error about a member
  Error Wrong(std::string message) const;                         // an error about the map

 private:
  PolicyReader(const Value& value, PolicyPlace place, const Document& document)
      : value_(&value), place_(std::move(place)), document_(&document) {}
  const Value* Find(std::string_view name);
  Status Expect(std::string_view name, const Value& value, Kind kind) const;

  const Value* value_;
  PolicyPlace place_;
  const Document* document_;
  std::vector<std::string_view> known_;
};

std::string_view EditKindName(edit::EditKind kind);  // "add"

}  // namespace smp::karmada
