#include "cmd/object_printer.h"

#include <string_view>
#include <utility>

#include "apply/manifests.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "cmd/flag_values.h"
#include "value/at.h"
#include "value/escape.h"
#include "value/json.h"
#include "yaml/write_kyaml.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

constexpr size_t kMaxTemplateBytes = 1UL << 20;

// The value of -o, split into format and template ("jsonpath={.a}"); --template can give the template instead.
struct Named {
  std::string format;
  std::string text;
};

Named SplitOutput(const ParsedFlags& flags) {
  const std::string output = flags.Text("output");
  const size_t equals = output.find('=');
  if (equals == output.npos) return {output, flags.Text("template")};
  return {output.substr(0, equals), output.substr(equals + 1)};
}

Error GoTemplate() {
  return Error::InvalidArgument(
      "go templates are not supported; -o jsonpath='{.metadata.name}' selects fields, and -o json can be piped into "
      "jq");
}

bool IsGoTemplate(std::string_view format) {
  return format == "go-template" || format == "go-template-file" || format == "template" || format == "templatefile";
}

// kubectl's message, with our formats.
Error NoPrinter(const std::string& format, std::string_view own) {
  return Error::InvalidArgument(
      StrCat("unable to match a printer suitable for the output format ", GoQuoted(format),
             ", allowed formats are: json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,", own,
             own.empty() ? "" : ",", "yaml"));
}

Result<std::string> TemplateText(const Named& named) {
  if (named.text.empty()) return Error::InvalidArgument("template format specified but no template given");
  if (named.format != "jsonpath-file") return named.text;
  Result<std::string> text = ReadWholeFile(named.text, kMaxTemplateBytes, "the template");
  if (text.ok()) return text;
  return Error::InvalidArgument(StrCat("error reading --template ", named.text, ", ", text.error().message));
}

Status SetJsonPath(const Named& named, const ParsedFlags& flags, ObjectFormat& out) {
  SMP_ASSIGN(out.path_text, TemplateText(named));
  Result<JsonPath> path = JsonPath::Parse(out.path_text);
  if (!path.ok()) {
    return Error::InvalidArgument(StrCat("error parsing jsonpath ", out.path_text, ", ", path.error().message));
  }
  out.form = ObjectForm::kJsonPath;
  out.path = *std::move(path);
  if (named.format == "jsonpath-as-json") out.path_options.form = JsonPath::Form::kJson;
  if (!flags.On("allow-missing-template-keys")) out.path_options.missing = JsonPath::Missing::kError;
  return Ok();
}

// Escapes control characters only for a terminal: scripts need the exact output of a template.
std::string ForTerminal(const std::string& text) { return IsTerminal(StandardStream::kOutput) ? Visible(text) : text; }

Result<std::string> PrintByPath(const Value& shown, const ObjectFormat& format) {
  Result<std::string> text = format.path->Print(shown, format.path_options);
  if (text.ok()) return ForTerminal(*std::move(text));
  // kubectl's message also has the whole object in Go syntax, which we omit.
  return Error::InvalidArgument(StrCat("error executing jsonpath ", GoQuoted(format.path_text),
                                       ": Error executing template: ", text.error().message));
}

}  // namespace

std::string LabelOf(const kube::ObjectRef& ref) { return Visible(apply::Label(ref.gvk, ref.name), Newlines::kEscape); }

std::vector<Flag> ObjectFormatFlags() {
  return Grouped(
      FlagGroup::kOutput,
      {{.name = "output",
        .letter = 'o',
        .placeholder = "json|yaml|kyaml|name|jsonpath=|jsonpath-file=|jsonpath-as-json=",
        .help =
            "print the objects, their names, or selected fields (jsonpath={.metadata.name}) instead of the actions"},
       Switch("show-managed-fields", "keep metadata.managedFields with -o json, -o yaml and -o kyaml"),
       TextFlag("template", "TEXT", "template, or template file with -o jsonpath-file, if -o does not contain it"),
       Switch("allow-missing-template-keys", "false: fail if an object lacks a field of the template", "true")});
}

Result<ObjectFormat> ToObjectFormat(const ParsedFlags& flags, std::string_view own) {
  ObjectFormat out;
  out.managed_fields = flags.On("show-managed-fields");
  const Named named = SplitOutput(flags);
  const bool go_template = IsGoTemplate(named.format) || (named.format.empty() && !named.text.empty());
  if (go_template) return GoTemplate();
  const bool plain = flags.Text("output").find('=') == std::string::npos;
  if (plain && named.format == "name") out.form = ObjectForm::kName;
  if (plain && named.format == "json") out.form = ObjectForm::kJson;
  if (plain && named.format == "yaml") out.form = ObjectForm::kYaml;
  if (plain && named.format == "kyaml") out.form = ObjectForm::kKyaml;
  if (named.format.empty() || out.form != ObjectForm::kNotGiven) return out;
  const bool known =
      named.format == "jsonpath" || named.format == "jsonpath-file" || named.format == "jsonpath-as-json";
  if (!known) return NoPrinter(flags.Text("output"), own);
  SMP_TRY(SetJsonPath(named, flags, out));
  return out;
}

Result<std::string> PrintObjects(const std::vector<Document>& objects, const ObjectFormat& format) {
  Arena arena;
  std::vector<Value> items;
  const bool whole = format.managed_fields || format.form == ObjectForm::kJsonPath;  // as kubectl
  for (const Document& object : objects) {
    items.push_back(whole ? object.root() : WithoutAt(object.root(), {"metadata"}, {"managedFields"}, arena));
  }
  const Value shown = apply::ListOf(items, arena);
  if (format.form == ObjectForm::kJsonPath) return PrintByPath(shown, format);
  // Differs from kubectl: it prints what a terminal does not show, such as bidirectional overrides, as it is.
  if (format.form == ObjectForm::kYaml) return yaml::WriteVisibleYaml(shown);
  return format.form == ObjectForm::kKyaml ? yaml::WriteKyaml(shown) : VisibleJson(WriteIndentedJson(shown)) + "\n";
}

}  // namespace smp::cmd
