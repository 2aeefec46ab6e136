// Resolves unquoted YAML scalars by the rules of go.yaml.in/yaml/v2 (YAML 1.1), which sigs.k8s.io/yaml and thus kubectl
// use. The reader uses them for values, the writer to decide which strings need quotes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace smp::yaml {

struct YamlScalar {
  enum class Type { kString, kNull, kBool, kInt, kUnsigned, kFloat, kTimestamp, kMerge };
  Type type = Type::kString;
  Value value;  // strings, timestamps and `<<` are views of the text; kUnsigned is a double; floats may be infinite or
                // NaN
};

YamlScalar ResolvePlain(std::string_view text);

// Resolves a scalar with a tag in its long form (tag:yaml.org,2002:int). With an unknown tag it is a string, as in Go.
Result<YamlScalar> ResolveTagged(std::string_view tag, std::string_view text);

// Returns the value as kubectl gets it: converted to JSON text first, which turns 1.0 and 1e3 into the integers 1 and
// 1000. Error: parse, for values that JSON lacks (infinity, NaN).
Result<Value> JsonValueOf(const YamlScalar& scalar);

// Returns a key as a string, converted like sigs.k8s.io/yaml does (convertToJSONableObject). Error: parse, for null,
// lists, maps and integers beyond 64 bits.
Result<std::string> NameOfKey(const YamlScalar& scalar);
Result<std::string> NameOfKey(const Value& value);

// Base 60 numbers of YAML 1.1, which are strings in Go only: [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
bool IsBase60(std::string_view text);

// yamlStyleFloat of Go's resolve.go: [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool IsYamlFloat(std::string_view text);

}  // namespace smp::yaml
