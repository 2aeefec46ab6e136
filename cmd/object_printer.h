// Prints objects in the format of -o, as kubectl's printers do: one object by itself, several as a v1 List.
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

// kChanged and kResultJson: only apply
enum class ObjectForm { kNotGiven, kName, kChanged, kJson, kYaml, kKyaml, kJsonPath, kResultJson };

// The parsed -o and its related flags.
struct ObjectFormat {
  ObjectForm form = ObjectForm::kNotGiven;
  bool managed_fields = false;  // if false, json, yaml and kyaml omit metadata.managedFields
  // For kJsonPath.
  std::optional<JsonPath> path = {};
  std::string path_text = {};
  JsonPath::Options path_options = {};

  // Returns true if objects are printed, rather than one line or one name per object.
  bool PrintsObjects() const {
    return form == ObjectForm::kJson || form == ObjectForm::kYaml || form == ObjectForm::kKyaml ||
           form == ObjectForm::kJsonPath;
  }
  // Returns true if a line says what was done to each object.
  bool PrintsActions() const { return form == ObjectForm::kNotGiven || form == ObjectForm::kChanged; }
};

// Returns "deployment.apps/web", safe for printing.
std::string LabelOf(const kube::ObjectRef& ref);

// -o, --show-managed-fields, --template, --allow-missing-template-keys.
std::vector<Flag> ObjectFormatFlags();

// `own` is a format that only this command has, listed with the common ones in the error message; "" if there is none.
// Error: invalid-argument, with kubectl's message; also for go-template, which is not supported.
Result<ObjectFormat> ToObjectFormat(const ParsedFlags& flags, std::string_view own = "");

// REQUIRES: format.PrintsObjects(). Error: invalid-argument if a JSONPath template fails.
Result<std::string> PrintObjects(const std::vector<Document>& objects, const ObjectFormat& format);

}  // namespace smp::cmd
