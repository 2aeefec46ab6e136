#include "explain/changed_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "value/json.h"

namespace smp::explain {
namespace {

std::string Between(std::string_view before, std::string_view after) {
  const auto old = ParseJson(before), now = ParseJson(after);
  return ChangeOfTexts(old->root(), now->root(), 72);
}

TEST(ChangedTexts, AddedRemovedAndChangedOptions) {
  EXPECT_EQ(Between(R"(["serve","--level=info","--old"])", R"(["serve","--level=debug","--new=1"])"),
            "--level info → debug, drop --old, add --new=1");
  EXPECT_EQ(Between(R"(["run"])", R"(["walk"])"), "-run, +walk");
}

TEST(ChangedTexts, AnImageIsNamedWithItsTags) {
  EXPECT_EQ(Between(R"(["--solver=quay.io/jetstack/solver:v1.14"])", R"(["--solver=quay.io/jetstack/solver:v1.15"])"),
            "solver v1.14 → v1.15");
  EXPECT_EQ(Between(R"(["--image","a/solver:v1.14"])", R"(["--image","quay.io/a/solver:v1.15"])"),
            "solver v1.14 → v1.15, new registry quay.io");
}

TEST(ChangedTexts, ValuesOfPasswordsAreLeftOut) {
  EXPECT_EQ(Between(R"(["--db-password=one","--user=a"])", R"(["--db-password=two","--user=b"])"),
            "--db-password (another value), --user a → b");
  EXPECT_EQ(Between(R"(["--token=one"])", R"([])"), "drop --token");
  EXPECT_EQ(Between(R"(["--password","one","-v"])", R"(["--password","two","-vv"])"), "drop -v, add -vv");
  EXPECT_EQ(Between(R"(["--no-password","-v"])", R"(["--no-password","-vv"])"), "drop -v, add -vv");
}

TEST(ChangedTexts, WhatIsLongIsCounted) {
  const std::string text(80, 'x');
  EXPECT_EQ(Between(R"(["a"])", "[\"" + text + "\",\"b\"]"), "2 added, 1 removed");
  EXPECT_EQ(Between(R"([])", R"(["a\nb"])"), "1 added");
  EXPECT_EQ(Between(R"(["--level=info"])", "[\"--level=debug\",\"" + text + "\"]"), "--level info → debug, 1 added");
}

TEST(ChangedTexts, NothingIsSaidOfOrderAndOfOtherLists) {
  EXPECT_EQ(Between(R"(["a","b"])", R"(["b","a"])"), "");
  EXPECT_EQ(Between(R"([1])", R"([2])"), "");
  EXPECT_EQ(Between(R"({})", R"([])"), "");
}

TEST(ChangedTexts, ATextThatIsThereMoreOftenIsAdded) { EXPECT_EQ(Between(R"(["-v"])", R"(["-v","-v"])"), "add -v"); }

TEST(ChangedTexts, SaysWhichLineOfATextChanges) {
  const auto change = [](const char* before, const char* after) { return ChangeOfLines(before, after, 40); };
  EXPECT_EQ(change("a\n  workers 1;\nb\n", "a\n  workers 4;\nb\n"), "workers 1 → 4");
  EXPECT_EQ(change("a\nb\n", "a\n  gzip on;\nb\n"), "+ gzip on;");
  EXPECT_EQ(change("a\n  gzip on;\nb\n", "a\nb\n"), "- gzip on;");
  EXPECT_EQ(change("a\nb\nc\n", "a\nb2\nc2\nd\n"), "+3 -2 lines");
  EXPECT_EQ(change("a\nb\n", "a\n0123456789012345678901234567890123456789\nb\n"), "+1 line");
  EXPECT_EQ(change("a\n\n", "a\n"), "-1 line");
  EXPECT_EQ(change("a\n{\n  \"type\": \"x\",\n}\n", "a\n"), "-3 lines: \"type\": \"x\", …");
  const std::string list = "[\"0123456789\", \"0123456789\", \"0123456789\"";
  EXPECT_EQ(change((list + "]\n").c_str(), (list + ", \"^lxc\"]\n").c_str()), "+ \"^lxc\"");
  EXPECT_EQ(change((list + ", \"a\"]\n").c_str(), (list + ", \"b\"]\n").c_str()), "a → b");
  EXPECT_EQ(change("a\n", "a\n"), "");
  EXPECT_EQ(change("[one,two]\n", "[one,two,three]\n"), "[one,two + three");
  EXPECT_EQ(change("flags: -a -b\n", "flags: -a\n"), "flags: -a - -b");
}

TEST(ChangedTexts, OfAListSaysWhatUndoesAChangeOfLive) {
  const auto undone = [](std::string_view applied, std::string_view live, std::string_view after) {
    const auto last = ParseJson(applied), old = ParseJson(live), now = ParseJson(after);
    return ChangeOfTexts(old->root(), now->root(), 72, &last->root());
  };
  EXPECT_EQ(undone(R"(["--level=info","--old"])", R"(["--level=debug","--old"])", R"(["--level=info","--new=1"])"),
            "--level debug → info");
  EXPECT_EQ(undone(R"(["--a"])", R"(["--a","--theirs"])", R"(["--b"])"), "drop --theirs");
  EXPECT_EQ(undone(R"(["--a","--lost"])", R"(["--a"])", R"(["--b","--lost"])"), "add --lost");
  EXPECT_EQ(undone(R"(["--a"])", R"(["--a","--b"])", R"(["--a","--b","--c"])"), "");
  EXPECT_EQ(undone(R"({})", R"(["--a"])", R"(["--b"])"), "");
  EXPECT_EQ(undone(R"(["run","*"])", R"(["run","-slow"])", R"(["run","fast,slow"])"), "\"-slow\" → fast,slow");
  EXPECT_EQ(undone(R"(["--a","--b","--c","--d"])", R"(["--d"])", R"(["--a","--b","--c","--d"])"),
            "add --a, add --b, add --c");
  const std::string options =
      R"("--first-very-long-option","--second-very-long-option","--third-very-long-option","--fourth")";
  EXPECT_EQ(undone("[" + options + "]", "[]", "[" + options + "]"),
            "add --first-very-long-option, add --second-very-long-option and 2 more");
  const std::string words = std::string(40, 'x') + " ";
  EXPECT_EQ(undone("[\"" + words + "1\",\"" + words + "2\"]", "[]", "[\"" + words + "1\",\"" + words + "2\"]"),
            "2 come back");
  const std::string text(80, 'x');
  EXPECT_EQ(undone(R"(["--a"])", "[\"--a\",\"" + text + "\"]", R"(["--b"])"), "1 removed");
}

TEST(ChangedTexts, OfATextSaysWhichLinesUndoAChangeOfLive) {
  const auto undone = [](const char* applied, const char* live, const char* after) {
    return ChangeOfLinesUndone(live, after, applied, 40);
  };
  EXPECT_EQ(undone("workers 2;\ntimeout 65;\n", "workers 8;\ntimeout 65;\n", "workers 2;\ntimeout 30;\n"),
            "workers 8 → 2");
  EXPECT_EQ(undone("a\nb\n", "a\ngzip on;\nb\n", "a\nb2\n"), "- gzip on;");
  EXPECT_EQ(undone("a\ngzip on;\nb\n", "a\nb\n", "a\ngzip on;\nb2\n"), "+ gzip on;");
  EXPECT_EQ(undone("a\nb\n", "x\nb\n", "y\nb2\n"), "- x");
  EXPECT_EQ(undone("a\n", "a\nb\n", "a\nb\nc\n"), "");
  EXPECT_EQ(undone("a\nb\nc\n", "a\ndeny x\nb\ndeny x\nc\n", "a\nb\nc\n"), "- deny x (2 times)");
  EXPECT_EQ(undone("a\n", "a\n0123456789012345678901234567890123456789\n", "b\n"), "-1 line");
  EXPECT_EQ(undone("a\ntype = \"x\"\n", "b\na\ntype = \"y\"\n", "a\ntype = \"x\"\n"), "type = \"y\" → \"x\", - b")
      << "values that change come first, in pairs of quotes";
  EXPECT_EQ(undone("a\n", "a\npassword: 1\nb\nc\nd\ne\n", "a\n"), "- b, - c, - d, - e and 1 more")
      << "a line about a password is only counted";
  EXPECT_EQ(undone("a\n", "a\npassword: 1\n", "a\n"), "-1 line");
}

TEST(ChangedTexts, WhereValuesAreLongOptionsAreNamed) {
  const std::string text(80, 'x');
  EXPECT_EQ(Between("[\"--a=" + text + "\",\"-b\"]", "[\"--c=1\"]"), "drop --a, drop -b, add --c");
}

TEST(ChangedTexts, LinesOfPasswordsAreCounted) {
  EXPECT_EQ(ChangeOfLines("a\ndb.password=one\n", "a\ndb.password=two\n", 72), "+1 -1 lines");
  EXPECT_EQ(ChangeOfLines("a\nb\n", "a\nb\nurl=https://u:secret@host/\n", 72), "+1 line");
}

TEST(ChangedTexts, CommentsAreNoChangesOfPeople) {
  EXPECT_EQ(ChangeOfLinesUndone("#a\nx: 2\n# more\n", "x: 1\n", "x: 1\n", 72), "x: 2 → 1");
}

}  // namespace
}  // namespace smp::explain
