// Prints objects as -o asks and kubectl's printers do: one object as it is, several as a v1 List.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/jsonpath.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::cmd {

enum class ObjectForm { kNotGiven, kName, kJson, kYaml, kJsonPath, kResultJson };  // kResultJson: only apply

// What -o asks for.
struct ObjectFormat {
  ObjectForm form = ObjectForm::kNotGiven;
  bool managed_fields = false;  // if false, json and yaml leave them out
  // For kJsonPath.
  std::optional<JsonPath> path = {};
  std::string path_text = {};
  JsonPath::Options path_options = {};

  // Returns true if objects are printed, rather than one line or one name per object.
  bool PrintsObjects() const {
    return form != ObjectForm::kNotGiven && form != ObjectForm::kName && form != ObjectForm::kResultJson;
  }
};

// "deployment.apps/web", as it may be printed.
std::string LabelOf(const kube::ObjectRef& ref);

// -o, --show-managed-fields, --template, --allow-missing-template-keys.
std::vector<Flag> ObjectFormatFlags();

// `own`: an additional format of the command, for the error that lists all formats. Errors: invalid-argument, with
// kubectl's messages; go-template is refused.
Result<ObjectFormat> ToObjectFormat(const ParsedFlags& flags, std::string_view own = "");

// REQUIRES: format.PrintsObjects(). Error: invalid-argument if a JSONPath template fails.
Result<std::string> PrintObjects(const std::vector<Document>& objects, const ObjectFormat& format);

}  // namespace smp::cmd
