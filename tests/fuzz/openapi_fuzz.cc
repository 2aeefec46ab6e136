// Any JSON → CompileOpenApiV3 and V2; what was compiled is sound, and its text says all of it.
#include "fuzz/check.h"
#include "schema/minimize.h"
#include "schema/openapi.h"
#include "schema/openapi_v2.h"
#include "schema/serial.h"
#include "value/json.h"

using namespace smp;

namespace {

void CheckSound(const Schema& schema) {
  for (TypeId id = 0; id < schema.type_count(); ++id) {
    Check(schema.type(id).additional < schema.type_count(), "every type is there");
    for (const Field& field : schema.type(id).fields) {
      Check(field.type < schema.type_count(), "every type is there");
      Check(schema.Find(id, field.name) == &field, "every field is found", field.name);
    }
  }
  const std::string text = SerializeSchema(schema);
  const auto again = ParseSchema(text);
  Check(again.ok(), "what is written can be read", text);
  Check(SerializeSchema(**again) == text, "what is written means the same", text);
  const Schema minimized = Minimized(schema);
  Check(minimized.type_count() <= schema.type_count(), "minimizing adds nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<Document> document = ParseJson(TextOf(data, size));
  if (!document.ok()) return 0;
  for (const auto& compiled : {CompileOpenApiV3(document->root()), CompileOpenApiV2(document->root())}) {
    if (compiled.ok()) CheckSound(**compiled);
  }
  return 0;
}
