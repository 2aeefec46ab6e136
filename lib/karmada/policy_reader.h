// Reads maps of a policy member by member. A member that is never asked for is an unknown field and an error: a server
// would prune it silently, and the policy would not do what it says.
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

// A null counts as absent, as in Go's types.
class PolicyReader {
 public:
  // Error: policy, if `value` is not a map.
  static Result<PolicyReader> Open(const Value& value, std::string path, const Document& document);

  const PolicyPlace& place() const { return place_; }
  PolicyPlace PlaceOf(std::string_view name) const;
  bool Given(std::string_view name) { return Find(name) != nullptr; }

  // Returns nullptr if absent. Returns a null as it is.
  const Value* Any(std::string_view name);
  Result<std::string> Text(std::string_view name);          // "" if absent
  Result<std::string> RequiredText(std::string_view name);  // may be empty, but not absent
  Result<std::vector<std::string>> Texts(std::string_view name);
  Result<std::map<std::string, std::string>> TextMap(std::string_view name);
  Result<std::optional<PolicyReader>> Map(std::string_view name);
  Result<std::vector<PolicyReader>> Maps(std::string_view name);
  // `allowed`: the values of the schema's enum.
  Result<edit::EditKind> Operator(const std::vector<edit::EditKind>& allowed);

  // Error: policy, naming the first field that was not asked for.
  Status RefuseUnknown() const;

  Error Wrong(std::string_view name, std::string message) const;  // about a member
  Error Wrong(std::string message) const;                         // about the map

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
