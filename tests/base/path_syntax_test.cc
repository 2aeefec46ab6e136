#include "base/path_syntax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace smp {
namespace {

bool IsWindows() { return IsPathSeparator('\\'); }

TEST(IsOfFileName, IsFalseForWhatSeparates) {
  const std::string_view name = "v1.ClusterRole..a-b_c";
  EXPECT_TRUE(std::ranges::all_of(name, &IsOfFileName));
  for (const char c : {'/', '\0'}) EXPECT_FALSE(IsOfFileName(c));
  // The roles of Kubernetes itself have colons: system:node.
  for (const char c : {':', '\\', '*', '"', '\x1f'}) EXPECT_EQ(IsOfFileName(c), !IsWindows()) << c;
}

TEST(IsProgramPath, IsTrueForWhatIsNotLookedUp) {
  EXPECT_FALSE(IsProgramPath("kubectl"));
  EXPECT_TRUE(IsProgramPath("./kubectl"));
  EXPECT_EQ(IsProgramPath("C:kubectl"), IsWindows());
  EXPECT_EQ(IsProgramPath("bin\\kubectl"), IsWindows());
}

TEST(SplitPathList, SplitsAsTheSystemDoes) {
  EXPECT_EQ(SplitPathList("a:b;c").size(), 2U);
  EXPECT_EQ(SplitPathList("a:b;c").front(), IsWindows() ? "a:b" : "a");
}

}  // namespace
}  // namespace smp
