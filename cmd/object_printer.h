// Objects as -o prints them, by kubectl's printers: one object as it is, several as a v1 List.
#ifndef SMP_CMD_OBJECT_PRINTER_H_
#define SMP_CMD_OBJECT_PRINTER_H_

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "value/document.h"
#include "value/jsonpath.h"

namespace smp {

enum class ObjectForm { kNotGiven, kName, kJson, kYaml, kJsonPath, kResultJson };  // the last of apply alone

// What -o asks for.
struct ObjectFormat {
  ObjectForm form = ObjectForm::kNotGiven;
  bool managed_fields = false;  // json and yaml leave them out
  // kJsonPath
  std::optional<JsonPath> path = {};
  std::string path_text = {};
  JsonPath::Options path_options = {};

  // Not the line an object that says what was done with it, nor its name.
  bool PrintsObjects() const {
    return form != ObjectForm::kNotGiven && form != ObjectForm::kName && form != ObjectForm::kResultJson;
  }
};

// -o, --show-managed-fields, --template, --allow-missing-template-keys.
std::vector<Flag> ObjectFormatFlags();

// `own`: a format that the command itself has, for the error that names all. Errors: invalid-argument in kubectl's
// words; go-template is refused.
Result<ObjectFormat> ToObjectFormat(const ParsedFlags& flags, std::string_view own = "");

// REQUIRES: format.PrintsObjects(). Error: invalid-argument, of a JSONPath template.
Result<std::string> PrintObjects(const std::vector<Document>& objects, const ObjectFormat& format);

}  // namespace smp

#endif  // SMP_CMD_OBJECT_PRINTER_H_
