// OpenAPI v3 documents of one API server → the text of its compiled schema. Used by `generate` only. The documents do
// not state the patch level of the server's version, so the version is an argument.
//
//   compile-schema v1.36.3 api__v1.json apis__apps__v1.json … > kubernetes-1.36.schema
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "schema/minimize.h"
#include "schema/openapi.h"
#include "schema/serial.h"
#include "value/json.h"

namespace smp {
namespace {

Result<Document> ReadDocument(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error::InvalidArgument(StrCat("cannot open ", file));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return ParseJson(text, {.source_name = file});
}

Status Add(const std::string& file, std::string_view version, Schema& all) {
  SMP_ASSIGN(const Document document, ReadDocument(file));
  SMP_ASSIGN(const std::shared_ptr<const Schema> schema, CompileOpenApiV3(document.root()));
  const Value* info = document.root().Find("info");
  const std::string_view documented = info == nullptr ? "" : info->StringOr("version");
  if (documented.empty() || !version.starts_with(StrCat("v", documented, "."))) {
    return Error::Schema(StrCat(file, " is of version \"", documented, "\", not ", version));
  }
  all.Merge(*schema);
  return Ok();
}

int Run(std::string_view version, std::span<char*> files) {
  Schema all;
  for (const char* file : files) {
    if (const Status status = Add(file, version, all); !status.ok()) {
      std::cerr << "compile-schema: " << ToString(status.error()) << "\n";
      return 1;
    }
  }
  std::cout << "# kubernetes " << version << "\n" << SerializeSchema(Minimized(all));
  return std::cout.flush() ? 0 : 1;
}

}  // namespace
}  // namespace smp

int main(int argc, char** argv) {
  if (argc >= 3) return smp::Run(argv[1], std::span(argv, argc).subspan(2));
  std::cerr << "usage: compile-schema VERSION DOCUMENT…\n";
  return 1;
}
