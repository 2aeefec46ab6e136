// Any bytes → ParseSchema (the cache on disk is untrusted); what was read is written and read again without a loss.
#include "fuzz/check.h"
#include "schema/minimize.h"
#include "schema/serial.h"

using namespace smp;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto schema = ParseSchema(TextOf(data, size));
  if (!schema.ok()) return 0;
  const std::string written = SerializeSchema(**schema);
  const auto again = ParseSchema(written);
  Check(again.ok(), "what is written can be read", written);
  Check(SerializeSchema(**again) == written, "what is written means the same", written);
  Check(Minimized(**schema).type_count() <= (*schema)->type_count(), "minimizing adds nothing");
  return 0;
}
