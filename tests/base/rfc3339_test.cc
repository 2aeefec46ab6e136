#include "base/rfc3339.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(ParseRfc3339, ReadsTimesAndNothingElse) {
  const std::chrono::sys_seconds epoch = {};
  EXPECT_EQ(ParseRfc3339("1970-01-01T00:00:00Z")->seconds, epoch);
  EXPECT_EQ(ParseRfc3339("1970-01-02T01:02:03.25Z")->seconds - epoch, std::chrono::seconds(86400 + 3723));
  EXPECT_EQ(ParseRfc3339("1970-01-01T01:00:00+01:00")->seconds, epoch);
  EXPECT_EQ(ParseRfc3339("1969-12-31T23:30:00-00:30")->seconds, epoch);
  EXPECT_EQ(ParseRfc3339("1970-01-01T00:00:00.0250Z")->fraction, "025");
  for (const char* text : {"", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-02-30T00:00:00Z",
                           "1970-01-01T24:00:00Z", "1970-01-01T00:00:60Z", "1970-01-01 00:00:00Z",
                           "1970-01-01T00:00:00Zx", "1970-01-01T00:00:00+1:00", "-970-01-01T00:00:00Z"}) {
    EXPECT_FALSE(ParseRfc3339(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace smp
