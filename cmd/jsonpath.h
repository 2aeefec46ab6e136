// JsonPath: a template of -o jsonpath=…, which is text with actions in braces. The dialect is kubectl's (client-go,
// util/jsonpath), which follows no standard.
//
//   {.items[*].metadata.name}     fields, wildcards, items; several results are separated by spaces
//   {.spec['replicas', 'paused']}  a union   {.args[-2:]}  a slice   {..image}  at any depth
//   {range .items[*]}{.metadata.name}{"\t"}{end}     {.spec.ports[?(@.port==80)].name}
//
// Where client-go panics (a null in a range), this class returns an error or prints nothing. client-go visits the
// members of a map in random order, this class in sorted order.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp::cmd {

namespace jsonpath {
struct Node;
}  // namespace jsonpath

class JsonPath {
 public:
  enum class Missing { kNothing, kError };  // how to treat a missing field
  enum class Form {
    kText,  // strings without quotes, numbers as Go prints them, maps and lists as JSON on one line
    kJson,  // jsonpath-as-json: each action as an indented JSON list and a newline
  };
  struct Options {
    Missing missing = Missing::kNothing;
    Form form = Form::kText;
  };

  // Error: parse, with the message of client-go ("unclosed action").
  static Result<JsonPath> Parse(std::string_view text);

  // Error: invalid-argument, with the message of client-go ("array index out of bounds: index 3, length 2"), or if the
  // result would be too large.
  Result<std::string> Print(const Value& object, const Options& options) const;

 private:
  std::shared_ptr<const std::vector<jsonpath::Node>> nodes_;
};

}  // namespace smp::cmd
