// The engine, bytes in to patch bytes out: three JSON texts parsed, decided, encoded, proved, written. tests/bench/run
// sets it beside Go.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "bench/deployments.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "schema/serial.h"
#include "smp/smp.h"
#include "value/json.h"

namespace smp {
namespace {

std::string PatchBytes(const BenchCase& in, const Schema& schema, TypeId type) {
  const Document original = *ParseJson(in.original), modified = *ParseJson(in.modified), live = *ParseJson(in.live);
  const auto patch = PlanPatch({.original = &original.root(),
                                .modified = &modified.root(),
                                .live = &live.root(),
                                .schema = &schema,
                                .type = type});
  return WriteJson(patch->body.root());
}

void Measure(benchmark::State& state, const BenchCase& in) {
  const auto schema = BuiltinSchema();
  const TypeId type = schema->FindType({"apps", "v1", "Deployment"});
  for (auto _ : state) benchmark::DoNotOptimize(PatchBytes(in, *schema, type));
  state.SetComplexityN(state.range(0));
}

void BM_Containers(benchmark::State& state) { Measure(state, Containers(static_cast<int>(state.range(0)))); }
BENCHMARK(BM_Containers)->Arg(1)->Arg(3)->Arg(30)->Unit(benchmark::kMicrosecond);

void BM_EnvironmentVariables(benchmark::State& state) {
  Measure(state, EnvironmentVariables(static_cast<int>(state.range(0))));
}
BENCHMARK(BM_EnvironmentVariables)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(4000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMicrosecond);

// What the program does instead of fetching and compiling the document of api/v1 when it has seen it before.
void BM_LoadCompiledSchema(benchmark::State& state, const std::string& file) {
  std::ifstream in(file);
  const std::string document(std::istreambuf_iterator<char>(in), {});
  const std::string compiled = SerializeSchema(**CompileOpenApiV3(ParseJson(document)->root()));
  for (auto _ : state) benchmark::DoNotOptimize(ParseSchema(compiled));
}

void BM_CompileDocument(benchmark::State& state, const std::string& file) {
  std::ifstream in(file);
  const std::string document(std::istreambuf_iterator<char>(in), {});
  for (auto _ : state) benchmark::DoNotOptimize(CompileOpenApiV3(ParseJson(document)->root()));
}

void RegisterSchemaBenchmarks(const std::string& folder) {
  const std::string file = folder + "/api__v1.json";
  benchmark::RegisterBenchmark("BM_CompileDocument/api_v1", BM_CompileDocument, file)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("BM_LoadCompiledSchema/api_v1", BM_LoadCompiledSchema, file)
      ->Unit(benchmark::kMicrosecond);
}

// The same inputs as requests to the Go oracle, which measures itself ("repeat").
void PrintRequest(std::string_view name, int n, const BenchCase& in, int repeat) {
  std::cout << R"({"id":")" << name << "/" << n << R"(","op":"three-way","repeat":)" << repeat << R"(,"original":)"
            << in.original << R"(,"modified":)" << in.modified << R"(,"live":)" << in.live << "}\n";
}

void PrintRequests() {
  for (const int n : {1, 3, 30}) PrintRequest("BM_Containers", n, Containers(n), 600 / n);
  for (const int n : {100, 1000, 4000})
    PrintRequest("BM_EnvironmentVariables", n, EnvironmentVariables(n), n < 1000 ? 50 : 1);
}

}  // namespace
}  // namespace smp

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--requests") {
    smp::PrintRequests();
    return 0;
  }
  if (const char* folder = std::getenv("SMP_OPENAPI")) smp::RegisterSchemaBenchmarks(folder);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
