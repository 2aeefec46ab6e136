// Any bytes → the reader of values and the lossless reader of texts: what both read is the same data.
#include "edit/text_reader.h"
#include "edit/text_tree.h"
#include "fuzz/check.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

using namespace smp;

namespace {

// The lossless reader resolves `<<` in another way: explicit members win wherever they are.
bool HasMerge(const edit::TextTree& tree) {
  for (const edit::TextEntry& entry : tree.entries) {
    if (entry.is_merge) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = TextOf(data, size);
  // What begins with `{` may be read as JSON, where 1.0 is no integer; a file of several documents is split first.
  if (text.find('{') == text.find_first_not_of(" \t\r\n") || text.find("---") != text.npos) return 0;
  const Result<Document> value = yaml::ParseYaml(text);
  if (!value.ok()) return 0;
  const auto tree = edit::ReadYamlText(text);
  if (!tree.ok() || HasMerge(**tree) || (*tree)->expanded_nodes > 5000) return 0;
  Arena arena;
  const Value lossless = edit::ValueOf((*tree)->root(), arena);
  Check(WriteJson(lossless) == WriteJson(value->root()), "both readers read the same", text);
  return 0;
}
