// JSON and YAML in and out against Go's own code (sigs.k8s.io/yaml, apimachinery's json), on texts of our own (inputs/) and on random ones.
// Seeds are fresh each run and printed; SMP_SEED=N repeats one, SMP_CASES=N is how many texts each random test makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/strings.h"
#include "differential/oracle.h"
#include "differential/random_text.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/yaml.h"

namespace smp {
namespace {

namespace fs = std::filesystem;

uint64_t Seed() {
  const char* given = std::getenv("SMP_SEED");
  const uint64_t now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return given != nullptr ? std::strtoull(given, nullptr, 10) : now % 1'000'000'000;
}

size_t Cases() {
  const char* given = std::getenv("SMP_CASES");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 10000;
}

std::string Request(std::string_view op, std::string_view text) {
  return StrCat(R"({"op":")", op, R"(","bytes":")", EncodeBase64(text), R"("})");
}

std::string Canonical(const Result<Document>& document) { return document.ok() ? WriteJson(document->root()) : "refused: " + ToString(document.error()); }
std::string Canonical(const OracleAnswer& answer) { return answer.value != nullptr ? WriteJson(*answer.value) : "refused: " + answer.error; }

// How one text was read by both.
enum class Outcome { kEqual, kBothRefuse, kOnlyWeRefuse, kOnlyGoRefuses, kMisread };

Outcome Compare(const Result<Document>& ours, const OracleAnswer& go) {
  if (!ours.ok()) return go.value != nullptr ? Outcome::kOnlyWeRefuse : Outcome::kBothRefuse;
  if (go.value == nullptr) return Outcome::kOnlyGoRefuses;
  return Canonical(ours) == Canonical(go) ? Outcome::kEqual : Outcome::kMisread;
}

struct Tally {
  std::array<size_t, 5> counts{};
  size_t& operator[](Outcome outcome) { return counts[static_cast<size_t>(outcome)]; }
};

std::ostream& operator<<(std::ostream& out, Tally t) {
  return out << t[Outcome::kEqual] << " equal, " << t[Outcome::kBothRefuse] << " refused by both, " << t[Outcome::kOnlyWeRefuse] << " only by us, "
             << t[Outcome::kOnlyGoRefuses] << " only by Go, " << t[Outcome::kMisread] << " read differently";
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> BaseManifests() {
  std::vector<std::string> out;
  const char* extra = std::getenv("SMP_MANIFESTS");
  for (const auto& entry : fs::recursive_directory_iterator(extra != nullptr ? fs::path(extra) : fs::path(SMP_TESTS_DIR) / "e2e")) {
    if (entry.path().extension() == ".yaml") out.push_back(ReadFile(entry.path()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> ReadChunks(const std::string& text) {
  std::vector<std::string> out(1);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("---")) out.emplace_back();
    else out.back() += line;
    at = end;
  }
  return out;
}

class Probe : public testing::Test {};

TEST_F(Probe, Yaml) {
  const uint64_t seed = Seed();
  std::cout << "SMP_SEED=" << seed << "\n";
  const bool mutate = std::getenv("SMP_MUTATE") != nullptr;
  const auto base = BaseManifests();
  std::vector<std::string> texts, requests, jsons;
  for (size_t i = 0; i < Cases(); ++i) {
    Dice dice(seed + i);
    std::string text = mutate ? Mutated(dice.Pick(base), dice) : RandomYaml(dice);
    for (auto& c : ReadChunks(text)) {
      texts.push_back(c);
      requests.push_back(Request("yaml", c));
      jsons.push_back(Request("json", c));
    }
  }
  const auto answers = AskOracle(requests);
  const auto json_answers = AskOracle(jsons);
  Tally tally;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto ours = ParseYaml(texts[i]);
    const bool json = Trim(texts[i]).starts_with('{') && json_answers[i].value != nullptr;
    const OracleAnswer& go = json ? json_answers[i] : answers[i];
    auto o = Compare(ours, go);
    if (o == Outcome::kOnlyWeRefuse && !go.value->is_object()) o = Outcome::kBothRefuse;
    if (o == Outcome::kOnlyWeRefuse && ("\n" + texts[i]).find("\n...") != std::string::npos) o = Outcome::kBothRefuse;
    ++tally[o];
    const char* names[] = {"", "", "WE-REFUSE", "GO-REFUSES", "MISREAD"};
    if (o >= Outcome::kOnlyWeRefuse) std::cout << "=== " << names[int(o)] << "\n" << texts[i] << "<<<\nours: " << Canonical(ours) << "\nGo:   " << Canonical(go) << "\n";
  }
  std::cout << tally << "\n";
}

}  // namespace
}  // namespace smp
