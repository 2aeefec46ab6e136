#include "yaml/core_schema.h"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <optional>
#include <random>
#include <string>

#include "base/strings.h"
#include "value/json.h"

namespace smp::yaml {
namespace {

using Type = YamlScalar::Type;

std::string Shown(const YamlScalar& scalar) {
  switch (scalar.type) {
    case Type::kString: return "text";
    case Type::kNull: return "null";
    case Type::kFloat: return StrCat("float ", std::to_string(scalar.value.AsDouble()));
    default: return WriteJson(scalar.value);
  }
}

// Section 10.3.2 of the specification, and the words that only YAML 1.1 reads as something else.
TEST(CoreSchema, ReadsScalarsAsTheSpecificationSays) {
  const std::string_view rows[][2] = {
      {"", "null"},
      {"~", "null"},
      {"null", "null"},
      {"NULL", "null"},
      {"nULL", "text"},
      {"true", "true"},
      {"TRUE", "true"},
      {"tRUE", "text"},
      {"False", "false"},
      {"yes", "text"},
      {"on", "text"},
      {"y", "text"},
      {"No", "text"},
      {"0", "0"},
      {"0644", "644"},
      {"-017", "-17"},
      {"+12", "12"},
      {"0o644", "420"},
      {"-0o7", "text"},
      {"0o8", "text"},
      {"0x1F", "31"},
      {"0X1F", "text"},
      {"0b11", "text"},
      {"1_000", "text"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "float 9223372036854775808.000000"},
      {"1.5", "float 1.500000"},
      {".5", "float 0.500000"},
      {"1.", "float 1.000000"},
      {"-1.", "float -1.000000"},
      {"12e03", "float 12000.000000"},
      {"1:30", "text"},
      {"1.2.3", "text"},
      {"1e", "text"},
      {".", "text"},
      {"-", "text"},
      {".inf", "float inf"},
      {"-.INF", "float -inf"},
      {".NaN", "float nan"},
      {".iNF", "text"},
      {"2026-01-01", "text"},
      {"<<", "text"},
      {"=", "text"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(Shown(ResolveCore(text)), expected) << text;
}

// --- yaml-cpp, which follows 1.2 in most, as the second opinion

// yaml-cpp has the booleans of YAML 1.1, reads 0644 as octal, does not know 0o, and takes numbers that no double holds for
// texts: of these it is no judge.
bool IsNoJudge(std::string_view text, const YAML::Node& node) {
  bool as_bool = false;
  if (YAML::convert<bool>::decode(node, as_bool)) return true;
  const size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::string_view digits = text.substr(sign);
  return (digits.size() > 1 && digits[0] == '0' && digits.find_first_of(".eE") == digits.npos) ||
         text.find_first_of("xX") != text.npos || (text != ".inf" && Shown(ResolveCore(text)).ends_with("inf"));
}

std::string ByYamlCpp(const YAML::Node& node) {
  if (node.IsNull()) return "null";
  int64_t integer = 0;
  double number = 0;
  if (YAML::convert<int64_t>::decode(node, integer)) return std::to_string(integer);
  return YAML::convert<double>::decode(node, number) ? StrCat("float ", std::to_string(number)) : "text";
}

void ExpectAgreement(const std::string& text, size_t& compared) {
  const YAML::Node node = YAML::Load(StrCat("[", text, "]"))[0];
  if (!node.IsScalar() && !node.IsNull()) return;
  if (node.IsScalar() && (node.Scalar() != text || IsNoJudge(text, node))) return;
  ++compared;
  const std::string ours = Shown(ResolveCore(text));
  EXPECT_EQ(ours, ByYamlCpp(node)) << text;
}

TEST(CoreSchema, AgreesWithYamlCpp) {
  constexpr std::string_view kPieces[] = {"1", "2", "0",   ".",   "e",    "E", "+", "-",
                                          "9", "x", "inf", "nan", "null", "~", "_"};
  std::mt19937 random(1);
  size_t compared = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (size_t n = 1 + random() % 6; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    if (text == "-" || text.starts_with("-.") || text.find("- ") != text.npos) continue;
    ExpectAgreement(text, compared);
  }
  EXPECT_GT(compared, 10'000u);
}

}  // namespace
}  // namespace smp::yaml
