#include "value/formats.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

// Held to what a real API server answers: tests/e2e/meanings.py.
TEST(Formats, QuantitiesAreTheSameByValue) {
  for (const auto& [a, b] : {std::pair{"0.5", "500m"},
                             {"1", "1000m"},
                             {"1Gi", "1024Mi"},
                             {"1Ki", "1024"},
                             {"1e3", "1k"},
                             {"1E3", "1000"},
                             {"1E", "1e18"},
                             {"1.5Gi", "1536Mi"},
                             {"0", "0m"},
                             {"-0", "0Gi"},
                             {"+2", "2"},
                             {"0.1", "100m"},
                             {".5", "500m"},
                             {"5.", "5"},
                             {"1n", "1e-9"},
                             {"1u", "1000n"},
                             {"007", "7"},
                             {"1Ei", "1024Pi"},
                             {"999999999999999999", "999999999999999999"},
                             {"9999999999999999999", "9999999999999999999"},
                             {"10000000000000000000", "10E"},
                             {"100.00000000000000000000", "1e2"},
                             {"100000000000000000000.0", "1e20"},
                             {"2305843009213693952", "2Ei"},
                             {" 1Gi ", "1Gi"},
                             {"16Ei", "9223372036854775807"},
                             {"-8Ei", "-9223372036854775807"},
                             {"1e999999", "1e999999"},
                             {"12345678901234567890123", "12345678901234567890123"}}) {
    EXPECT_TRUE(SameQuantity(a, b)) << a << " " << b;
    EXPECT_TRUE(SameQuantity(b, a)) << a << " " << b;
  }
}

TEST(Formats, QuantitiesOfOtherValuesDiffer) {
  for (const auto& [a, b] : {std::pair{"1", "1m"},
                             {"1G", "1Gi"},
                             {"1", "-1"},
                             {"1k", "1Ki"},
                             {"1.0001", "1"},
                             {"10", "1"},
                             {"1000000000000000000", "1000000000000000001"},
                             {"10000000000000000000", "1E"},
                             {"10E", "9223372036854775807"},
                             {"7Ei", "9223372036854775807"},
                             {"1e999999", "1e999998"},
                             {"101", "11"},
                             {"1.01", "1.1"}}) {
    EXPECT_FALSE(SameQuantity(a, b)) << a << " " << b;
  }
}

// As a server 1.36 stores them.
TEST(Formats, QuantitiesThatAreTooFineAreRoundedUp) {
  for (const auto& [a, b] : {std::pair{"0.3333", "334m"},
                             {"0.3333Gi", "357878149940m"},
                             {"100u", "1m"},
                             {"0.1234567890123", "124m"},
                             {"1e-90", "1m"},
                             {"-0.3333", "-334m"},
                             {"1.0000000000001", "1001m"},
                             {"123456789012345678e-30", "1m"},
                             {"0.3333Ki", "341300m"}}) {
    EXPECT_TRUE(SameQuantity(a, b, Finest::kMilli)) << a << " " << b;
    EXPECT_FALSE(SameQuantity(a, b)) << a << " " << b;
  }
  for (const auto& [a, b] : {std::pair{"0.5n", "1n"}, {"1e-10", "1n"}, {"0.1234567890123", "123456790n"}}) {
    EXPECT_TRUE(SameQuantity(a, b)) << a << " " << b;
  }
  EXPECT_FALSE(SameQuantity("0.3333", "333m", Finest::kMilli));
  EXPECT_FALSE(SameQuantity("0.3333Ei", "0.3334Ei", Finest::kMilli));
}

TEST(Formats, WhatIsNoQuantityIsTheSameAsNothing) {
  for (const char* text : {"", " ", "-", ".", "m", "1x", "1 0", "\t1", "1.2.3", "1e", "1e-", "1e+x", "1Kim", "0x1"}) {
    EXPECT_FALSE(SameQuantity(text, text)) << text;
  }
}

TEST(Formats, TimesAreTheSameByInstant) {
  const char kUtc[] = "2026-01-01T00:00:00Z";
  for (const char* same : {"2026-01-01T01:00:00+01:00", "2025-12-31T19:30:00-04:30", "2026-01-01T00:00:00.000Z"}) {
    EXPECT_TRUE(SameTime(kUtc, same)) << same;
  }
  for (const char* other : {"2026-01-01T00:00:01Z", "2026-01-01T00:00:00.1Z", "2026-01-01 00:00:00Z", "2026-01-01",
                            "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "",
                            "2026-01-01T00:00:00+1", "2026-01-01T00:00:00z", "-026-01-01T00:00:00Z"}) {
    EXPECT_FALSE(SameTime(kUtc, other)) << other;
  }
  EXPECT_TRUE(SameTime("2024-02-29T23:59:59Z", "2024-03-01T00:59:59+01:00"));
  EXPECT_FALSE(SameTime("2026-02-31T00:00:00Z", "2026-03-03T00:00:00Z"));
  EXPECT_TRUE(SameTime("1969-12-31T23:00:00Z", "1970-01-01T00:00:00+01:00"));
}

TEST(Formats, Base64IsTheSameByWhatItHolds) {
  EXPECT_TRUE(SameBase64("aGVsbG8=", "aGVs\nbG8=\r\n"));
  EXPECT_FALSE(SameBase64("aGVsbG8=", "aGVsbG8h"));
  EXPECT_FALSE(SameBase64("aGVsbG8", "aGVsbG8"));
}

}  // namespace
}  // namespace smp
