#include "base/gunzip.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/packed.h"

namespace smp {
namespace {

constexpr size_t kMost = 1000;

// Returns the text of the parts, or why it cannot be read.
std::string Read(const std::vector<std::string>& parts, size_t most = kMost) {
  Gunzip gunzip;
  std::string out;
  for (const std::string& part : parts) {
    const Gunzip::Outcome outcome = gunzip.Read(part, most, out);
    if (outcome != Gunzip::Outcome::kRead) return outcome == Gunzip::Outcome::kTooLong ? "too long" : "damaged";
  }
  return gunzip.IsWhole() ? out : "not whole";
}

TEST(Gunzip, ReadsAStreamThatComesInParts) {
  for (size_t cut = 0; cut <= kPacked.size(); ++cut)
    EXPECT_EQ(Read({kPacked.substr(0, cut), kPacked.substr(cut)}), kText);
}

TEST(Gunzip, ReadsAllMembers) {
  EXPECT_EQ(Read({kPacked + kPacked}), kText + kText);
  EXPECT_EQ(Read({kPacked, kPacked}), kText + kText);
}

TEST(Gunzip, AStreamWithoutItsEndIsNotWhole) {
  EXPECT_EQ(Read({}), "");
  for (size_t cut = 1; cut < kPacked.size(); ++cut) {
    EXPECT_EQ(Read({kPacked.substr(0, cut)}), "not whole") << cut;
    EXPECT_EQ(Read({kPacked + kPacked.substr(0, cut)}), "not whole") << cut;
  }
}

TEST(Gunzip, DamageIsFound) {
  EXPECT_EQ(Read({"nope"}), "damaged");
  EXPECT_EQ(Read({kPacked + "nope"}), "damaged");
  std::string other_checksum = kPacked;
  other_checksum[other_checksum.size() - 5] ^= 1;
  EXPECT_EQ(Read({other_checksum}), "damaged");
}

TEST(Gunzip, ALongTextIsNotMade) {
  EXPECT_EQ(Read({kPacked}, kText.size()), kText);
  EXPECT_EQ(Read({kPacked}, kText.size() - 1), "too long");
  EXPECT_EQ(Read({kPacked, kPacked}, kText.size()), "too long");
}

}  // namespace
}  // namespace smp
