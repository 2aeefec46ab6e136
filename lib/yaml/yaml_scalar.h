// What an unquoted YAML scalar means: the rules of go.yaml.in/yaml/v2 (YAML 1.1), which sigs.k8s.io/yaml and so kubectl
// use. The reader resolves with them and the writer asks them which strings need quotes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace smp::yaml {

struct YamlScalar {
  enum class Type { kString, kNull, kBool, kInt, kUnsigned, kFloat, kTimestamp, kMerge };
  Type type = Type::kString;
  Value value;  // strings (timestamps and `<<` too) point into the text; kUnsigned is a double; floats may be infinite
                // or NaN
};

YamlScalar ResolvePlain(std::string_view text);

// With an explicit tag, in its long form (tag:yaml.org,2002:int). Tags of others mean a string, as in Go.
Result<YamlScalar> ResolveTagged(std::string_view tag, std::string_view text);

// kubectl reads YAML by way of JSON text, so that 1.0 and 1e3 arrive as the integers 1 and 1000. Error: parse, for what
// JSON does not have (infinity, NaN).
Result<Value> JsonValueOf(const YamlScalar& scalar);

// Keys that are no strings, as sigs.k8s.io/yaml converts them (convertToJSONableObject). Error: parse, for null, lists,
// maps and integers beyond 64 bits.
Result<std::string> NameOfKey(const YamlScalar& scalar);
Result<std::string> NameOfKey(const Value& value);

// Base 60 as in YAML 1.1: [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)? Go reads a string, others a number.
bool IsBase60(std::string_view text);

// yamlStyleFloat of Go's resolve.go: [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool IsYamlFloat(std::string_view text);

}  // namespace smp::yaml
