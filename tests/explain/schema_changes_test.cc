#include "explain/schema_changes.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "explain/nested_changes.h"
#include "value/json.h"

namespace smp::explain {
namespace {

std::string_view NameOf(SchemaChange::Effect effect) {
  switch (effect) {
    case SchemaChange::Effect::kUnknownGone: return "unknown gone";
    case SchemaChange::Effect::kFieldsGone: return "gone";
    case SchemaChange::Effect::kMayRefuse: return "may refuse";
    case SchemaChange::Effect::kFixed: return "fixed";
    case SchemaChange::Effect::kDefault: return "default";
    case SchemaChange::Effect::kOther: return "other";
    case SchemaChange::Effect::kAllowsMore: return "allows more";
    case SchemaChange::Effect::kNewFields: return "new";
  }
  return "?";
}

std::string InWords(const SchemaOfVersions& schema) {
  std::string out = Join(schema.versions, ",") + "\n";
  for (const SchemaChange& change : schema.changes) {
    out += StrCat(NameOf(change.effect), " ", change.fields.size(), change.rule.empty() ? "" : " ", change.rule, ": ",
                  NameFields(change.fields, 2), "\n");
  }
  return StrCat(out, schema.descriptions, " descriptions\n");
}

// `before`, `after`: the schema of the version v1, as JSON.
std::string Changes(std::string_view before, std::string_view after) {
  const auto versions = [](std::string_view schema) {
    return ParseJson(StrCat(R"([{"name":"v1","schema":{"openAPIV3Schema":)", schema, "}}]"));
  };
  const auto old = versions(before), now = versions(after);
  EXPECT_TRUE(old.ok() && now.ok());
  const SchemaChanges out = DivideSchemaChanges(*NestedChanges(old->root(), now->root()), old->root(), now->root());
  EXPECT_TRUE(out.others.empty());
  return out.schemas.size() == 1 ? InWords(out.schemas.front()) : StrCat(out.schemas.size(), " schemas");
}

std::string Spec(std::string_view fields) { return StrCat(R"({"properties":{"spec":{"properties":)", fields, "}}}"); }

TEST(SchemaChanges, FieldsComeAndGo) {
  EXPECT_EQ(Changes(Spec(R"({"a":{},"old":{}})"), Spec(R"({"a":{},"new":{"type":"string"}})")),
            "v1\ngone 1: spec.old\nnew 1: spec.new (string)\n0 descriptions\n");
  EXPECT_EQ(Changes(R"({"type":"object"})", R"({"type":"object","properties":{"a":{},"b":{}}})"),
            "v1\nnew 2: a, b\n0 descriptions\n");
}

TEST(SchemaChanges, LimitsRefuseOrAllowMore) {
  EXPECT_EQ(Changes(Spec(R"({"a":{"maximum":9},"b":{"minLength":1}})"), Spec(R"({"a":{"maximum":5},"b":{}})")),
            "v1\nmay refuse 1 maximum 9 → 5: spec.a\nallows more 1 no minLength 1: spec.b\n0 descriptions\n");
  EXPECT_EQ(Changes(Spec(R"({"a":{"minimum":3}})"), Spec(R"({"a":{"minimum":2}})")),
            "v1\nallows more 1 minimum 3 → 2: spec.a\n0 descriptions\n");
}

TEST(SchemaChanges, RulesThatRefuseValues) {
  EXPECT_EQ(Changes(Spec(R"({"a":{"type":"string"}})"), Spec(R"({"a":{"type":"integer"}})")),
            "v1\nmay refuse 1 type string → integer: spec.a\n0 descriptions\n");
  EXPECT_EQ(Changes(Spec(R"({"a":{"type":"integer"}})"), Spec(R"({"a":{"type":"number"}})")),
            "v1\nallows more 1 type integer → number: spec.a\n0 descriptions\n")
      << "each integer is a number";
  EXPECT_EQ(Changes(Spec(R"({"a":{"enum":["x","y"]}})"), Spec(R"({"a":{"enum":["y","z"]}})")),
            "v1\nmay refuse 1 not x: spec.a\nallows more 1 also z: spec.a\n0 descriptions\n");
  EXPECT_EQ(Changes(R"({"required":["a"]})", R"({"required":["b"]})"),
            "v1\nmay refuse 1 required: b\nallows more 1 no longer required: a\n0 descriptions\n");
  EXPECT_EQ(Changes(R"({"properties":{"a":{"default":1}}})", R"({"required":["a"],"properties":{"a":{"default":1}}})"),
            "v1\nother 1 required, with a default: a\n0 descriptions\n");
  EXPECT_EQ(Changes(Spec(R"({"a":{"nullable":true}})"), Spec(R"({"a":{}})")),
            "v1\nmay refuse 1 no nullable true: spec.a\n0 descriptions\n");
}

TEST(SchemaChanges, RulesOfTheSameFieldsAreOneChange) {
  EXPECT_EQ(Changes(Spec(R"({"a":{}})"), Spec(R"({"a":{"minLength":1,"pattern":"^a"}})")),
            "v1\nmay refuse 1 minLength 1, pattern ^a: spec.a\n0 descriptions\n");
}

TEST(SchemaChanges, APatternWithMoreAlternativesAllowsMore) {
  const auto with = [](std::string_view pattern) { return Spec(StrCat(R"({"a":{"pattern":")", pattern, R"("}})")); };
  for (const char* pattern : {"^a$|^$", "^$|^a$"}) {
    EXPECT_EQ(Changes(with("^a$"), with(pattern)).find("may refuse"), std::string::npos) << pattern;
  }
  for (const char* pattern : {"^b$", "^a$b", "^ab$|^a"}) {
    EXPECT_NE(Changes(with("^a$"), with(pattern)).find("may refuse"), std::string::npos) << pattern;
  }
}

TEST(SchemaChanges, ManyFieldsOfOneNameAreNamedOnce) {
  const std::string_view before = R"({"a":{"properties":{"x":{}}},"b":{"items":{"properties":{"x":{}}}},"x":{}})";
  const std::string_view after =
      R"({"a":{"properties":{"x":{"maxItems":1}}},"b":{"items":{"properties":{"x":{"maxItems":1}}}},"x":{"maxItems":1}})";
  EXPECT_EQ(Changes(Spec(before), Spec(after)),
            "v1\nmay refuse 3 maxItems 1: spec.x (and 2 like it)\n0 descriptions\n");
}

// An object that is not changed there is not refused by a transition rule.
TEST(SchemaChanges, RulesAboutChangesRefuseNoObject) {
  const std::string_view rules = R"({"a":{"x-kubernetes-validations":[
      {"rule":"self == oldSelf","message":"a is immutable"},{"rule":"self != ''","message":"a must not be empty"}]}})";
  EXPECT_EQ(Changes(Spec(R"({"a":{}})"), Spec(rules)),
            "v1\nmay refuse 1 \"a must not be empty\": spec.a\nfixed 1 \"a is immutable\": spec.a\n0 descriptions\n");
}

// What is no longer described is kept there.
TEST(SchemaChanges, NoFieldIsGoneWhereUnknownOnesAreKept) {
  const std::string_view keeps = R"({"a":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})";
  EXPECT_EQ(
      Changes(Spec(R"({"a":{"type":"object","properties":{"b":{}}}})"), Spec(keeps)),
      "v1\nother 1 no longer described: spec.a.b\nallows more 1 x-kubernetes-preserve-unknown-fields true: spec.a\n"
      "0 descriptions\n");
}

TEST(SchemaChanges, UnknownFieldsThatAreNoLongerKeptAreGone) {
  const std::string_view keeps = R"({"a":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})",
                         described = R"({"a":{"type":"object","properties":{"b":{"type":"string"}}}})";
  EXPECT_EQ(Changes(Spec(keeps), Spec(described)),
            "v1\nunknown gone 1: spec.a\nnew 1: spec.a.b (string)\n0 descriptions\n");
  EXPECT_EQ(
      Changes(Spec(keeps), Spec(R"({"a":{"type":"object","additionalProperties":{"type":"string"}}})")),
      "v1\nother 1 no x-kubernetes-preserve-unknown-fields true: spec.a\nnew 1: spec.a[*] (string)\n0 descriptions\n")
      << "each of them is described";
  EXPECT_EQ(Changes(Spec(R"({"a":{"x-kubernetes-preserve-unknown-fields":true}})"), Spec(R"({"a":{"type":"string"}})")),
            "v1\nmay refuse 1 type string: spec.a\nother 1 no x-kubernetes-preserve-unknown-fields true: spec.a\n"
            "0 descriptions\n")
      << "a map is refused";
}

// A field that had no schema may have any value.
TEST(SchemaChanges, NewFieldsMayRefuseValuesThatWereKept) {
  const std::string_view keeps = R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})";
  const std::string_view described = R"({"type":"object","properties":{"spec":{"required":["a","d"],"properties":{
      "a":{},"d":{"default":1},"l":{"items":{"required":["b"]}}}}}})";
  EXPECT_EQ(Changes(keeps, described),
            "v1\nunknown gone 1: the object\nmay refuse 2 required: spec.a, spec.l[].b\nother 1 required, with a "
            "default: spec.d\nnew 1: spec\n0 descriptions\n");
  const auto still_keeps = [](std::string_view fields) {
    return StrCat(R"({"x-kubernetes-preserve-unknown-fields":true,"type":"object","properties":)", fields, "}");
  };
  EXPECT_EQ(Changes(still_keeps(R"({"a":{}})"), still_keeps(R"({"a":{},"b":{"required":["c"]}})")),
            "v1\nnew 1: b\n0 descriptions\n");
  EXPECT_EQ(Changes(R"({"type":"object"})", described), "v1\nnew 1: spec\n0 descriptions\n") << "no object has it";
}

// The server's pruning: what is described keeps unknown fields only if it says so itself, the items of lists inherit it.
TEST(SchemaChanges, DescribedFieldsDoNotInheritThatUnknownOnesAreKept) {
  const auto keeps = [](std::string_view a) {
    return StrCat(R"({"x-kubernetes-preserve-unknown-fields":true,"properties":{"a":)", a, "}}");
  };
  EXPECT_EQ(Changes(keeps(R"({"properties":{"b":{}}})"), keeps(R"({"properties":{}})")),
            "v1\ngone 1: a.b\n0 descriptions\n");
  EXPECT_EQ(Changes(R"({"x-kubernetes-preserve-unknown-fields":true,"items":{"properties":{"b":{}}}})",
                    R"({"x-kubernetes-preserve-unknown-fields":true,"items":{"properties":{}}})"),
            "v1\nother 1 no longer described: [].b\n0 descriptions\n");
}

TEST(SchemaChanges, FieldsOfEveryObjectComeAndGoWithoutEffect) {
  const std::string_view described =
      R"({"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"}}})";
  EXPECT_EQ(Changes(described, R"({"properties":{}})"), "v1\n3 descriptions\n");
  EXPECT_EQ(Changes(R"({"type":"object"})", StrCat(described.substr(0, described.size() - 1), R"(,"type":"object"})")),
            "v1\n3 descriptions\n");
  EXPECT_EQ(Changes(Spec(R"({"kind":{}})"), Spec("{}")), "v1\ngone 1: spec.kind\n0 descriptions\n");
  const auto embedded = [](std::string_view fields) {
    return Spec(StrCat(R"({"a":{"x-kubernetes-embedded-resource":true,"properties":)", fields, "}}"));
  };
  EXPECT_EQ(Changes(embedded(R"({"kind":{},"b":{}})"), embedded("{}")), "v1\ngone 1: spec.a.b\n1 descriptions\n");
  const std::string_view name = R"({"properties":{"metadata":{"type":"object","properties":{"name":{}}}}})";
  EXPECT_EQ(Changes(name, R"({"properties":{"metadata":{"type":"object"}}})"),
            "v1\nother 1 no longer described: metadata.name\n0 descriptions\n");
}

TEST(SchemaChanges, ListsThatBecomeSetsRefuseDuplicates) {
  const std::string_view map =
      R"({"a":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"]},"b":{"x-kubernetes-list-type":"atomic"}})";
  EXPECT_EQ(Changes(Spec(R"({"a":{},"b":{}})"), Spec(map)),
            "v1\nmay refuse 1 duplicate items: spec.a\nother 2 how lists and maps are merged: spec.a, spec.b\n0 "
            "descriptions\n");
}

TEST(SchemaChanges, DescriptionsAreCounted) {
  EXPECT_EQ(Changes(Spec(R"({"a":{"description":"x"},"description":{}})"),
                    Spec(R"({"a":{"description":"y"},"description":{"type":"string"}})")),
            "v1\nmay refuse 1 type string: spec.description\n1 descriptions\n");
}

TEST(SchemaChanges, VersionsWithTheSameChangesAreOne) {
  const auto versions = [](std::string_view fields) {
    return ParseJson(StrCat(R"([{"name":"v1","schema":{"openAPIV3Schema":)", fields,
                            R"(},"served":true},{"name":"v2","schema":{"openAPIV3Schema":)", fields, "}}]"));
  };
  const auto old = versions(R"({"properties":{"a":{}}})"), now = versions(R"({"properties":{"a":{},"b":{}}})");
  const SchemaChanges out = DivideSchemaChanges(*NestedChanges(old->root(), now->root()), old->root(), now->root());
  ASSERT_EQ(out.schemas.size(), 1u);
  EXPECT_EQ(InWords(out.schemas[0]), "v1,v2\nnew 1: b\n0 descriptions\n");
}

TEST(SchemaChanges, WhatIsInNoSchemaIsLeft) {
  const auto old = ParseJson(R"([{"name":"v1","served":true}])"), now = ParseJson(R"([{"name":"v1","served":false}])");
  const SchemaChanges out = DivideSchemaChanges(*NestedChanges(old->root(), now->root()), old->root(), now->root());
  EXPECT_TRUE(out.schemas.empty());
  ASSERT_EQ(out.others.size(), 1u);
  EXPECT_EQ(ToString(out.others[0].path), "[name=v1].served");
}

TEST(SchemaChanges, AreCountedInAFewWords) {
  EXPECT_EQ(SchemaInWords({.new_fields = 24, .fields_gone = 1, .stricter = 2, .others = 3}),
            "+24 fields, -1, stricter");
  EXPECT_EQ(SchemaInWords({.new_fields = 1}), "+1 field");
  EXPECT_EQ(SchemaInWords({.fields_gone = 1}), "-1 field");
  EXPECT_EQ(SchemaInWords({.new_fields = 2, .unknown_gone = 1}), "+2 fields, drops unknown fields");
  EXPECT_EQ(SchemaInWords({.others = 3}), "3 rules");
  EXPECT_EQ(SchemaInWords({}), "");
}

}  // namespace
}  // namespace smp::explain
