// Inputs made to exhaust stack, memory or time: each ends in a value or in a clear error.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/strings.h"
#include "value/json.h"
#include "yaml/read_yaml.h"
#include "yaml/write_yaml.h"

namespace smp {
namespace {

// AddressSanitizer keeps freed memory for a while and a shadow of all of it.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kMostMegabytes = 3000;
#else
constexpr size_t kMostMegabytes = 1000;
#endif

constexpr size_t kHuge = 100UL << 20;

std::string Repeated(std::string_view text, size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string Nested(std::string_view open, std::string_view inner, std::string_view close, size_t depth) {
  return StrCat(Repeated(open, depth), inner, Repeated(close, depth));
}

// The most memory that this process ever held.
size_t PeakMegabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) >> 10;
}

void ExpectError(const Result<Document>& document, std::string_view words) {
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().code, ErrorCode::kParse);
  EXPECT_NE(document.error().message.find(words), std::string::npos) << document.error().message;
  EXPECT_LT(document.error().message.size(), 500u);
}

TEST(HostileJson, IsReadDownToItsDepthLimitAndNoFurther) {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair(R"({"a":)", "}")}) {
    EXPECT_TRUE(ParseJson(Nested(open, "1", close, kMaxDepth)).ok()) << open;
    ExpectError(ParseJson(Nested(open, "1", close, kMaxDepth + 1)), "nested deeper than 1000 levels");
  }
}

TEST(HostileJson, AHundredMegabytesOfBracketsAreAnErrorAndCostNoGigabytes) {
  const std::string brackets(kHuge, '['), braces = Repeated(R"({"a":)", kHuge / 5);
  const size_t before = PeakMegabytes();
  ExpectError(ParseJson(brackets), "nested deeper");
  ExpectError(ParseJson(braces), "nested deeper");
  EXPECT_FALSE(ParseJsonValues(brackets).back().ok());
  EXPECT_LT(PeakMegabytes() - before, kMostMegabytes);
}

TEST(HostileJson, ManySmallValuesAreAnErrorBeforeTheyFillTheMemory) {
  std::string text = "[0";
  while (text.size() < (32UL << 20)) text += ",0";
  const Result<Document> read = ParseJson(text + "]");
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().message.ends_with("it has more than 10000000 values")) << read.error().message;
}

TEST(HostileJson, WhatIsTooLargeIsNotRead) {
  ExpectError(ParseJson(std::string(kMaxInputBytes + 1, ' ')), "larger than 256 MiB");
}

TEST(HostileJson, NumbersBeyondADoubleAreAnError) {
  const std::string digits(10'000, '9');
  for (const std::string& text : {std::string("1e999"), std::string("-1e999"), digits, "-" + digits, "1e" + digits}) {
    ExpectError(ParseJson(text), "number too big");
  }
}

TEST(HostileJson, LongNumbersWithinADoubleAreRead) {
  const std::string digits(10'000, '1');
  for (const std::string& text : {"0." + digits, "1e-" + digits, "1." + digits + "e-300"}) {
    EXPECT_TRUE(ParseJson(text).ok()) << text.substr(0, 20);
  }
  EXPECT_EQ(WriteJson(ParseJson("0." + digits)->root()), "0.1111111111111111");
}

TEST(HostileYaml, IsReadDownToADepthLimitAndNoFurther) {
  for (const auto& [open, inner, close] : {std::tuple("[", "1", "]"), std::tuple("{a: ", "1", "}"),
                                           std::tuple("- ", "1", ""), std::tuple("? ", "a", "")}) {
    const Result<Document> shallow =
        yaml::ParseYaml(Nested(open, inner, close, std::string_view(open) == "? " ? 1 : 300));
    EXPECT_TRUE(shallow.ok()) << open << ToString(shallow.error());
    for (const size_t depth : {kMaxDepth + 1, 10 * kMaxDepth, 100 * kMaxDepth}) {
      ExpectError(yaml::ParseYaml(Nested(open, inner, close, depth)), "");
    }
  }
}

TEST(HostileYaml, DeepBlocksAreAnError) {
  std::string text;
  for (size_t depth = 0; depth < 3000; ++depth) text += std::string(depth, ' ') + "a:\n";
  ExpectError(yaml::ParseYaml(text), "nested");
}

TEST(HostileYaml, AHundredMegabytesOfBracketsAreAnErrorAndCostNoGigabytes) {
  const std::string brackets(kHuge, '[');
  const size_t before = PeakMegabytes();
  ExpectError(yaml::ParseYaml(brackets), "nested deeper than 1000 levels");
  for (const char* open : {"{", "- ", "? ", R"({"a":)", "[a,", "\"a\" "}) {
    ExpectError(yaml::ParseYaml(Repeated(open, (4UL << 20) / std::string_view(open).size())), "");
  }
  EXPECT_LT(PeakMegabytes() - before, kMostMegabytes);
}

TEST(HostileYaml, LargeScalarsAndListsThatFitIntoARequestAreRead) {
  const Result<Document> scalar = yaml::ParseYaml(StrCat("a: |\n  ", std::string(2UL << 20, 'x'), "\n"));
  EXPECT_TRUE(scalar.ok()) << ToString(scalar.error());
  const Result<Document> list = yaml::ParseYaml(StrCat("a: [", Repeated("1234567890, ", 100'000), "1]\n"));
  EXPECT_TRUE(list.ok()) << ToString(list.error());
  const Result<Document> many = yaml::ParseYaml(Repeated("- {a: 1}\n", 200'000));
  EXPECT_TRUE(many.ok()) << ToString(many.error());
}

// "Billion laughs": each line multiplies the one before.
std::string Bomb(std::string_view first, std::string_view open, std::string_view separator, std::string_view close) {
  std::string text = StrCat("l0: &l0 ", first, "\n");
  for (int level = 1; level < 30; ++level) {
    text += StrCat("l", level, ": &l", level, " ", open);
    for (int i = 0; i < 9; ++i) text += StrCat(i == 0 ? "" : separator, "*l", level - 1, " ");
    text += StrCat(close, "\n");
  }
  return text;
}

TEST(HostileYaml, AliasBombsEndBeforeTheyAreExpanded) {
  const size_t before = PeakMegabytes();
  ExpectError(yaml::ParseYaml(Bomb("[x, x]", "[", ", ", "]")), "most of the document consists of aliases");
  ExpectError(yaml::ParseYaml(Bomb(StrCat("[", std::string(1000, 'x'), "]"), "[", ", ", "]")), "consists of aliases");
  EXPECT_LT(PeakMegabytes() - before, kMostMegabytes);
}

TEST(HostileYaml, BombsOfMergeKeysEndToo) {
  std::string text = "m0: &m0 {a0: 1, b0: 1}\n";
  for (int level = 1; level < 40; ++level) {
    text += StrCat("m", level, ": &m", level, " {a", level, ": 1, <<: [");
    for (int i = 0; i < 20; ++i) text += StrCat(i == 0 ? "" : ", ", "*m", level - 1);
    text += "]}\n";
  }
  ExpectError(yaml::ParseYaml(text), "most of the document consists of aliases");
}

// Each search for a dash before an anchor went back to the begin of the text: 260 KB took seconds, 1 MB minutes.
TEST(HostileYaml, ManyAnchorsAboveAnErrorAreSearchedOnce) {
  for (const std::string_view line : {" &x\n", " - &x\n", " !x\n", "  &x &y\n"}) {
    const std::string lines = Repeated(line, 1'000'000 / line.size());
    ExpectError(yaml::ParseYaml(StrCat("a: |\n", lines, "b: [\n")), "not closed by ]");
  }
}

TEST(HostileYaml, AQuoteRightBehindATagIsAnError) {
  ExpectError(yaml::ParseYaml("c: !\"x\\N y\"\n"), "put a space after the tag");
  EXPECT_EQ(WriteJson(yaml::ParseYaml("c: ! \"x\\N y\"\n")->root()), "{\"c\":\"x\u0085 y\"}");
}

TEST(HostileYaml, AnAnchorInsideItselfIsAnError) {
  ExpectError(yaml::ParseYaml("a: &a [1, *a]"), "alias");
  ExpectError(yaml::ParseYaml("&a {b: *a}"), "alias");
}

TEST(HostileYaml, DepthThroughAliasesCounts) {
  std::string text = "l0: &l0 [x]\n";
  for (int level = 1; level <= 1100; ++level) text += StrCat("l", level, ": &l", level, " [*l", level - 1, "]\n");
  ExpectError(yaml::ParseYaml(text), "most of the document consists of aliases");
}

TEST(HostileYaml, HugeNumbersAreNoCrash) {
  const std::string digits(10'000, '9');
  for (const std::string& text : {digits, "-" + digits, "1e" + digits, std::string("1e999"), "0x" + digits,
                                  "0" + std::string(10'000, '7'), digits + ":59", "0." + digits, "0b" + digits}) {
    const Result<Document> document = yaml::ParseYaml("a: " + text);
    EXPECT_TRUE(document.ok() || document.error().code == ErrorCode::kParse) << text.substr(0, 10);
  }
  ExpectError(yaml::ParseYaml("a: .inf"), "infinity");
}

TEST(HostileValues, AreWrittenComparedAndHashedAtFullDepth) {
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair(R"({"a":)", "}"), std::pair(R"([{"a":)", "}]")}) {
    const std::string text = Nested(open, "1", close, std::string_view(open).starts_with("[{") ? 500 : 1000);
    const Result<Document> a = ParseJson(text), b = ParseJson(text);
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_TRUE(a->root() == b->root());
    EXPECT_EQ(HashValue(a->root()), HashValue(b->root()));
    EXPECT_EQ(WriteJson(a->root()), text);
    EXPECT_TRUE(ParseJson(WriteIndentedJson(a->root())).ok());
    EXPECT_FALSE(yaml::WriteYaml(a->root()).empty());
  }
}

}  // namespace
}  // namespace smp
