#include "base/shell_words.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/strings.h"

namespace smp {
namespace {

std::string Words(std::string_view text, Backslash backslash = Backslash::kEscapes) {
  const auto words = ShellWords(text, backslash);
  return words.ok() ? Join(*words, "|") : "error: " + words.error().message;
}

TEST(ShellWords, SplitsAsAShellDoes) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {"  \t\n ", ""},
      {"diff -u  -N", "diff|-u|-N"},
      {"git diff '--word-diff-regex=a b' --no-index", "git|diff|--word-diff-regex=a b|--no-index"},
      {R"(a\ b "c d"'e f'g)", "a b|c de fg"},
      {R"("a\"b\\c\d$e" '\')", R"(a"b\c\d$e|\)"},
      {"a\\\nb \"c\\\nd\"", "ab|cd"},
      {"x '' y", "x||y"},
      {"'a", "error: unclosed '"},
      {"\"a\\\"", "error: unclosed \""},
      {"a\\", "error: backslash at the end"},
  };
  for (const auto& [text, words] : rows) EXPECT_EQ(Words(text), words) << text;
}

TEST(ShellWords, KeepsBackslashesThatSeparateFolders) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"(C:\tools\diff.exe -u)", R"(C:\tools\diff.exe|-u)"},
      {R"("C:\Program Files\diff\" -N)", R"(C:\Program Files\diff\|-N)"},
      {R"('a\b'\)", R"(a\b\)"},
  };
  for (const auto& [text, words] : rows) EXPECT_EQ(Words(text, Backslash::kIsItself), words) << text;
}

TEST(ShellQuoted, IsOneWordWithTheSameMeaning) {
  EXPECT_EQ(ShellQuoted("https://a.b/c-d_e"), "https://a.b/c-d_e");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("it's $HOME"), R"('it'\''s $HOME')");
  for (const std::string_view text : {"a'b\"c\\d", "`x` $(y) *", "\n\t", "-", "~", "{a,b}", "'"}) {
    const auto words = ShellWords(ShellQuoted(text), Backslash::kEscapes);
    ASSERT_TRUE(words.ok());
    EXPECT_EQ(*words, std::vector<std::string>{std::string(text)});
  }
}

}  // namespace
}  // namespace smp
