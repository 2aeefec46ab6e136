// Held to Go's regexp by tests/differential/regexp_test.cc.
#include "value/re2_pattern.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"

namespace smp {
namespace {

std::string Match(std::string_view pattern, std::string_view text) {
  const auto parsed = Re2Pattern::Parse(pattern);
  if (!parsed.ok()) return parsed.error().code == ErrorCode::kRefused ? "refused" : "bad";
  const auto matches = parsed->Matches(text);
  return !matches.ok() ? "too long" : *matches ? "yes" : "no";
}

TEST(Re2Pattern, MatchesAnywhereInTheText) {
  const std::string_view rows[][3] = {
      {"b", "abc", "yes"},
      {"^b", "abc", "no"},
      {"", "", "yes"},
      {"^$", "", "yes"},
      {"^$", "a", "no"},
      {"^a.c$", "abc", "yes"},
      {"^a.c$", "a\nc", "no"},
      {"(?s)^a.c$", "a\nc", "yes"},
      {"^a$", "a\n", "no"},
      {"(?m)^a$", "b\na\n", "yes"},
      {"^(ab|a)(c|bcd)$", "abcd", "yes"},
      {"^[a-z]([-a-z0-9]*[a-z0-9])?$", "web-1", "yes"},
      {"^[a-z]([-a-z0-9]*[a-z0-9])?$", "web-", "no"},
      {"^[^@]+@[^@]+$", "a@b", "yes"},
      {"^[]a]$", "]", "yes"},
      {"^\\d{2,3}$", "1234", "no"},
      {"^\\d{2,}$", "1234", "yes"},
      {"^a{,2}$", "a{,2}", "yes"},
      {"^x{2}y??$", "xx", "yes"},
      {"^(?:a*)*$", "aaa", "yes"},
      {"(?i)^ABC$", "aBc", "yes"},
      {"(?i:a)b", "AB", "no"},
      {"\\bfoo\\b", "a foo b", "yes"},
      {"\\Bfoo", "a foo", "no"},
      {"^[[:alpha:]]+$", "abc", "yes"},
      {"^[\\w.]+$", "a_1.", "yes"},
      {"^\\Qa.b\\E$", "a.b", "yes"},
      {"^\\x{e4}$", "ä", "yes"},
      {"^.$", "ä", "yes"},
      {"^(?P<name>a)$", "a", "yes"},
      {"\\Aa\\z", "a", "yes"},
  };
  for (const auto& [pattern, text, expected] : rows)
    EXPECT_EQ(Match(pattern, text), expected) << pattern << " " << text;
}

TEST(Re2Pattern, RefusesWhatGoRefuses) {
  for (const std::string_view pattern : {"(", ")", "a(?=b)", "(?<!a)b", "\\1", "a**", "[b-a]", "[", "\\", "*",
                                         "x{1001}", "(?z)", "\\8", "(a{1000}){1000}", "\\Z"}) {
    EXPECT_EQ(Match(pattern, ""), "bad") << pattern;
  }
}

TEST(Re2Pattern, SaysWhatItDoesNotKnow) {
  for (const std::string_view pattern : {"\\p{Greek}", "(?i)ä"}) EXPECT_EQ(Match(pattern, ""), "refused") << pattern;
}

// A matcher that tries one way after the other would take 2^60 steps.
TEST(Re2Pattern, TakesLinearTime) {
  std::string pattern = "^";
  for (int i = 0; i < 60; ++i) pattern += "a?";
  pattern += "a{60}$";
  EXPECT_EQ(Match(pattern, std::string(60, 'a')), "yes");
  EXPECT_EQ(Match("^(a+)+$", std::string(100'000, 'a') + "b"), "no");
  EXPECT_EQ(Match("^(a|aa)*$", std::string(100'000, 'a') + "b"), "no");
}

TEST(Re2Pattern, BoundsWhatItDoes) {
  EXPECT_EQ(Match(std::string(100'000, '('), ""), "bad");
  EXPECT_EQ(Match("(([ab]{30}){30})", std::string(10'000'000, 'c')), "too long");
}

}  // namespace
}  // namespace smp
