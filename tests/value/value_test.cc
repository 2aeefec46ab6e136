#include "value/value.h"

#include <gtest/gtest.h>

#include "value/document.h"
#include "value/json.h"

namespace smp {
namespace {

Document Parsed(std::string_view json) {
  Result<Document> document = ParseJson(json, {"f", true});
  EXPECT_TRUE(document.ok()) << json;
  return document.ok() ? *std::move(document) : Document();
}

TEST(Value, EqualityIsDeepAndExact) {
  struct Row {
    std::string_view a;
    std::string_view b;
    bool equal;
  };
  const Row rows[] = {
      {R"({"a":1,"b":[true,null]})", R"({"b":[true,null],"a":1})", true},
      {"1", "1.0", false},
      {"1.0", "1e0", true},
      {"null", "false", false},
      {"\"\"", "null", false},
      {"[]", "{}", false},
      {"[1,2]", "[2,1]", false},
      {R"({"a":null})", "{}", false},
      {R"({"a":1})", R"({"b":1})", false},
  };
  for (const Row& row : rows) {
    const Document a = Parsed(row.a);
    const Document b = Parsed(row.b);
    EXPECT_EQ(a.root() == b.root(), row.equal) << row.a << " " << row.b;
    if (row.equal) {
      EXPECT_EQ(HashValue(a.root()), HashValue(b.root()));
    }
  }
}

// operator== says 0.0 == -0.0, so the hash must not tell them apart.
TEST(Value, EqualNumbersHashAlike) {
  EXPECT_EQ(Value::Double(0.0), Value::Double(-0.0));
  EXPECT_EQ(HashValue(Value::Double(0.0)), HashValue(Value::Double(-0.0)));
}

TEST(Value, AbsentEqualsOnlyAbsent) {
  const Value null;
  EXPECT_TRUE(SameOrBothAbsent(nullptr, nullptr));
  EXPECT_FALSE(SameOrBothAbsent(nullptr, &null));
  EXPECT_TRUE(SameOrBothAbsent(&null, &null));
}

TEST(Value, FindsMembersAndFallsBack) {
  const Document document = Parsed(R"({"metadata":{"name":"web","labels":{"a":"b"}},"replicas":3})");
  const Value& root = document.root();
  EXPECT_EQ(root.FindPath({"metadata", "labels", "a"})->AsString(), "b");
  EXPECT_EQ(root.FindPath({"metadata", "name", "x"}), nullptr);
  EXPECT_EQ(root.Find("kind"), nullptr);
  EXPECT_EQ(root.StringOr("replicas", "none"), "none");
  EXPECT_EQ(Value::Int(1).Find("a"), nullptr);
}

TEST(Value, KindsHaveTheWordsOfOpenApi) {
  EXPECT_EQ(KindName(Kind::kInt), "integer");
  EXPECT_EQ(KindName(Kind::kDouble), "number");
  EXPECT_EQ(KindName(Kind::kObject), "object");
}

TEST(Document, KeepsTheMemoryOfWhatItWasDerivedFrom) {
  Document out;
  {
    const Document live = Parsed(R"({"spec":{"replicas":3}})");
    Arena arena;
    arena.Retain(live);
    const Value patch = arena.Object({{"spec", *live.root().Find("spec")}, {"a", Value::Int(1)}, {"a", Value::Int(2)}});
    out = Document(std::move(arena), patch);
  }
  EXPECT_EQ(WriteJson(out.root()), R"({"a":2,"spec":{"replicas":3}})");
}

TEST(Document, ADerivedOneKnowsSourceAndLinesOfItsOrigin) {
  const Document origin = Parsed("{\"a\":\n{\"b\":\n1}}");
  Arena arena;
  arena.Retain(origin);
  const Value root = arena.Object({{"x", *origin.root().Find("a")}});
  const Document derived(std::move(arena), root);
  const Value* b = derived.root().FindPath({"x", "b"});
  EXPECT_EQ(derived.source_name(), "f");
  EXPECT_EQ(derived.SourceOf(b).file, "f");
  EXPECT_EQ(derived.LineOf(b), 3);
  EXPECT_EQ(derived.LineOf(&derived.root()), 0);
}

TEST(Document, IsNullByDefault) { EXPECT_TRUE(Document().root().is_null()); }

TEST(Arena, KeepsAndCopies) {
  Arena arena;
  std::string text = "web";
  const Value* kept = arena.Keep(arena.String(text));
  text = "xxx";
  EXPECT_EQ(kept->AsString(), "web");
  EXPECT_TRUE(arena.Array({}).empty());
  EXPECT_TRUE(arena.Object({}).empty());
}

}  // namespace
}  // namespace smp
