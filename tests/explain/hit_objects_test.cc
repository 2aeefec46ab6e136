#include "explain/hit_objects.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

Document Parsed(std::string_view text) { return *yaml::ParseYaml(text); }

Document Definition(std::string_view versions) {
  return Parsed(
      StrCat("spec: {group: a.b, scope: Namespaced, names: {plural: ws, kind: W}, versions: [", versions, "]}"));
}

std::string Version(std::string_view name, std::string_view schema, std::string_view more = "") {
  return StrCat("{name: ", name, ", schema: {openAPIV3Schema: {type: object, properties: {spec: ", schema, "}}}", more,
                "}");
}

constexpr std::string_view kOld =
    "{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}}";

HitObjects Hits(std::string_view schema, std::string_view spec) {
  const Document before = Definition(Version("v1", kOld)), after = Definition(Version("v1", schema));
  const Document object =
      Parsed(StrCat("apiVersion: a.b/v1\nkind: W\nmetadata: {name: w, namespace: x}\nstatus: {s: 1}\nspec: ", spec));
  return FindHitObjects(before.root(), after.root(), "v1", {&object, 1}).value_or(HitObjects());
}

TEST(FindHitObjects, NamesWhatALostFieldHasInIt) {
  EXPECT_EQ(Hits("{type: object, properties: {a: {type: string}}}", "{a: x, b: y}").losing,
            std::vector<std::string>({"spec.b of x/w"}));
  EXPECT_TRUE(Hits("{type: object, properties: {a: {type: string}}}", "{a: x}").losing.empty());
  EXPECT_TRUE(Hits("{type: object, x-kubernetes-preserve-unknown-fields: true}", "{b: y}").losing.empty());
}

TEST(FindHitObjects, NamesWhatTheVersionThatIsStoredHasNoPlaceFor) {
  const std::string first = Version("v1", kOld, ", served: true"), stored = ", served: true, storage: true";
  const std::string small = Version("v2", "{type: object, properties: {a: {type: string}}}", stored);
  const Document before = Definition(first), after = Definition(StrCat(first, ", ", small));
  const auto losing = [&](std::string_view spec) {
    const Document object = Parsed(StrCat("{apiVersion: a.b/v1, kind: W, metadata: {name: w}, spec: ", spec, "}"));
    return FindHitObjects(before.root(), after.root(), "v1", {&object, 1})->losing;
  };
  EXPECT_EQ(losing("{a: x, b: y}"), std::vector<std::string>({"spec.b of w (at its next write)"}));
  EXPECT_TRUE(losing("{a: x}").empty());
}

TEST(FindHitObjects, NamesWhatBreaksANewVersionThatIsStored) {
  const std::string served = ", served: true", first = Version("v1", kOld, served);
  const std::string strict = Version("v2", "{type: object, required: [d]}", served + ", storage: true");
  const Document object = Parsed("{apiVersion: a.b/v1, kind: W, metadata: {name: w}, spec: {}}");
  const auto invalid = [&](const std::string& versions_before) {
    const Document before = Definition(versions_before), after = Definition(StrCat(first, ", ", strict));
    return FindHitObjects(before.root(), after.root(), "v1", {&object, 1})->invalid;
  };
  EXPECT_EQ(invalid(first), std::vector<std::string>({"w: spec: the field d is required (written in v2)"}));
  EXPECT_TRUE(invalid(StrCat(first, ", ", Version("v2", "{type: object, required: [d]}", served))).empty());
}

TEST(FindHitObjects, NamesWhatIsLostWithAVersionThatIsNoLongerServed) {
  const std::string stored = ", served: true, storage: true", small = "{type: object, properties: {a: {type: string}}}";
  const Document before = Definition(Version("v1", kOld, stored)),
                 after = Definition(StrCat(Version("v1", kOld, ", served: false"), ", ", Version("v2", small, stored)));
  ASSERT_EQ(ResourceToRead(before.root(), after.root())->gvk.version, "v1");
  const Document object = Parsed("{apiVersion: a.b/v1, kind: W, metadata: {name: w}, spec: {a: x, b: y}}");
  EXPECT_EQ(FindHitObjects(before.root(), after.root(), "v1", {&object, 1})->losing,
            std::vector<std::string>({"spec.b of w"}));
}

TEST(FindHitObjects, NamesWhoWritesAVersionThatGoes) {
  const std::string schema(kOld);
  const std::string old = Version("v0", schema, ", served: true"), now = Version("v1", schema, ", served: true");
  const Document before = Definition(StrCat(old, ", ", now)), after = Definition(now);
  const Document object = Parsed(
      "{apiVersion: a.b/v1, kind: W, metadata: {name: w, managedFields: [{manager: velero, apiVersion: a.b/v0}, "
      "{manager: kubectl, apiVersion: a.b/v1}]}}");
  EXPECT_EQ(FindHitObjects(before.root(), after.root(), "v1", {&object, 1})->writers,
            std::vector<std::string>{"velero"});
}

TEST(FindHitObjects, NamesWhatBreaksANewRule) {
  const std::string_view strict = "{type: object, required: [a], properties: {a: {type: string}, b: {type: integer}}}";
  EXPECT_EQ(Hits(strict, "{}").invalid, std::vector<std::string>({"x/w: spec: the field a is required"}));
  EXPECT_EQ(Hits(strict, "{b: x}").invalid.front(), "x/w: spec.b: expected an integer, found a string and 1 more");
  EXPECT_TRUE(Hits(strict, "{a: x}").invalid.empty());
}

TEST(FindHitObjects, NamesItemsThatAListHasTwiceWhereItBecomesAMap) {
  const std::string start =
      "{type: object, properties: {l: {type: array, items: {type: object, required: [id], "
      "properties: {id: {type: string}}}";
  const Document before = Definition(Version("v1", start + "}}}"));
  const Document after =
      Definition(Version("v1", start + ", x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id]}}}"));
  const auto invalid = [&](std::string_view items) {
    const Document object =
        Parsed(StrCat("{apiVersion: a.b/v1, kind: W, metadata: {name: w}, spec: {l: ", items, "}}"));
    return FindHitObjects(before.root(), after.root(), "v1", {&object, 1})->invalid;
  };
  EXPECT_EQ(invalid("[{id: a}, {id: b}, {id: a}]"),
            std::vector<std::string>({"w: spec.l[id=a]: the list has this item more than once"}));
  EXPECT_TRUE(invalid("[{id: a}, {id: b}]").empty());
}

TEST(FindHitObjects, SaysThatARuleIsNotEvaluated) {
  const std::string_view rule =
      "{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: self.a == 'x'}]}";
  EXPECT_TRUE(Hits(rule, "{a: x}").unchecked);
  EXPECT_FALSE(Hits(kOld, "{a: x}").unchecked);
}

TEST(FindHitObjects, LeavesOutWhatBrokeTheOldSchema) {
  const Document definition = Definition(Version("v1", "{type: object, required: [a]}"));
  const Document object = Parsed("{apiVersion: a.b/v1, kind: W, metadata: {name: w}, spec: {}}");
  EXPECT_TRUE(FindHitObjects(definition.root(), definition.root(), "v1", {&object, 1})->invalid.empty());
}

TEST(ResourceToRead, IsThatInWhichObjectsAreStored) {
  const auto version = [](const auto& before, const auto& after) {
    const auto resource = ResourceToRead(Definition(before).root(), Definition(after).root());
    return resource ? resource->gvk.version : "none";
  };
  const std::string v1 = Version("v1", kOld), v2 = Version("v2", kOld),
                    unserved = Version("v1", kOld, ", served: false");
  EXPECT_EQ(version(v1, v1), "v1");
  EXPECT_EQ(version(v1, StrCat(v1, ", ", v2)), "v1");
  const std::string stored = Version("v2", kOld, ", storage: true");
  EXPECT_EQ(version(StrCat(v1, ", ", v2), StrCat(v1, ", ", stored)), "v2");
  EXPECT_EQ(version(v1, v2), "none");
  EXPECT_EQ(version(unserved, v1), "none");
  EXPECT_EQ(version(v1, unserved), "none");
}

}  // namespace
}  // namespace smp::explain
