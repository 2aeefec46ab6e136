#include "value/equality.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "value/json.h"

namespace smp {
namespace {

// "exact number float64", as far as they hold.
std::string Equalities(const std::string& a_text, const std::string& b_text) {
  const Document a = *ParseJson(a_text), b = *ParseJson(b_text);
  const auto text = [](const Value& x, const Value& y) {
    return std::string(x == y ? "exact " : "") + (SameByNumber(x, y) ? "number " : "") +
           (SameAsFloat64(x, y) ? "float64" : "");
  };
  EXPECT_EQ(text(a.root(), b.root()), text(b.root(), a.root())) << "not symmetric: " << a_text << " " << b_text;
  return text(a.root(), b.root());
}

TEST(Equality, FromTheStrictestToTheMostTolerant) {
  const std::string all = "exact number float64", by_number = "number float64", by_float64 = "float64", none;
  const std::tuple<std::string, std::string, std::string> rows[] = {
      {"1", "1", all},
      {"1", "1.0", by_number},
      {"0", "-0.0", by_number},
      {"9007199254740993", "9007199254740992.0", by_float64},  // 2^53 + 1
      {"9223372036854775807", "9223372036854775808", by_float64},
      {"-9223372036854775808", "-9223372036854775808.0", by_number},
      {"1", "1.5", none},
      {"1", "1e300", none},
      {"1", "\"1\"", none},
      {"null", "null", all},
      {"null", "false", none},
      {"\"a\"", "\"a\"", all},
      {"[]", "{}", none},
      {"[]", "null", none},
      {"[1,2]", "[1,2]", all},
      {"[1,2]", "[1,2.0]", by_number},
      {"[1,2]", "[2,1]", none},
      {"[1,2]", "[1]", none},
      {R"({"a":{"b":1}})", R"({"a":{"b":1.0}})", by_number},
      {R"({"a":1,"b":2})", R"({"b":2,"a":1})", all},
      {R"({"a":1})", R"({"b":1})", none},
      {R"({"a":null})", "{}", none},
  };
  for (const auto& [a, b, wanted] : rows) EXPECT_EQ(Equalities(a, b), wanted) << a << " " << b;
}

}  // namespace
}  // namespace smp
