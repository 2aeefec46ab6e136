// The readers of YAML on a bundle of 4 MB that is like the CRDs of a large operator: ours, the one over yaml-cpp, and
// Go's. CPU time of all threads; Go's garbage collection is included.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "base/strings.h"
#include "differential/oracle.h"
#include "value/base64.h"
#include "yaml/parser.h"
#include "yaml/read_yaml.h"
#include "yaml_cpp/reader.h"

namespace smp {
namespace {

constexpr size_t kBundleBytes = 4UL << 20;

std::string Field(int number, const std::string& indent) {
  return StrCat(
      indent, "field", number, ":\n", indent, "  description: |-\n", indent, "    Field ", number,
      " says how the pods of this object are scheduled, see\n", indent, "    https://example.com/docs/concepts#field-",
      number, " for the default.\n", indent, "  properties:\n", indent, "    name:\n", indent,
      "      description: name of the referent, unique in its namespace. More info\n", indent,
      "        in the documentation, 'names' and \"labels\" follow RFC 1123.\n", indent, "      maxLength: 253\n",
      indent, "      minLength: 1\n", indent, "      type: string\n", indent, "    weight:\n", indent,
      "      default: 0.5\n", indent, "      format: int32\n", indent, "      type: integer\n", indent,
      "      enum: [1, 10, 100]\n", indent, "  required:\n", indent, "  - name\n", indent, "  - \"weight\"\n", indent,
      "  type: object\n", indent, "  x-kubernetes-preserve-unknown-fields: true\n");
}

std::string Definition(int number) {
  std::string text = StrCat("---\n# Generated.\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n",
                            "metadata:\n  name: widgets", number, ".example.com\n  annotations: {}\nspec:\n",
                            "  group: example.com\n  names: {kind: Widget, plural: widgets, shortNames: [w, wi]}\n",
                            "  scope: Namespaced\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n",
                            "        type: object\n        properties:\n");
  for (int field = 0; field < 60; ++field) text += Field(field, "          ");
  return text + "    served: true\n    storage: true\n";
}

const std::string& Bundle() {
  static const std::string bundle = [] {
    std::string text;
    for (int i = 0; text.size() < kBundleBytes; ++i) text += Definition(i);
    return text;
  }();
  return bundle;
}

void SetBytes(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * static_cast<int64_t>(state.iterations()));
}

void BM_Read(benchmark::State& state) {
  for (auto _ : state) {
    if (!yaml::ParseYamlFile(Bundle(), "f").items.front().document.ok()) state.SkipWithError("refused");
  }
  SetBytes(state, Bundle().size());
}

void BM_Events(benchmark::State& state) {
  for (auto _ : state) {
    Arena arena;
    yaml::Parser parser(Bundle(), 0, arena);
    while (parser.Next().type > yaml::Event::Type::kStreamEnd) benchmark::DoNotOptimize(parser.event());
    if (parser.event().type == yaml::Event::Type::kError) state.SkipWithError("refused");
  }
  SetBytes(state, Bundle().size());
}

void BM_ReadOverYamlCpp(benchmark::State& state) {
  for (auto _ : state) {
    if (!yaml_cpp::ParseYamlFile(Bundle(), "f").items.front().document.ok()) state.SkipWithError("refused");
  }
  SetBytes(state, Bundle().size());
}

// Each document by itself, as kubectl reads them; without what Go takes to make objects of the JSON.
void BM_Go(benchmark::State& state) {
  if (std::getenv("SMP_TEST_ORACLE") == nullptr) return state.SkipWithError("SMP_TEST_ORACLE is not set");
  Oracle oracle;
  const std::string text = Definition(0);
  const std::string request = StrCat(R"({"op":"yaml","repeat":20,"bytes":")", EncodeBase64(text), R"("})");
  for (auto _ : state) {
    const std::vector<OracleAnswer> answers = oracle.Ask({request});
    const Value* nanoseconds = answers.front().document.root().Find("nanoseconds");
    if (nanoseconds == nullptr) return state.SkipWithError("refused");
    state.SetIterationTime(static_cast<double>(nanoseconds->AsInt()) / 1e9);
  }
  SetBytes(state, text.size());
}

// Texts that cost a quadratic reader minutes; each doubling may only double the time.
std::string Repeated(std::string_view text, int64_t times) {
  std::string out;
  for (int64_t i = 0; i < times; ++i) out += text;
  return out;
}

void Hostile(benchmark::State& state, const std::string& text) {
  for (auto _ : state) benchmark::DoNotOptimize(yaml::ParseYaml(text).ok());
  SetBytes(state, text.size());
}

void BM_Brackets(benchmark::State& state) { Hostile(state, Repeated("[", state.range(0))); }
void BM_Anchors(benchmark::State& state) { Hostile(state, Repeated("- &x [a]\n", state.range(0))); }
void BM_PlainLines(benchmark::State& state) { Hostile(state, "a:\n" + Repeated("  b c\n", state.range(0))); }
void BM_Comments(benchmark::State& state) { Hostile(state, "a:\n" + Repeated("  # c\n", state.range(0)) + "  b: 1"); }
void BM_OneLine(benchmark::State& state) { Hostile(state, "[" + Repeated("é: a, ", state.range(0)) + "]"); }
void BM_Dashes(benchmark::State& state) { Hostile(state, Repeated("- ", state.range(0))); }
void BM_Keys(benchmark::State& state) { Hostile(state, Repeated("\"a\" ", state.range(0))); }

BENCHMARK(BM_Read)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK(BM_Events)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK(BM_ReadOverYamlCpp)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
BENCHMARK(BM_Go)->Unit(benchmark::kMillisecond)->UseManualTime();
#define HOSTILE(name) BENCHMARK(name)->Arg(100'000)->Arg(200'000)->Unit(benchmark::kMillisecond)
HOSTILE(BM_Brackets);
HOSTILE(BM_Anchors);
HOSTILE(BM_PlainLines);
HOSTILE(BM_Comments);
HOSTILE(BM_OneLine);
HOSTILE(BM_Dashes);
HOSTILE(BM_Keys);

}  // namespace
}  // namespace smp

BENCHMARK_MAIN();
