// Any bytes → ParseYamlFile; what was read is written as YAML and read again without a loss.
#include "fuzz/check.h"
#include "value/json.h"
#include "value/yaml.h"

using namespace smp;

namespace {

// Aliases make large values out of short texts; writing these would only cost time.
bool IsSmall(const Value& value, size_t& budget) {
  if (budget == 0) return false;
  --budget;
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) {
    if (!IsSmall(item, budget)) return false;
  }
  for (const Member& member : value.is_object() ? value.Members() : std::span<const Member>()) {
    if (!IsSmall(member.value, budget)) return false;
  }
  return true;
}

void CheckRoundTrip(const Value& value) {
  const std::string json = WriteJson(value);
  const std::string yaml = WriteYaml(value);
  const Result<Document> again = ParseYaml(yaml);
  Check(again.ok(), "what is written can be read", yaml);
  const bool same = WriteJson(again->root()) == json;
  Check(same || HoldsNegativeZero(value), "what is written means the same", yaml);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const YamlFile file = ParseYamlFile(TextOf(data, size), "file.yaml");
  for (const YamlFile::Item& item : file.items) {
    size_t budget = 5000;
    if (item.document.ok() && IsSmall(item.document->root(), budget)) CheckRoundTrip(item.document->root());
  }
  return 0;
}
