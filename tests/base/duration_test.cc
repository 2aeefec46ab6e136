#include "base/duration.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(Timeout, IsSecondsOrAGoDuration) {
  const struct {
    const char* text;
    int64_t ms;
  } kCases[] = {{"0", 0},  {"30", 30'000}, {"1m30s", 90'000}, {"1.5h", 5'400'000}, {"250ms", 250},
                {"0s", 0}, {"1us", 1},     {"1µs", 1},        {"2h45m", 9900000}};
  for (const auto& c : kCases) {
    const Result<int64_t> ms = ParseTimeoutMs(c.text);
    ASSERT_TRUE(ms.ok()) << c.text;
    EXPECT_EQ(*ms, c.ms) << c.text;
  }
}

TEST(Timeout, AnythingElseIsRefused) {
  for (const char* text :
       {"", "-5", "-5s", "5x", "s", "1m30", "1e3s", "..s", "99999999999999999999h", " 5", "5 s", "nans"}) {
    EXPECT_FALSE(ParseTimeoutMs(text).ok()) << text;
  }
}

TEST(GoDuration, NeedsAUnit) {
  EXPECT_EQ(*ParseGoDurationMs("0"), 0);
  EXPECT_EQ(*ParseGoDurationMs("1m30s"), 90'000);
  EXPECT_EQ(ParseGoDurationMs("5").error().message, "time: missing unit in duration \"5\"");
  EXPECT_EQ(ParseGoDurationMs("1.5").error().message, "time: missing unit in duration \"1.5\"");
  EXPECT_EQ(ParseGoDurationMs("abc").error().message, "time: invalid duration \"abc\"");
  EXPECT_FALSE(ParseGoDurationMs("-5s").ok());
}

TEST(AgeText, IsInTheLargestWholeUnit) {
  namespace chr = std::chrono;
  EXPECT_EQ(AgeText(chr::seconds(-5)), "0s");
  EXPECT_EQ(AgeText(chr::seconds(59)), "59s");
  EXPECT_EQ(AgeText(chr::seconds(119)), "1m");
  EXPECT_EQ(AgeText(chr::hours(1)), "1h");
  EXPECT_EQ(AgeText(chr::hours(24) - chr::seconds(1)), "23h");
  EXPECT_EQ(AgeText(chr::days(400)), "400d");
}

}  // namespace
}  // namespace smp
