// FieldPath: the position of a value inside an object. The same type addresses list items while planning, locates
// errors and labels the rows of an explanation. Printed form, which is the same in all output:
//
// clang-format off
//   spec.containers[name=web].ports[containerPort=80,protocol=TCP].hostPort     fields, and items by their keys
//   metadata.finalizers["a.io/x"]      an element of a set; [=8080] if it is not a string
//   metadata.annotations["a.b/c"]      a quoted field name
//   spec.args[2]                       an index
// clang-format on
//
// A field name that is not [A-Za-z0-9_-]+ is quoted. Key values that are not plain words are JSON: [port="80"] is a
// string, [port=80] a number. ["x"] can be a quoted field name or a string element of a set: it is parsed as
// a field if `x` is not a plain name, and code that resolves a path against an object accepts either. Parsing and
// printing a path gives the same bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp {

struct PathStep {
  enum class Kind { kField, kKey, kElement, kIndex };

  Kind kind = Kind::kField;
  std::string name;  // kField
  // kKey: names and values as JSON text, e.g. {"port", "80"}, {"name", "\"web\""}
  std::vector<std::pair<std::string, std::string>> keys;
  std::string element;  // kElement: JSON text
  int64_t index = 0;    // kIndex

  static PathStep Field(std::string_view name);
  static PathStep Key(std::vector<std::pair<std::string, std::string>> keys);
  static PathStep Element(const Value& element);
  static PathStep Index(int64_t index);

  friend bool operator==(const PathStep&, const PathStep&) = default;
};

using FieldPath = std::vector<PathStep>;

std::string ToString(const PathStep& step);   // "image", "[name=web]", …, without a leading dot
std::string ToString(const FieldPath& path);  // "" for the root

// A path with wildcards: `.*` and `[*]` (stored as nullopt) match any single step. spec.*.image has three steps.
using PathPattern = std::vector<std::optional<PathStep>>;
Result<PathPattern> ParsePathPattern(std::string_view text);

// Returns the step that identifies a list item by its key fields `names`, in that order. Omits fields that the item
// does not have.
PathStep KeyStep(const Value& item, const std::vector<std::string>& names);

// Prepends `step` to the path of the error. Used while unwinding, so that paths cost nothing on success.
Error Under(const PathStep& step, Error error);

}  // namespace smp
