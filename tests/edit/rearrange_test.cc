// Items of lists that move in the text, with their comments, and comments that stay where an entry goes.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "edit/draft.h"
#include "edit/text_edit.h"
#include "edit/text_reader.h"
#include "edit/text_writer.h"
#include "value/json.h"

namespace smp::edit {
namespace {

// `order`: for each item the index of the one that was there, or -1 for a new one, "new".
std::string Rearranged(std::string_view text, const JsonPointer& list, const std::vector<int>& order) {
  DraftDocument document(*ReadYamlText(text));
  std::vector<ItemSource> items;
  for (const int index : order) {
    ItemSource item = {std::nullopt, Value::UnownedString("new")};
    if (index >= 0) item.index = static_cast<size_t>(index);
    items.push_back(item);
  }
  const Status done = Rearrange(document, list, items);
  return done.ok() ? WriteText(document) : done.error().message;
}

constexpr std::string_view kText =
    "a:\n"
    "  # about one\n"
    "  - one   # 1\n"
    "  - two:  # 2\n"
    "      x: 1\n"
    "      # in two\n"
    "  # about three\n"
    "  - three\n"
    "b: 1\n";

TEST(Rearrange, NothingMovesThatKeepsItsOrder) {
  EXPECT_EQ(Rearranged(kText, {"a"}, {0, 1, 2}), kText);
  EXPECT_EQ(Rearranged(kText, {"a"}, {0, -1, 1, 2}),
            "a:\n  # about one\n  - one   # 1\n  - new\n  - two:  # 2\n      x: 1\n      # in two\n  # about three\n"
            "  - three\nb: 1\n");
  EXPECT_EQ(Rearranged(kText, {"a"}, {0, 2}), "a:\n  # about one\n  - one   # 1\n  # about three\n  - three\nb: 1\n");
}

TEST(Rearrange, ItemsMoveWithTheirComments) {
  EXPECT_EQ(Rearranged(kText, {"a"}, {2, 0, 1}),
            "a:\n  # about three\n  - three\n  # about one\n  - one   # 1\n  - two:  # 2\n      x: 1\n      # in two\n"
            "b: 1\n");
  EXPECT_EQ(Rearranged(kText, {"a"}, {2, 1, 0}),
            "a:\n  # about three\n  - three\n  - two:  # 2\n      x: 1\n      # in two\n  # about one\n  - one   # 1\n"
            "b: 1\n");
  EXPECT_EQ(Rearranged(kText, {"a"}, {1, -1, 0}),
            "a:\n  - two:  # 2\n      x: 1\n      # in two\n  - new\n  # about one\n  - one   # 1\nb: 1\n");
}

TEST(Rearrange, OfOtherStyles) {
  EXPECT_EQ(Rearranged("a: [one, 'two', 3] # c\n", {"a"}, {2, 0, 1}), "a: [3, one, 'two'] # c\n");
  EXPECT_EQ(Rearranged("- - 1\n  - 2\n- 3\n", {"0"}, {1, 0}), "- - 2\n  - 1\n- 3\n");
  EXPECT_EQ(Rearranged("a:\r\n- 1 # c\r\n- 2", {"a"}, {1, 0}), "a:\r\n- 2\r\n- 1 # c");
  EXPECT_EQ(Rearranged("a:\n- |\n  x\n- 2\n", {"a"}, {1, 0}), "a:\n- 2\n- |\n  x\n");
}

// Returns the text without the member `b`.
std::string WithoutB(std::string_view text) {
  DraftDocument document(*ReadYamlText(text));
  EXPECT_TRUE(ApplyEdit(document, {EditKind::kRemove, "/b"}).ok());
  return WriteText(document);
}

TEST(Comments, OfWhatGoesGo) {
  EXPECT_EQ(WithoutB("a: 1\n# about b\n# and more of it: see the wiki\nb: 2\n"), "a: 1\n");
  EXPECT_EQ(WithoutB("a: 1\n# - first do this\n# - then do that\nb: 2\n"), "a: 1\n");
}

TEST(Comments, WhatIsCommentedOutStays) {
  for (const std::string_view comment :
       {"# c: 1\n", "# - x\n", "#c:\n#  d: \"two words\"\n", "# - name: x\n#   value: |\n#     some text in it\n",
        "# off for now\n# c: {d: 1}\n"}) {
    EXPECT_EQ(WithoutB(std::string("a: 1\n").append(comment).append("b: 2\n")), std::string("a: 1\n").append(comment));
  }
  EXPECT_EQ(WithoutB("a: 1\n# c: 1\n# about b\nb: 2\n"), "a: 1\n# c: 1\n");
}

}  // namespace
}  // namespace smp::edit
