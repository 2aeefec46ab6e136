#include "edit/entry_finder.h"

#include <gtest/gtest.h>

#include "edit/text_reader.h"

namespace smp::edit {
namespace {

TEST(EntryFinder, FindsMembersAndItemsWithTheirNeighbours) {
  const auto tree = *ReadYamlText("a: 1\nl: &l [x, y, z]\na: 2\nm: *l\n");
  EntryFinder finder;
  EXPECT_EQ(finder.Child(tree->root(), "a").entry->value->spelling, "2");  // the last one of that name
  const TextNode* list = finder.Child(tree->root(), "l").entry->value;
  const EntryFinder::Found second = finder.Child(list, "1");
  EXPECT_EQ(second.before->value->spelling, "x");
  EXPECT_EQ(second.entry->value->spelling, "y");
  EXPECT_EQ(second.after->value->spelling, "z");
  EXPECT_EQ(finder.Child(list, "0").before, nullptr);
  EXPECT_EQ(finder.Child(finder.Child(tree->root(), "m").entry->value, "2").after, nullptr);  // through the alias
}

TEST(EntryFinder, FindsNothingThatIsNotThere) {
  const auto tree = *ReadYamlText("l: [x]\ns: 1\n");
  EntryFinder finder;
  const TextNode* list = finder.Child(tree->root(), "l").entry->value;
  for (const char* token : {"1", "-", "01", "x"}) EXPECT_EQ(finder.Child(list, token).entry, nullptr) << token;
  EXPECT_EQ(finder.Child(tree->root(), "0").entry, nullptr);
  EXPECT_EQ(finder.Child(finder.Child(tree->root(), "s").entry->value, "0").entry, nullptr);
}

}  // namespace
}  // namespace smp::edit
