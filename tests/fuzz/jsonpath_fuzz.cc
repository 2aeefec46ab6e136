// A template and, behind a line end, a JSON value → JsonPath: an answer or an error, the same each time, in bounded
// time.
#include "cmd/jsonpath.h"
#include "fuzz/check.h"
#include "value/json.h"

using namespace smp;

namespace {

std::string Printed(const cmd::JsonPath& path, const Value& object, const cmd::JsonPath::Options& options) {
  const Result<std::string> text = path.Print(object, options);
  return text.ok() ? *text : text.error().message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  const size_t end = text.find('\n');
  const Result<cmd::JsonPath> path = cmd::JsonPath::Parse(text.substr(0, end));
  const Result<Document> object = ParseJson(end == text.npos ? "{}" : text.substr(end + 1));
  if (!path.ok() || !object.ok()) return 0;
  for (const auto missing : {cmd::JsonPath::Missing::kNothing, cmd::JsonPath::Missing::kError}) {
    for (const auto form : {cmd::JsonPath::Form::kText, cmd::JsonPath::Form::kJson}) {
      const std::string once = Printed(*path, object->root(), {missing, form});
      Check(once == Printed(*path, object->root(), {missing, form}), "a template can be used again", text);
    }
  }
  return 0;
}
