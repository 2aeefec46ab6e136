#include "apply/prepare.h"

#include <gtest/gtest.h>

#include <sstream>

#include "apply/keep_annotation.h"
#include "apply/last_applied.h"
#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

Manifest ReadOne(const std::string& text) {
  std::istringstream in(text);
  return *ReadManifests({.files = {"-"}, .standard_input = &in})->items[0];
}

const std::string kManifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\ndata: {k: v}\n";

Document Live(const std::string& metadata) {
  return *yaml::ParseYaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: prod" + metadata +
                          "}\ndata: {k: v}\n");
}

// Found with `kubectl get -o yaml > live.yaml`: the manifest that names no namespace seemed to take the live one away.
TEST(PrepareOffline, ComparesAManifestWithoutNamespaceWhereLiveIs) {
  const std::string recorded =
      R"(, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"metadata":{"namespace":"prod"}}'})";
  const auto prepared = PrepareOffline(ReadOne(kManifest), {.live = Live(recorded)}, BuiltinSchema());
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_EQ(prepared->ref.name_space, "prod");
  EXPECT_EQ(prepared->patch->outcome.root().Find("metadata")->StringOr("namespace"), "prod");
}

TEST(PrepareOffline, SaysWhichObjectHasNoSchema) {
  const auto prepared =
      PrepareOffline(ReadOne("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"), {}, BuiltinSchema());
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().source.line, 1);
}

// A kind of a CRD in the input, without a cluster.
class OfflineWidget : public testing::Test {
 protected:
  static Manifests Input(const std::string& version, const std::string& widget) {
    std::istringstream in(StrCat(R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, storage: true, )",
                                 version, "}]\n---\n", widget));
    return *ReadManifests({.files = {"-"}, .standard_input = &in});
  }

  static Result<Prepared> Prepare(const std::string& widget, const std::string& live = "",
                                  const std::string& version = kVersion) {
    const Manifests manifests = Input(version, kHead + widget);
    const InputDefinitions definitions = DefinitionsOf(manifests);
    OfflineInput input = {.definitions = &definitions};
    if (!live.empty()) input.live = *yaml::ParseYaml(kHead + live);
    return PrepareOffline(*manifests.items[1], input, BuiltinSchema());
  }

  static std::string ErrorOf(const Result<Prepared>& prepared) {
    return prepared.ok() ? "" : ToString(prepared.error());
  }

  static inline const std::string kHead = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n";
  static inline const std::string kVersion = R"(served: true, schema: {openAPIV3Schema: {type: object, properties: {
    spec: {type: object, properties: {size: {type: integer}, ports: {type: array, x-kubernetes-list-type: map,
      x-kubernetes-list-map-keys: [name], items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}}}}}})";
};

TEST_F(OfflineWidget, ListsAreMergedByTheKeysOfTheCrd) {
  const auto prepared =
      Prepare("spec: {ports: [{name: a, port: 2}]}", "spec: {ports: [{name: b, port: 1}, {name: a, port: 1}]}");
  ASSERT_TRUE(prepared.ok()) << ErrorOf(prepared);
  EXPECT_TRUE(prepared->defined_by_input);
  EXPECT_EQ(prepared->ref.plural, "widgets");
  EXPECT_EQ(WriteJson(*prepared->patch->outcome.root().Find("spec")),
            R"({"ports":[{"name":"b","port":1},{"name":"a","port":2}]})");
}

TEST_F(OfflineWidget, UnknownFieldsAreFoundAsWithACluster) {
  EXPECT_NE(ErrorOf(Prepare("spec: {sizes: 1}")).find("spec.sizes: unknown field \"sizes\"; did you mean \"size\"?"),
            std::string::npos);
  EXPECT_NE(ErrorOf(Prepare("spec: {size: one}")).find("spec.size: expected an integer, found a string"),
            std::string::npos);
  EXPECT_EQ(ErrorOf(Prepare("spec: {size: one}", "spec: {size: one}")), "");  // ratcheting: the server accepts it, too
}

TEST_F(OfflineWidget, AVersionMustBeServed) {
  EXPECT_NE(ErrorOf(Prepare("spec: {}", "", "served: false")).find("does not serve it"), std::string::npos);
  EXPECT_EQ(ErrorOf(Prepare("spec: {any: thing}", "", "served: true")),
            "");  // no schema: nothing is known of its fields
}

// The annotation is planned only when live has one.
TEST(PrepareOffline, ComparesFilesAsTheyAre) {
  const auto prepared = PrepareOffline(ReadOne(kManifest), {.live = Live("")}, BuiltinSchema());
  ASSERT_TRUE(prepared.ok());
  EXPECT_TRUE(prepared->patch->empty()) << WriteJson(prepared->patch->body.root());
}

// The plan compares what the server is to store; the record is what the user wrote.
TEST(PrepareOffline, DesiresWhatTheServerKeeps) {
  const Manifest manifest = ReadOne(
      "apiVersion: v1\nkind: Secret\nmetadata: {name: s, generation: 1, selfLink: /x}\ndata: {a: bw==}\n"
      "stringData: {a: new}\n");
  const auto fresh = PrepareOffline(manifest, {}, BuiltinSchema());
  ASSERT_TRUE(fresh.ok()) << ToString(fresh.error());
  EXPECT_EQ(WriteJson(fresh->desired.root()),
            R"({"apiVersion":"v1","data":{"a":"bmV3"},"kind":"Secret","metadata":{"generation":1,"name":"s"}})");
  EXPECT_EQ(fresh->modified.root(), manifest.document.root());
  const auto as_kubectl =
      PrepareOffline(manifest, {.planning = {.dialect = compat::Dialect::kKubectl}}, BuiltinSchema());
  ASSERT_TRUE(as_kubectl.ok()) << ToString(as_kubectl.error());
  EXPECT_EQ(as_kubectl->desired.root(), manifest.document.root());
}

TEST(PrepareOffline, SendsNoStatus) {
  const std::string text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, namespace: x}\nstatus: {phase: ";
  const Document live = *yaml::ParseYaml(text + "Active}\n");
  const auto prepared = PrepareOffline(ReadOne(text + "Lost}\n"), {.live = live}, BuiltinSchema());
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_TRUE(prepared->patch->empty()) << WriteJson(prepared->patch->body.root());
  const auto as_kubectl = PrepareOffline(
      ReadOne(text + "Lost}\n"), {.live = live, .planning = {.dialect = compat::Dialect::kKubectl}}, BuiltinSchema());
  ASSERT_TRUE(as_kubectl.ok()) << ToString(as_kubectl.error());
  EXPECT_NE(as_kubectl->patch->body.root().Find("status"), nullptr);
}

Document RecordedLive(const std::string& data) {
  const std::string recorded =
      R"({"apiVersion":"v1","data":{"k":"v"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"cfg"}})";
  return *yaml::ParseYaml(
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: cfg\n  annotations:\n"
      "    kubectl.kubernetes.io/last-applied-configuration: '" +
      recorded + "'\ndata: {" + data + "}\n");
}

Result<Prepared> PrepareWith(const std::string& data, const std::string& live, const Planning& planning) {
  const std::string manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\ndata: {" + data + "}\n";
  return PrepareOffline(ReadOne(manifest), {.live = RecordedLive(live), .planning = planning}, BuiltinSchema());
}

TEST(PrepareWithoutOverwrite, RefusesToUndoWhatOthersChanged) {
  const auto prepared = PrepareWith("k: new", "k: theirs", {.overwrite = compat::Overwrite::kNo});
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().code, ErrorCode::kConflict);
  EXPECT_EQ(ToString(prepared.error()),
            "STDIN:1: data.k: the patch would overwrite what live has, neither last-applied nor as in the manifest"
            "; put the live values into the manifest, or overwrite them (--overwrite)");
}

// To kubectl the annotation that it wrote itself is a conflict, so that it refuses every change.
TEST(PrepareWithoutOverwrite, TakesTheLastAppliedAnnotationForNobodysChange) {
  const auto prepared = PrepareWith("k: new", "k: v, other: theirs", {.overwrite = compat::Overwrite::kNo});
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_FALSE(prepared->patch->empty());
  const auto as_kubectl = PrepareWith("k: new", "k: v, other: theirs",
                                      {.dialect = compat::Dialect::kKubectl, .overwrite = compat::Overwrite::kNo});
  ASSERT_FALSE(as_kubectl.ok());
  EXPECT_EQ(as_kubectl.error().code, ErrorCode::kConflict);
}

Planning Keeping(const std::string& path) { return {.keep_live = {*ParseKeepPath(path, "--keep-live")}}; }

// The record is the manifest as it stands, the outcome has live's value, and the next plan finds nothing to do.
TEST(PrepareKeepingLive, RecordsTheManifestAndLeavesTheField) {
  const auto prepared = PrepareWith("k: new, x: '1'", "k: theirs, x: '1'", Keeping("data.k"));
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  ASSERT_EQ(prepared->kept.size(), 1u);
  const Value& outcome = prepared->patch->outcome.root();
  EXPECT_EQ(outcome.Find("data")->StringOr("k"), "theirs");
  EXPECT_NE(LastAppliedTextOf(outcome).find(R"("data":{"k":"new","x":"1"})"), std::string_view::npos);
  const auto again =
      PrepareOffline(ReadOne("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\ndata: {k: new, x: '1'}\n"),
                     {.live = prepared->patch->outcome, .planning = Keeping("data.k")}, BuiltinSchema());
  ASSERT_TRUE(again.ok()) << ToString(again.error());
  EXPECT_TRUE(again->patch->empty()) << WriteJson(again->patch->body.root());
}

// The patch leaves data.l as it is, so that only a new object would lack it.
TEST(PrepareKeepingLive, PutsAllThatIsKeptIntoTheObjectThatForceCreates) {
  const auto prepared = PrepareWith("k: new", "k: v, l: theirs, m: theirs", Keeping("data.l"));
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_TRUE(prepared->kept.empty());
  ASSERT_TRUE(prepared->anew.has_value());
  EXPECT_EQ(WriteJson(*prepared->anew->root().Find("data")), R"({"k":"new","l":"theirs"})");
  EXPECT_NE(LastAppliedTextOf(prepared->anew->root()).find(R"("data":{"k":"new"})"), std::string_view::npos);
  EXPECT_FALSE(PrepareWith("k: new", "k: v", {})->anew.has_value());
}

TEST(PrepareKeepingLive, NeverKeepsTheRecord) {
  const auto prepared = PrepareWith("k: new", "k: v", Keeping("metadata.annotations"));
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_TRUE(prepared->kept.empty());
  EXPECT_NE(LastAppliedTextOf(prepared->patch->outcome.root()).find(R"("k":"new")"), std::string_view::npos);
}

Result<Prepared> PrepareWithAnnotation(const std::string& in_manifest, const std::string& in_live) {
  const auto with = [](const std::string& paths) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, annotations: {smp.io/keep-live: " + paths + "}}\n";
  };
  return PrepareOffline(ReadOne(with(in_manifest) + "data: {a: new, b: new}\n"),
                        {.live = *yaml::ParseYaml(with(in_live) + "data: {a: old, b: old}\n")}, BuiltinSchema());
}

// Whoever may write the live object could otherwise switch apply off.
TEST(PrepareKeepingLive, ReadsTheAnnotationOfTheManifestAlone) {
  const auto from_live = PrepareWithAnnotation("''", "'data.a'");
  ASSERT_TRUE(from_live.ok()) << ToString(from_live.error());
  EXPECT_EQ(WriteJson(*from_live->patch->outcome.root().Find("data")), R"({"a":"new","b":"new"})");
  const auto both = PrepareWithAnnotation("\"data.a,\\n data['x'],data.b\"", "''");
  EXPECT_FALSE(both.ok());
  EXPECT_EQ(both.error().path, R"(metadata.annotations["smp.io/keep-live"])");
  const auto lines = PrepareWithAnnotation(R"("data.a\n,data[\"b\"]")", "''");
  ASSERT_TRUE(lines.ok()) << ToString(lines.error());
  EXPECT_EQ(WriteJson(*lines->patch->outcome.root().Find("data")), R"({"a":"old","b":"old"})");
}

TEST(PrepareKeepingLive, GivesANewObjectWhatTheManifestSays) {
  const auto prepared = PrepareOffline(ReadOne(kManifest), {.planning = Keeping("data.k")}, BuiltinSchema());
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_EQ(prepared->desired.root().Find("data")->StringOr("k"), "v");
}

TEST(PrepareAsKubectl, KeepsNothing) {
  const auto prepared = PrepareWith("k: new", "k: theirs",
                                    {.dialect = compat::Dialect::kKubectl, .keep_live = Keeping("data.k").keep_live});
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_EQ(prepared->patch->outcome.root().Find("data")->StringOr("k"), "new");
}

TEST(PrepareAsKubectl, SendsDeletionsOfWhatIsGone) {
  const auto prepared = PrepareWith("x: '1'", "y: '1', x: '1'", {.dialect = compat::Dialect::kKubectl});
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_EQ(WriteJson(*prepared->patch->body.root().Find("data")), R"({"k":null})");
  EXPECT_TRUE(prepared->deviations.empty());
}

}  // namespace
}  // namespace smp::apply
