// Any bytes → ParseJson; what was read is written and read again without a loss.
#include "base/strings.h"
#include "fuzz/check.h"
#include "value/json.h"

using namespace smp;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  const Result<Document> plain = ParseJson(text);
  const Result<Document> with_lines = ParseJson(text, {"file.json", true, 1});
  Check(plain.ok() == with_lines.ok(), "lines do not matter");
  for (const Result<Document>& value : ParseJsonValues(text)) {
    if (!value.ok()) Check(!ToString(value.error()).empty(), "errors have words");
  }
  if (!plain.ok()) return 0;
  Check(plain->root() == with_lines->root(), "lines do not matter");
  Check(HashValue(plain->root()) == HashValue(with_lines->root()), "equal values have equal hashes");
  const std::string written = WriteJson(plain->root());
  const Result<Document> again = ParseJson(written);
  Check(again.ok(), "what is written can be read", written);
  const bool same = WriteJson(again->root()) == written;
  Check(same || HoldsNegativeZero(plain->root()), "what is written means the same", written);
  const Result<Document> indented = ParseJson(WriteIndentedJson(plain->root(), 2));
  Check(indented.ok() && indented->root() == again->root(), "indentation means nothing", written);
  return 0;
}
