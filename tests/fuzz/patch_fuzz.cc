// A target and a patch that nobody made for each other: every merge ends in a value or an error.
#include "fuzz/check.h"
#include "fuzz/objects.h"
#include "schema/builtin.h"
#include "smp/compose.h"
#include "smp/json_merge.h"
#include "smp/json_patch.h"
#include "smp/merge.h"
#include "value/json.h"

using namespace smp;

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return MutateObjects(data, size, max_size, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::optional<FuzzObjects> input = ReadObjects(TextOf(data, size), 2);
  if (!input) return 0;
  const Value& live = input->values[0].root();
  const Value& patch = input->values[1].root();
  const auto schema = BuiltinSchema();
  Arena arena;
  const auto written = [](const Result<Value>& value) {
    return value.ok() ? WriteJson(*value) : ToString(value.error());
  };
  const std::string merged = written(Merge(live, patch, *schema, input->type, arena));
  Check(written(Merge(live, patch, *schema, input->type, arena)) == merged, "a merge has one result", merged);
  if (live.is_object() && patch.is_object()) (void)written(Compose(live, patch, *schema, input->type, arena));
  (void)written(ApplyJsonMergePatch(live, patch, arena));
  (void)written(ApplyJsonPatch(live, patch, arena));
  return 0;
}
