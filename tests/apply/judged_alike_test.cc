// Which changes of a CRD matter to an object.
#include "apply/judged_alike.h"

#include <gtest/gtest.h>

#include <string>

#include "value/json.h"

namespace smp::apply {
namespace {

constexpr std::string_view kObject = R"({"spec":{"a":1,"list":[{"x":1}],"map":{"k":"v"}}})";
constexpr std::string_view kSpec =
    R"({"type":"object","x-kubernetes-validations":[{"rule":"self.a < 10"}],"properties":{
    "a":{"type":"integer"},"map":{"type":"object","additionalProperties":{"type":"string"}},
    "list":{"type":"array","items":{"type":"object","properties":{"x":{"type":"integer"}}}}}})";

std::string Crd(std::string_view spec, std::string_view entry = "", std::string_view scope = "Namespaced") {
  return std::string(R"({"spec":{"scope":")")
      .append(scope)
      .append(R"(","versions":[{"name":"v1","storage":true)")
      .append(entry)
      .append(R"(,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)")
      .append(spec)
      .append("}}}}]}}");
}

// `spec` with `to` instead of `from`.
std::string With(std::string_view from, std::string_view to) {
  std::string spec(kSpec);
  return spec.replace(spec.find(from), from.size(), to);
}

bool Alike(const std::string& after, std::string_view object = kObject, std::string_view version = "v1") {
  const Result<Document> crd = ParseJson(Crd(kSpec)), changed = ParseJson(after), asked = ParseJson(object);
  EXPECT_TRUE(changed.ok() && asked.ok()) << after;
  return AreJudgedAlike(crd->root(), changed->root(), version, asked->root());
}

TEST(JudgedAlike, ByTheSameSchema) {
  EXPECT_TRUE(Alike(Crd(kSpec)));
  EXPECT_FALSE(Alike(Crd(kSpec), kObject, "v2"));
}

TEST(JudgedAlike, WhatTheObjectDoesNotHave) {
  EXPECT_TRUE(Alike(Crd(With(R"("a":{)", R"("b":{"type":"string"},"a":{)"))));
  EXPECT_TRUE(Alike(Crd(With(R"("a":{)", R"("a":{"description":"words",)"))));
  EXPECT_TRUE(Alike(Crd(kSpec, R"(,"deprecated":true,"additionalPrinterColumns":[{"name":"A"}])")));
  EXPECT_FALSE(Alike(Crd(With(R"("a":{)", R"("b":{"type":"string"},"a":{)")), R"({"spec":{"b":"x"}})"));
}

TEST(JudgedAlike, ADefaultIsGivenToWhatLacksTheField) {
  const std::string filled = Crd(With(R"("a":{)", R"("b":{"type":"string","default":"x"},"a":{)"));
  EXPECT_FALSE(Alike(filled));
  EXPECT_TRUE(Alike(filled, R"({"metadata":{"name":"no spec"}})"));
  EXPECT_FALSE(Alike(Crd(With(R"("x":{)", R"("x":{"default":3,)")), R"({"spec":{"list":[{}]}})"));
}

TEST(JudgedAlike, WhatTheObjectHas) {
  EXPECT_FALSE(Alike(Crd(With("self.a < 10", "self.a < 11"))));
  EXPECT_FALSE(Alike(Crd(With(R"("a":{)", R"("a":{"maximum":3,)"))));
  EXPECT_FALSE(Alike(Crd(With(R"("x":{)", R"("x":{"maximum":3,)"))));
  EXPECT_FALSE(Alike(Crd(With(R"({"type":"string"})", R"({"type":"string","maxLength":3})"))));
  EXPECT_TRUE(Alike(Crd(With(R"({"type":"string"})", R"({"type":"string","maxLength":3})")), R"({"spec":{"map":{}}})"));
}

// The server completes what it reads from its store in the version that is stored there.
TEST(JudgedAlike, TheVersionThatIsStored) {
  const auto with_v2 = [](std::string_view spec, std::string_view stored) {
    return std::string(R"({"spec":{"scope":"Namespaced","versions":[)")
        .append(R"({"name":"v1","schema":{"openAPIV3Schema":{}}},{"name":"v2","storage":)")
        .append(stored)
        .append(R"(,"schema":{"openAPIV3Schema":{"properties":{"spec":)")
        .append(spec)
        .append("}}}}]}}");
  };
  const std::string filled = With(R"("a":{)", R"("b":{"type":"string","default":"x"},"a":{)");
  const Result<Document> before = ParseJson(with_v2(kSpec, "true")), object = ParseJson(kObject);
  const auto alike = [&](const std::string& after) {
    return AreJudgedAlike(before->root(), ParseJson(after)->root(), "v1", object->root());
  };
  EXPECT_TRUE(alike(with_v2(kSpec, "true")));
  EXPECT_FALSE(alike(with_v2(filled, "true")));
  EXPECT_FALSE(alike(with_v2(kSpec, "false")));
}

TEST(JudgedAlike, TheKindItself) {
  EXPECT_FALSE(Alike(Crd(kSpec, "", "Cluster")));
  EXPECT_FALSE(Alike(Crd(kSpec, R"(,"subresources":{"status":{}})")));
}

}  // namespace
}  // namespace smp::apply
