#include "cmd/document_file.h"

#include <algorithm>

#include "base/read_file.h"
#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"
#include "yaml/read_yaml.h"
#include "yaml/write_kyaml.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

Result<std::string> ReadText(const std::string& file, const std::string& flag, Io& io) {
  if (file == "-") return ReadStream(io.in, kMaxInputBytes, "standard input");
  auto text = ReadWholeFile(file, kMaxInputBytes, StrCat("--", flag, " file"));
  if (!text.ok() && text.error().code == ErrorCode::kNotFound) return Error::InvalidArgument(text.error().message);
  return text;
}

}  // namespace

Result<std::optional<Document>> ReadDocument(const ParsedFlags& flags, const std::string& flag, Io& io) {
  const std::string file = flags.Text(flag);
  if (file.empty()) return std::optional<Document>();
  SMP_ASSIGN(const std::string text, ReadText(file, flag, io));
  SMP_ASSIGN(Document document, yaml::ParseYaml(text, file == "-" ? "standard input" : file));
  return std::optional(std::move(document));
}

Result<Document> ReadObject(const ParsedFlags& flags, const std::string& flag, Io& io) {
  SMP_ASSIGN(std::optional<Document> document, ReadDocument(flags, flag, io));
  if (!document) return MissingFlag(flag);
  if (document->root().is_object()) return *std::move(document);
  Error error = Error::Parse(StrCat("--", flag, " must contain an object, got ", KindName(document->root().kind())));
  error.source = document->SourceOf(&document->root());
  return error;
}

Error MissingFlag(const std::string& flag) {
  return Error::InvalidArgument(StrCat("must specify --", flag, ": a file, or - for standard input"));
}

Status CheckDocumentFlags(const ParsedFlags& flags, const std::vector<std::string>& flags_with_files) {
  const auto standard_input = [&](const std::string& flag) { return flags.Text(flag) == "-"; };
  if (std::count_if(flags_with_files.begin(), flags_with_files.end(), standard_input) > 1) {
    return Error::InvalidArgument("standard input (-) can be used only once");
  }
  return Ok();
}

std::string PrintDocument(const ParsedFlags& flags, const Value& value, int spaces) {
  const std::string format = flags.Text("output");
  if (format == "yaml") return yaml::WriteVisibleYaml(value);
  return format == "kyaml" ? yaml::WriteKyaml(value) : VisibleJson(WriteIndentedJson(value, spaces)) + "\n";
}

}  // namespace smp::cmd
