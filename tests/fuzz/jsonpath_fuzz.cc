// A template and, behind a line end, a JSON value → JsonPath: an answer or an error, the same each time, in bounded
// time.
#include "cmd/jsonpath.h"
#include "fuzz/check.h"
#include "value/json.h"

using namespace smp;

namespace {

std::string Printed(const JsonPath& path, const Value& object, const JsonPath::Options& options) {
  const Result<std::string> text = path.Print(object, options);
  return text.ok() ? *text : text.error().message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  const size_t end = text.find('\n');
  const Result<JsonPath> path = JsonPath::Parse(text.substr(0, end));
  const Result<Document> object = ParseJson(end == text.npos ? "{}" : text.substr(end + 1));
  if (!path.ok() || !object.ok()) return 0;
  for (const auto missing : {JsonPath::Missing::kNothing, JsonPath::Missing::kError}) {
    for (const auto form : {JsonPath::Form::kText, JsonPath::Form::kJson}) {
      const std::string once = Printed(*path, object->root(), {missing, form});
      Check(once == Printed(*path, object->root(), {missing, form}), "a template can be used again", text);
    }
  }
  return 0;
}
