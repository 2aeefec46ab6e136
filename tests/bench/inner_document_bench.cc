// A text that is edited in place: parsed once, 1,000 operations, written once. The time must grow with the text and
// with the operations, not with their product.
#include <benchmark/benchmark.h>

#include <string>

#include "base/strings.h"
#include "edit/inner_document.h"

namespace smp {
namespace {

// About 50 bytes an item.
std::string YamlList(int64_t items) {
  std::string text = "# users\nusers:\n";
  for (int64_t i = 0; i < items; ++i) text += StrCat("- name: \"user ", i, "\"  # note\n  roles: [a, b]\n");
  return text;
}

std::string JsonList(int64_t items) {
  std::string text = "{\"users\": [";
  for (int64_t i = 0; i < items; ++i) {
    text += StrCat(i == 0 ? "" : ",", "\n  {\"name\": \"user ", i, "\", \"roles\": [\"a\", \"b\"]}");
  }
  return text + "\n]}\n";
}

void Edited(benchmark::State& state, const std::string& text, edit::DataFormat format) {
  const auto items = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    auto document = *edit::InnerDocument::Parse(text, format);
    for (int64_t i = 0; i < state.range(1); ++i) {
      const std::string item = StrCat("/users/", static_cast<uint64_t>(i) * 7919 % (items / 2));
      const std::string name = item + "/name";
      const Value value = Value::UnownedString("x");
      bool ok = document.Apply({edit::EditKind::kReplace, name, {}, value}).ok();
      ok = ok && document.Apply({edit::EditKind::kRemove, item, {}, {}}).ok();
      ok = ok && document.Apply({edit::EditKind::kAdd, item, {}, value}).ok();
      // An item that is no map any more would be refused the next time.
      ok = ok && document.Apply({edit::EditKind::kRemove, item, {}, {}}).ok();
      if (!ok) state.SkipWithError("an operation was refused");
    }
    benchmark::DoNotOptimize(*document.Write());
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * static_cast<int64_t>(state.iterations()));
}

void BM_Yaml(benchmark::State& state) { Edited(state, YamlList(state.range(0)), edit::DataFormat::kYaml); }
void BM_Json(benchmark::State& state) { Edited(state, JsonList(state.range(0)), edit::DataFormat::kJson); }
// Items (50 bytes each), and quarters of the operations.
BENCHMARK(BM_Yaml)
    ->Args({1000, 250})
    ->Args({10000, 250})
    ->Args({100000, 1})
    ->Args({100000, 250})
    ->Args({100000, 2500})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Json)
    ->Args({1000, 250})
    ->Args({10000, 250})
    ->Args({100000, 1})
    ->Args({100000, 250})
    ->Args({100000, 2500})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace smp

BENCHMARK_MAIN();
