// JsonPath: templates of -o jsonpath=…, in kubectl's dialect (client-go, util/jsonpath), which is no standard's: text
// with actions in braces.
//
//   {.items[*].metadata.name}     fields, wildcards, items; several results stand side by side with a blank between
//   {.spec['replicas', 'paused']}  a union   {.args[-2:]}  a slice   {..image}  at any depth
//   {range .items[*]}{.metadata.name}{"\t"}{end}     {.spec.ports[?(@.port==80)].name}
//
// Where Go panics (a null that a range comes upon) there is an error or nothing. Go takes the members of a map in any
// order, we take them sorted.
#ifndef SMP_VALUE_JSONPATH_H_
#define SMP_VALUE_JSONPATH_H_

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace smp {

namespace jsonpath {
struct Template;
}  // namespace jsonpath

class JsonPath {
 public:
  enum class Missing { kNothing, kError };  // what a field is that is not there
  enum class Form {
    kText,  // strings as they are, numbers as Go prints them, maps and lists as JSON in one line
    kJson,  // jsonpath-as-json: each action as an indented JSON list and a line end
  };
  struct Options {
    Missing missing = Missing::kNothing;
    Form form = Form::kText;
  };

  // Error: parse, in the words of client-go ("unclosed action").
  static Result<JsonPath> Parse(std::string_view text);

  // Error: invalid-argument, in the words of client-go ("array index out of bounds: index 3, length 2"), or where the
  // result would be too large.
  Result<std::string> Print(const Value& object, const Options& options) const;

 private:
  std::shared_ptr<const jsonpath::Template> template_;
};

}  // namespace smp

#endif  // SMP_VALUE_JSONPATH_H_
