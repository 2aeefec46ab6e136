#include "value/derived_document.h"

#include <gtest/gtest.h>

#include "value/at.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

const std::string kText = "kind: X\nmetadata:\n  name: a\n  labels:\n    b: c\nlist:\n- x: 1\n- z: 2\n";

TEST(DerivedDocument, KnowsTheLinesOfWhatItCopied) {
  const Document from = *yaml::ParseYaml(kText, "x.yaml");
  Arena arena;
  arena.Retain(from);
  const Value root = WithAt(from.root(), {"metadata", "namespace"}, arena.String("ns"), arena);
  const Document out = DerivedDocument(from, std::move(arena), root);
  EXPECT_EQ(out.source_name(), "x.yaml");
  EXPECT_EQ(out.LineOf(&out.root()), 1);
  EXPECT_EQ(out.LineOf(out.root().FindPath({"metadata", "name"})), 3);
  EXPECT_EQ(out.LineOf(out.root().FindPath({"metadata", "labels", "b"})), 5);
  EXPECT_EQ(out.LineOf(out.root().FindPath({"metadata", "namespace"})), 0);
}

TEST(DerivedDocument, KnowsTheLinesOfCopiedItems) {
  const Document from = *yaml::ParseYaml(kText, "x.yaml");
  Arena arena;
  arena.Retain(from);
  const auto items = from.root().Find("list")->Items();
  const std::vector<Value> copied = {WithAt(items[0], {"new"}, Value::Int(1), arena), items[1]};
  const Value root = WithAt(from.root(), {"list"}, arena.Array(copied), arena);
  const Document out = DerivedDocument(from, std::move(arena), root);
  const Value& list = *out.root().Find("list");
  EXPECT_EQ(out.LineOf(list.Items()[0].Find("x")), 7);
  EXPECT_EQ(out.LineOf(&list.Items()[1]), 8);
  EXPECT_EQ(out.LineOf(list.Items()[1].Find("z")), 8);
}

TEST(WithTextsForNulls, ReadsNullsAsTextsInMapsAlone) {
  const auto of = [](const std::string& annotations) {
    const Document object = *yaml::ParseYaml("metadata: {annotations: " + annotations + "}\n", "x.yaml");
    return WriteJson(
        *WithTextsForNulls(object, {"metadata", "annotations"}).root().FindPath({"metadata", "annotations"}));
  };
  EXPECT_EQ(of("{a: null, b: c}"), R"({"a":"","b":"c"})");
  for (const char* annotations : {"text", "longlonglonglonglonglonglongtext", "[{}]", "[[]]", "[null]", "1", "null"}) {
    EXPECT_EQ(of(annotations), WriteJson(yaml::ParseYaml(annotations, "x.yaml")->root()));
  }
}

}  // namespace
}  // namespace smp
