#include "base/user_programs.h"

#include <gtest/gtest.h>

#include "base/path_syntax.h"

namespace smp {
namespace {

TEST(PathInCommand, IsOneWord) {
  const bool is_windows = IsPathSeparator('\\');
  EXPECT_EQ(PathInCommand("a b.json"), is_windows ? "\"a b.json\"" : "'a b.json'");
}

}  // namespace
}  // namespace smp
