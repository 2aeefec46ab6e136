// Patterns of CRDs against Go's regexp, by which the API server matches them: random patterns of nasty pieces, on random texts.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "differential/oracle.h"
#include "differential/random_text.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/re2_pattern.h"
#include "value/utf8.h"

namespace smp {
namespace {

constexpr std::string_view kPieces[] = {
    "a",           "b",
    "k",           "S",
    "1",           "_",
    "-",           " ",
    "ä",           "\n",
    ".",           "^",
    "$",           "*",
    "+",           "?",
    "{2}",         "{1,2}",
    "{2,}",        "{,2}",
    "{0}",         "{01}",
    "(",           ")",
    "(",           ")",
    "|",           "|",
    "(?:",         "(?i)",
    "(?s)",        "(?m:",
    "(?-i:",       "(?i-s",
    "(?P<n>",      "(?<m>",
    "(?U)",        "[",
    "]",           "[^",
    "[a-c]",       "[^a-c]",
    "[]a]",        "[a-]",
    "[[:alpha:]]", "[[:^digit:]_]",
    "[\\d-x]",     "[\\w-]",
    "\\d",         "\\D",
    "\\s",         "\\S",
    "\\w",         "\\W",
    "\\b",         "\\B",
    "\\A",         "\\z",
    "\\Q",         "\\E",
    "\\.",         "\\-",
    "\\x41",       "\\x{e4}",
    "\\101",       "\\07",
    "\\n",         "\\pL",
    "\\C",         "\\1",
    "\\_",         "\\",
    "{",           "}",
    "-",           "[a-",
    "[b-a]",       "(?=a)",
    "**",          "a{1001}",
    "(a{40}){40}", "ſ",
    "(?i)k",       "[^\\n]",
};

constexpr std::string_view kLetters[] = {"a", "b",  "c", "k", "K", "S", "s", "1", "9",  "_", "-",   " ",
                                         "ä", "\n", ".", "A", "]", "[", "{", "}", "\\", "ſ", "\xff"};

struct Case {
  std::string pattern;
  std::vector<std::string> texts;
};

std::string Joined(Dice& dice, std::span<const std::string_view> pieces, size_t most) {
  std::string out;
  for (size_t i = dice.Below(most + 1); i > 0; --i) out += dice.Pick(pieces);
  return out;
}

Case RandomCase(Dice& dice) {
  Case out = {Joined(dice, kPieces, 9), {"", "a"}};
  for (int i = 0; i < 8; ++i) out.texts.push_back(Joined(dice, kLetters, 7));
  return out;
}

std::string Request(const Case& c) {
  Arena arena;
  std::vector<Value> texts;
  for (const std::string& text : c.texts) texts.push_back(arena.String(EncodeBase64(text)));
  return WriteJson(arena.Object(
      {{"op", arena.String("regexp")}, {"template", arena.String(c.pattern)}, {"texts", arena.Array(texts)}}));
}

enum class Outcome { kCompared, kBothRefuse, kOnlyWeRefuse };

Outcome Compare(const Case& c, const OracleAnswer& theirs) {
  const auto ours = Re2Pattern::Parse(c.pattern);
  if (!ours.ok() && ours.error().code == ErrorCode::kRefused) return Outcome::kOnlyWeRefuse;
  EXPECT_EQ(ours.ok(), theirs.value != nullptr)
      << c.pattern << "\nGo   " << theirs.error << "\nours " << (ours.ok() ? "" : ours.error().message);
  if (!ours.ok() || theirs.value == nullptr) return Outcome::kBothRefuse;
  for (size_t i = 0; i < c.texts.size(); ++i) {
    const auto matches = ours->Matches(c.texts[i]);
    EXPECT_TRUE(matches.ok()) << c.pattern;
    EXPECT_EQ(matches.ok() && *matches, theirs.value->Items()[i].AsBool())
        << c.pattern << "\non " << WriteJson(Value::UnownedString(c.texts[i]));
  }
  return Outcome::kCompared;
}

TEST(RegexpDifferential, MatchesAsGo) {
  const uint64_t seed = Seed();
  std::cout << "SMP_SEED=" << seed << "\n";
  Dice dice(seed);
  std::vector<Case> cases;
  std::vector<std::string> requests;
  for (size_t i = CasesOr(20'000); i > 0; --i) {
    cases.push_back(RandomCase(dice));
    requests.push_back(Request(cases.back()));
  }
  const std::vector<OracleAnswer> answers = AskOracle(requests);
  std::map<Outcome, size_t> counts;
  for (size_t i = 0; i < cases.size(); ++i) ++counts[Compare(cases[i], answers[i])];
  std::cout << counts[Outcome::kCompared] << " compared, " << counts[Outcome::kBothRefuse] << " refused by both, "
            << counts[Outcome::kOnlyWeRefuse] << " by us alone\n";
  EXPECT_GT(counts[Outcome::kCompared], cases.size() / 10);
  EXPECT_LT(counts[Outcome::kOnlyWeRefuse], cases.size() / 4);
}

}  // namespace
}  // namespace smp
