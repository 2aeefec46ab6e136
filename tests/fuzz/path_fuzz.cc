// Any bytes → ParsePath; what was read is printed and read again without a loss.
#include "fuzz/check.h"
#include "value/parse_path.h"

using namespace smp;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  const Result<FieldPath> path = ParsePath(text);
  if (!path.ok()) return 0;
  const std::string printed = ToString(*path);
  const Result<FieldPath> again = ParsePath(printed);
  Check(again.ok(), "what is printed can be read", printed);
  // -0.0 in a list or map becomes -0, and that 0 (check.h).
  const bool same = ToString(*again) == printed || printed.find("-0") != std::string::npos;
  Check(same, "printing what was parsed gives the same bytes", printed);
  return 0;
}
