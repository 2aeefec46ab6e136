// Any bytes → yaml::ParseYamlFile; what was read is written as YAML and read again without a loss, and the reader over
// yaml-cpp reads it as the same, if it reads it.
#include "fuzz/check.h"
#include "value/json.h"
#include "yaml/read_yaml.h"
#include "yaml/write_yaml.h"
#include "yaml_cpp/reader.h"

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
  const std::string written = yaml::WriteYaml(value);
  const Result<Document> again = yaml::ParseYaml(written);
  Check(again.ok(), "what is written can be read", written);
  const bool same = WriteJson(again->root()) == json;
  Check(same || HoldsNegativeZero(value), "what is written means the same", written);
}

void CheckSecondReader(std::string_view text, const Value& value) {
  const Result<Document> second = yaml_cpp::ParseYaml(text);
  Check(!second.ok() || WriteJson(second->root()) == WriteJson(value), "both readers read the same", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  const yaml::YamlFile file = yaml::ParseYamlFile(text, "file.yaml");
  for (const auto& [document] : file.items) {
    size_t budget = 5000;
    if (!document.ok() || !IsSmall(document->root(), budget)) continue;
    CheckRoundTrip(document->root());
    if (file.items.size() == 1) CheckSecondReader(text, document->root());
  }
  return 0;
}
