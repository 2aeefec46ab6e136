#include "apply/glob.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/strings.h"

namespace smp::apply {
namespace {

namespace fs = std::filesystem;

TEST(Glob, MatchesAsGo) {
  struct Row {
    const char* pattern;
    const char* name;
    bool matches;
  };
  const Row rows[] = {
      {"abc", "abc", true},
      {"*", "abc", true},
      {"*", "", true},
      {"*c", "abc", true},
      {"*x", "xxx", true},
      {"a*b*c*d*e*", "axbxcxdxexxx", true},
      {"a*b*c*d*e*", "axbxcxdx", false},
      {"a*b?c*x", "abxbbxdbxebxczzx", true},
      {"a*b?c*x", "abxbbxdbxebxczzy", false},
      {"ab[c]", "abc", true},
      {"ab[b-d]", "abc", true},
      {"ab[e-g]", "abc", false},
      {"ab[^c]", "abc", false},
      {"ab[^e-g]", "abc", true},
      {"a\\*b", "a*b", true},
      {"a\\*b", "ab", false},
      {"a?b", "a\u263Ab", true},
      {"a[^a]b", "a\u263Ab", true},
      {"a???b", "a\u263Ab", false},
      {"[a-\u03b6]*", "\u03b1", true},
      {"[\\]a]", "]", true},
      {"[\\-]", "-", true},
      {"*.yaml", ".yaml", true},
  };
  for (const Row& row : rows) {
    EXPECT_TRUE(IsGlobPattern(row.pattern)) << row.pattern;
    EXPECT_EQ(MatchesGlob(row.pattern, row.name), row.matches) << row.pattern << " " << row.name;
  }
}

TEST(Glob, PatternsThatAreCutOffAreErrors) {
  for (const char* pattern : {"[", "a[", "[]", "[]a]", "[-]", "[x-]", "[a-b-c]", "[^", "[^]", "a\\", "[\\"}) {
    EXPECT_FALSE(IsGlobPattern(pattern)) << pattern;
    const auto found = Glob(pattern);
    ASSERT_FALSE(found.ok()) << pattern;
    EXPECT_EQ(found.error().message, StrCat("pattern \"", pattern, "\" is not valid: syntax error in pattern"));
  }
}

TEST(Glob, FindsFilesFolderByFolder) {
  const fs::path top = fs::path(testing::TempDir()) / StrCat("smp-glob-", ::getpid());
  fs::remove_all(top);
  for (const char* file : {"a/x.yaml", "a/y.json", "b/.x.yaml", "b/x.yaml", "b/c/x.yaml"}) {
    fs::create_directories((top / file).parent_path());
    std::ofstream(top / file) << "x";
  }
  const auto found = [&](const std::string& pattern) {
    const auto paths = Glob((top / pattern).string());
    std::vector<std::string> names;
    for (const std::string& path : *paths) names.push_back(fs::path(path).lexically_relative(top).string());
    return Join(names, " ");
  };
  EXPECT_EQ(found("*/*.yaml"), "a/x.yaml b/.x.yaml b/x.yaml");
  EXPECT_EQ(found("*/x.*"), "a/x.yaml b/x.yaml");
  EXPECT_EQ(found("?/c/*"), "b/c/x.yaml");
  EXPECT_EQ(found("a/[xy].*"), "a/x.yaml a/y.json");
  EXPECT_EQ(found("nothing/*"), "");
  EXPECT_EQ(found("a/x.yaml/*"), "");
}

}  // namespace
}  // namespace smp::apply
