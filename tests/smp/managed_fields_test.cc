#include "smp/managed_fields.h"

#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "base/strings.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

std::string Names(const std::vector<FieldManager>& managers) {
  std::vector<std::string> names;
  for (const FieldManager& manager : managers) names.push_back(manager.name);
  return Join(names, " ");
}

// An object with these entries of managedFields, in YAML.
FieldOwners Owners(const std::string& entries) {
  return FieldOwners(yaml::ParseYaml(StrCat("metadata: {managedFields: [", entries, "]}"))->root());
}

std::string Entry(std::string_view manager, std::string_view fields, std::string_view more = "operation: Update") {
  return StrCat("{manager: ", manager, ", ", more, ", fieldsV1: ", fields, "}");
}

Document Item(const std::string& text) { return *yaml::ParseYaml(text); }

TEST(FieldOwners, AreThoseWhoListTheField) {
  const FieldOwners owners = Owners(StrCat(Entry("a", "{f:spec: {f:replicas: {}, f:paused: {}}}"), ", ",
                                           Entry("b", "{f:spec: {f:replicas: {}}}", "operation: Apply")));
  EXPECT_EQ(Names(owners.root().Field("spec").Field("replicas").Nearest()), "a b");
  EXPECT_EQ(Names(owners.root().Field("spec").Field("paused").Nearest()), "a");
  EXPECT_EQ(Names(owners.root().Field("spec").Field("replicas").Owners()), "a b");
}

TEST(FieldOwners, OfAMapAreThoseWhoOwnSomethingInIt) {
  const FieldOwners owners = Owners(StrCat(Entry("a", "{f:spec: {f:selector: {.: {}, f:x: {}}}}"), ", ",
                                           Entry("b", "{f:spec: {f:selector: {f:y: {}}}}")));
  const auto selector = owners.root().Field("spec").Field("selector");
  EXPECT_EQ(Names(selector.Nearest()), "a b");
  EXPECT_EQ(Names(selector.Owners()), "a");
  EXPECT_EQ(Names(selector.Holders()), "a b");
  EXPECT_EQ(Names(selector.Field("z").Holders()), "");
}

// The near miss: `spec` has only children, so nobody owns it, and its other fields have no owner (a default after a
// server-side apply has none).
TEST(FieldOwners, OfAFieldThatNoEntryListsAreThoseOfTheNearestOwnedAncestor) {
  const FieldOwners owners = Owners(StrCat(Entry("a", "{f:spec: {f:tolerations: {}, f:labels: {.: {}, f:x: {}}}}"),
                                           ", ", Entry("b", "{f:spec: {f:labels: {f:y: {}}}}")));
  const auto spec = owners.root().Field("spec");
  EXPECT_EQ(Names(spec.Field("tolerations").Field("any").Field("depth").Nearest()), "a");
  EXPECT_EQ(Names(spec.Field("tolerations").Field("any").Owners()), "");
  EXPECT_EQ(Names(spec.Field("labels").Field("z").Nearest()), "a");
  EXPECT_EQ(Names(spec.Field("replicas").Nearest()), "");
}

TEST(FieldOwners, OfTheDataOfASecretAreThoseWhoAppliedItAsStringData) {
  const std::string fields =
      StrCat("metadata: {managedFields: [", Entry("a", "{f:stringData: {f:k: {}}}", "operation: Apply"), ", ",
             Entry("b", "{f:data: {f:k: {}, f:x: {}, f:y: {}}, f:stringData: {f:y: {}}}"), "]}");
  const auto names = [&](std::string_view kind, std::string_view key) {
    const FieldOwners owners(yaml::ParseYaml(StrCat("apiVersion: v1\nkind: ", kind, "\n", fields))->root());
    return Names(owners.root().Field("data").Field(key).Nearest());
  };
  EXPECT_EQ(names("Secret", "k"), "a b");
  EXPECT_EQ(names("Secret", "x"), "b");
  EXPECT_EQ(names("Secret", "y"), "b");
  EXPECT_EQ(names("ConfigMap", "k"), "b");
}

TEST(FieldOwners, NothingIsAtNoPlace) {
  const FieldOwners owners = Owners(Entry("a", "{f:spec: {}}"));
  EXPECT_EQ(Names(owners.root().Field("spec").Nowhere().Nearest()), "");
  EXPECT_EQ(Names(owners.root().Field("spec").Nowhere().Field("x").Nearest()), "");
}

TEST(FieldOwners, FindsItemsByTheKeysOfTheEntry) {
  const FieldOwners owners =
      Owners(StrCat(Entry("a", R"({f:ports: {'k:{"protocol":"TCP", "port":80}': {.: {}, f:name: {}}}})"), ", ",
                    Entry("b", R"({f:ports: {'k:{"port":80,"protocol":"UDP"}': {.: {}}}})"), ", ",
                    Entry("old", R"({f:ports: {'k:{"port":80}': {.: {}}}})")));
  const auto ports = owners.root().Field("ports");
  EXPECT_EQ(Names(ports.Item(Item("{port: 80, protocol: TCP, name: x}").root()).Field("name").Nearest()), "a");
  EXPECT_EQ(Names(ports.Item(Item("{port: 80, protocol: UDP}").root()).Nearest()), "b");
  EXPECT_EQ(Names(ports.Item(Item("{port: 80}").root()).Nearest()), "old");
  EXPECT_EQ(Join(ports.KeyNames(), " "), "port protocol");
  EXPECT_TRUE(owners.root().KeyNames().empty());
  EXPECT_EQ(Names(ports.Item(Item("{port: '80', protocol: TCP}").root()).Nearest()), "");
}

TEST(FieldOwners, FindsElementsByValueAndCountsIndexes) {
  const FieldOwners owners = Owners(StrCat(Entry("a", R"({f:finalizers: {.: {}, 'v:"x/y"': {}, 'v: 8': {}}})"), ", ",
                                           Entry("b", "{f:list: {'i:3': {}}}")));
  const auto finalizers = owners.root().Field("finalizers");
  EXPECT_EQ(Names(finalizers.Element(Value::UnownedString("x/y")).Owners()), "a");
  EXPECT_EQ(Names(finalizers.Element(Value::Int(8)).Owners()), "a");
  EXPECT_EQ(Names(finalizers.Element(Value::UnownedString("z")).Owners()), "");
  EXPECT_EQ(Names(owners.root().Field("list").Nearest()), "b");
}

TEST(FieldOwners, OfBrokenEntriesAreWhatCanBeRead) {
  const FieldOwners owners = Owners(StrCat(
      "3, {manager: a}, {manager: b, fieldsV1: []}, ",
      Entry(
          "c",
          R"({f:spec: 7, 'k:{': {}, 'k:[]': {}, 'k:[1]': {}, 'k:"x"': {}, 'k:[{}]': {}, 'v:': {}, '': {}, f:x: {f:y: {}}})")));
  EXPECT_TRUE(owners.recorded());
  EXPECT_EQ(Names(owners.root().Field("spec").Nearest()), "");
  EXPECT_EQ(Names(owners.root().Field("x").Field("y").Nearest()), "c");
}

TEST(FieldOwners, AreNotRecordedInAFileOfKubectlGet) {
  EXPECT_FALSE(FieldOwners(Item("{metadata: {name: x}}").root()).recorded());
  EXPECT_FALSE(FieldOwners(Item("[]").root()).recorded());
}

TEST(KindOf, TellsOurOwnManagersFromOthers) {
  EXPECT_EQ(KindOf({"kubectl-client-side-apply", "Update"}), ManagerKind::kClientSideApply);
  EXPECT_EQ(KindOf({"kubectl", "Apply"}), ManagerKind::kServerSideApply);
  EXPECT_EQ(KindOf({"kubectl-create", "Update"}), ManagerKind::kCreate);
  for (const FieldManager& other : {FieldManager{"kubectl-edit", "Update"},
                                    {"kubectl", "Update"},
                                    {"helm", "Apply"},
                                    {"kubectl-client-side-apply", "Update", "scale"},
                                    {"kubectl-create", "Apply"}}) {
    EXPECT_EQ(KindOf(other), ManagerKind::kOther) << Describe(other);
  }
}

TEST(Describe, NamesManagerOperationSubresourceAndTime) {
  const auto now = ParseRfc3339("2026-01-04T00:00:00Z")->seconds;
  const FieldManager edit = {"kubectl-edit", "Update", "", "2026-01-01T00:00:00Z"};
  const FieldManager scaler = {"autoscaler", "Update", "scale", "2026-01-03T23:55:01Z"};
  EXPECT_EQ(Describe(edit, now), "kubectl-edit (Update; last write 3d ago)");
  EXPECT_EQ(Describe(scaler, now), "autoscaler (Update of scale; last write 4m ago)");
  EXPECT_EQ(Describe(edit), "kubectl-edit (Update; last write 2026-01-01T00:00:00Z)");
  EXPECT_EQ(Describe({"x", "Apply", "", ""}, now), "x (Apply; time unknown)");
  EXPECT_EQ(Describe({"x", "Apply", "", "yesterday"}, now), "x (Apply; last write yesterday)");
  const FieldManager x = {"x", "Apply"};
  EXPECT_EQ(Describe({x}), "x (Apply; time unknown)");
  EXPECT_EQ(Describe(std::vector{x, x}), "x (Apply; time unknown) and x (Apply; time unknown)");
  EXPECT_EQ(Describe(std::vector{x, x, x}),
            "x (Apply; time unknown), x (Apply; time unknown) and x (Apply; time unknown)");
}

// Whoever takes an item away through a version of a CRD that merges the list leaves no entry.
TEST(ServerStoredOtherwise, OfACustomResourceOnlyWhereLiveHasAllThatWasApplied) {
  const auto said = [](const std::string& applied, const std::string& live, Storage storage) {
    const Document before = *ParseJson(applied), now = *ParseJson(live);
    PlanNode node;
    node.reason = Reason::kDrift;
    node.original = &before.root();
    node.live = &now.root();
    return ServerStoredOtherwise(node, {{std::string(kClientSideManager), "Update"}}, storage);
  };
  EXPECT_TRUE(said(R"([{"a":1}])", R"([{"a":1,"b":2}])", Storage::kAsWritten));
  EXPECT_FALSE(said(R"(["a","b"])", R"(["a"])", Storage::kAsWritten));
  EXPECT_FALSE(said(R"(["a","b"])", R"(["b","a"])", Storage::kAsWritten));
  EXPECT_FALSE(said(R"({"a":1,"b":2})", R"({"a":1})", Storage::kAsWritten));
  EXPECT_TRUE(said(R"([{"a":1,"b":2}])", R"([{"a":1}])", Storage::kGoTypes));  // a feature gate
}

}  // namespace
}  // namespace smp
