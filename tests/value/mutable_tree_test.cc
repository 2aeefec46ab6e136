#include "value/mutable_tree.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "value/json.h"

namespace smp {
namespace {

constexpr MutableTree::Negative kFromEnd = MutableTree::Negative::kFromEnd;

class MutableTreeTest : public testing::Test {
 protected:
  MutableTreeTest() { arena_.Retain(object_); }

  static JsonPointer At(std::string_view pointer) { return *ParseJsonPointer(pointer); }
  std::string Json() { return WriteJson(tree_.root()); }
  template <class T>
  static std::string Outcome(const Result<T>& done) {
    return done.ok() ? "" : StrCat(ErrorCodeName(done.error().code), ": ", done.error().message);
  }

  Document object_ = *ParseJson(R"({"list":[1,2,{"x":null}],"map":{"a":"b"}})");
  Arena arena_;
  MutableTree tree_{object_.root(), arena_};
};

TEST_F(MutableTreeTest, IsTheSourceUntilItChanges) {
  ASSERT_TRUE(tree_.Find(At("/list/2/x")).ok());
  EXPECT_TRUE(SharesMemory(tree_.root(), object_.root()));
}

TEST_F(MutableTreeTest, SharesWhatDoesNotChange) {
  ASSERT_TRUE(tree_.Replace(At("/map/a"), Value::Int(1)).ok());
  EXPECT_EQ(Json(), R"({"list":[1,2,{"x":null}],"map":{"a":1}})");
  EXPECT_TRUE(SharesMemory(*tree_.root().Find("list"), *object_.root().Find("list")));
}

TEST_F(MutableTreeTest, LaterChangesSeeEarlierOnes) {
  EXPECT_EQ(Outcome(tree_.Add(At("/map/c"), *object_.root().Find("map"))), "");
  EXPECT_EQ(Json(), R"({"list":[1,2,{"x":null}],"map":{"a":"b","c":{"a":"b"}}})");
  EXPECT_EQ(Outcome(tree_.Remove(At("/map/c/a"))), "");
  EXPECT_EQ(Outcome(tree_.Add(At("/list/1"), Value::Bool(true))), "");
  EXPECT_EQ(Json(), R"({"list":[1,true,2,{"x":null}],"map":{"a":"b","c":{}}})");
}

TEST_F(MutableTreeTest, CountsFromTheEndWhereTold) {
  EXPECT_EQ(Outcome(tree_.Add(At("/list/-1"), Value::Int(3), kFromEnd)), "");
  EXPECT_EQ(Outcome(tree_.Replace(At("/list/-2/x"), Value::Int(4), kFromEnd)), "");
  EXPECT_EQ(Outcome(tree_.Remove(At("/list/-4"), kFromEnd)), "");
  EXPECT_EQ(Json(), R"({"list":[2,{"x":4},3],"map":{"a":"b"}})");
  EXPECT_EQ(Outcome(tree_.Remove(At("/list/-4"), kFromEnd)), "not-found: there is no /list/-4: the list has 3 items");
}

TEST_F(MutableTreeTest, TagsMoveWithTheirItemsAndGoWithTheirValues) {
  (*tree_.Find(At("/list/1")))->tag = 7;
  EXPECT_EQ(Outcome(tree_.Add(At("/list/0"), Value())), "");
  EXPECT_EQ((*tree_.Find(At("/list/2")))->tag, 7U);
  EXPECT_EQ(Outcome(tree_.Replace(At("/list/2"), Value())), "");
  EXPECT_EQ((*tree_.Find(At("/list/2")))->tag, 0U);
}

TEST_F(MutableTreeTest, KnowsTheOriginOfWhatChangedOnlyBelow) {
  MutableTree::Node* written = *tree_.Replace(At("/list/2/x"), Value::Int(1));
  EXPECT_EQ(object_.LineOf(written->origin()), 0);
  EXPECT_EQ(WriteJson(tree_.root()), R"({"list":[1,2,{"x":1}],"map":{"a":"b"}})");
  EXPECT_EQ((*tree_.Find(At("/list/2")))->origin(), &object_.root().Find("list")->Items()[2]);
  EXPECT_EQ(tree_.root_node().origin(), &object_.root());
}

TEST_F(MutableTreeTest, ErrorsNameThePlace) {
  EXPECT_EQ(Outcome(tree_.Find(At("/list/2/y"))), "not-found: there is no /list/2/y");
  EXPECT_EQ(Outcome(tree_.Find(At("/list/3"))), "not-found: there is no /list/3: the list has 3 items");
  EXPECT_EQ(Outcome(tree_.Find(At("/list/-1"))),
            "invalid-argument: \"-1\" is not an index of the list /list, which has 3 items");
  EXPECT_EQ(Outcome(tree_.Add(At("/map/a/c"), Value())),
            "invalid-argument: there is no /map/a/c: /map/a is a value of type string");
  EXPECT_EQ(Outcome(tree_.Remove({})), "invalid-argument: the whole document cannot be removed");
}

TEST_F(MutableTreeTest, MergesByRfc7386) {
  const Document patch = *ParseJson(R"({"list":{"new":{"gone":null,"kept":1}},"map":{"a":null},"x":[null]})");
  tree_.Merge(patch.root());
  EXPECT_EQ(Json(), R"({"list":{"new":{"kept":1}},"map":{},"x":[null]})");
}

}  // namespace
}  // namespace smp
