// FieldPath: where a value stands inside an object. The same type addresses list items while planning, names the place
// of an error and labels the rows of an explanation. Printed form (contract 2 of the project, the same everywhere):
//
// clang-format off
//   spec.containers[name=web].ports[containerPort=80,protocol=TCP].hostPort     fields, and items addressed by their keys
//   metadata.finalizers["a.io/x"]      an element of a set; one that is no string is written [=8080]
//   metadata.annotations["a.b/c"]      a quoted field name
//   spec.args[2]                       an index
// clang-format on
//
// A field name that is not [A-Za-z0-9_-]+ is quoted. Key values that are no plain words are JSON: [port="80"] is a
// string, [port=80] a number. ["x"] is the same text for a quoted field name and for a string element of a set:
// ParsePath takes it for a field if `x` is no plain name, and whoever resolves a path against an object accepts either;
// printing what was parsed gives the same bytes.
#ifndef SMP_VALUE_PATH_H_
#define SMP_VALUE_PATH_H_

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
  std::vector<std::pair<std::string, std::string>>
      keys;             // kKey: names and values as JSON text, e.g. {"port", "80"}, {"name", "\"web\""}
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
Result<FieldPath> ParsePath(std::string_view text);

// The steps of a path with wildcards, which are nothing: spec.*.image has three.
Result<std::vector<std::optional<PathStep>>> ParsePathPattern(std::string_view text);

// A path in which `.*` and `[*]` stand for any one step, as --ignore takes it.
class PathPattern {
 public:
  static Result<PathPattern> Parse(std::string_view text);

  bool Matches(const FieldPath& path) const;  // the path itself
  bool Covers(const FieldPath& path) const;   // the path or one above it

 private:
  std::vector<std::optional<std::string>> steps_;  // printed; nothing is a wildcard
};

// The key step of a list item: its values of the key fields, in the order of `names`; absent fields are left out.
PathStep KeyStep(const Value& item, const std::vector<std::string>& names);

// The error with `step` put in front of its path: used while unwinding, so that the good case pays nothing for paths.
Error Under(const PathStep& step, Error error);

}  // namespace smp

#endif  // SMP_VALUE_PATH_H_
