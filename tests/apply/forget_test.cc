// Fields that leave the record, and the promise about them: the next apply leaves them alone.
#include "apply/forget.h"

#include <gtest/gtest.h>

#include "schema/builtin.h"
#include "smp/smp.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

const GroupVersionKind kDeployment = {"apps", "v1", "Deployment"};

constexpr char kRecord[] =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, finalizers: [a.io/x, b]}\n"
    "spec:\n  replicas: 2\n  template:\n    spec:\n      nodeSelector: {disk: ssd}\n      containers:\n"
    "      - {name: app, image: 'nginx:1', ports: [{containerPort: 80, protocol: UDP}], args: [a, b]}\n"
    "      - {name: log, image: 'fluent:1', ports: [{containerPort: 90}]}\n";

// "spec.replicas …" and the record, or "error: …".
std::pair<std::string, Document> ForgetAll(const std::string& path) {
  const auto steps = ParsePathPattern(path);
  EXPECT_TRUE(steps.ok()) << path;
  const Document record = *yaml::ParseYaml(kRecord);
  const auto schema = BuiltinSchema();
  const auto result = Forget(record, *steps, *schema, schema->FindType(kDeployment));
  if (!result.ok()) return {"error: " + ToString(result.error()), Document()};
  std::string paths;
  for (const Forgotten& field : result->fields) paths += (paths.empty() ? "" : " ") + ToString(field.path);
  return {paths, result->record};
}

// Found by hand: explain-diff prints data.b where the manifest has stringData.b, and forget did not find it.
TEST(Forget, TakesDataAndStringDataOfASecretForEachOther) {
  const auto schema = BuiltinSchema();
  const Document record = *yaml::ParseYaml(
      "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: YQ==}\nstringData: {b: c, d: e}\n");
  const auto forget = [&](const std::string& path) {
    const auto done = Forget(record, *ParsePathPattern(path), *schema, schema->FindType({"", "v1", "Secret"}));
    std::string out;
    for (const Forgotten& field : done->fields) out += ToString(field.path) + " ";
    return out + WriteJson(done->record.root());
  };
  const std::string head = R"(,"kind":"Secret","metadata":{"name":"s"})";
  for (const char* path : {"data.b", "stringData.b"}) {
    EXPECT_EQ(forget(path),
              R"(stringData.b {"apiVersion":"v1","data":{"a":"YQ=="})" + head + R"(,"stringData":{"d":"e"}})");
  }
  EXPECT_EQ(forget("stringData.a"), R"(data.a {"apiVersion":"v1")" + head + R"(,"stringData":{"b":"c","d":"e"}})");
  EXPECT_EQ(forget("data"), R"(data stringData {"apiVersion":"v1")" + head + "}");
}

TEST(Forget, TakesOutWhatThePathNames) {
  const std::pair<const char*, const char*> rows[] = {
      {"spec.replicas", "spec.replicas"},
      {"spec.none", ""},
      {"spec.replicas.below", ""},
      {"spec.template.spec.containers[name=app].image", "spec.template.spec.containers[name=app].image"},
      {"spec.template.spec.containers[1].image", "spec.template.spec.containers[name=log].image"},
      {"spec.template.spec.containers[*].image",
       "spec.template.spec.containers[name=app].image spec.template.spec.containers[name=log].image"},
      {"spec.template.spec.containers[name=log]", "spec.template.spec.containers[name=log]"},
      {"spec.*.spec.nodeSelector", "spec.template.spec.nodeSelector"},
      {"spec.template.spec.containers[name=app].ports[containerPort=80,protocol=UDP]",
       "spec.template.spec.containers[name=app].ports[containerPort=80,protocol=UDP]"},
      {"spec.template.spec.containers[name=app].ports[containerPort=80,protocol=TCP]", ""},
      {"spec.template.spec.containers[name=log].ports[containerPort=90,protocol=TCP]",
       "spec.template.spec.containers[name=log].ports[containerPort=90]"},
      {"spec.template.spec.containers[name=log].ports[containerPort=90]",
       "spec.template.spec.containers[name=log].ports[containerPort=90]"},
      {"spec.template.spec.containers[name=log].ports[containerPort=90,protocol=UDP]", ""},
      {"metadata.finalizers[\"a.io/x\"]", "metadata.finalizers[\"a.io/x\"]"},
      {"metadata.finalizers[\"b\"]", "metadata.finalizers[\"b\"]"},
      {"spec[\"replicas\"]", "spec.replicas"},
  };
  for (const auto& [path, forgotten] : rows) EXPECT_EQ(ForgetAll(path).first, forgotten) << path;
}

TEST(Forget, LeavesNoEmptyMapsAndListsBehind) {
  const Document left = ForgetAll("spec.template.spec.nodeSelector.disk").second;
  EXPECT_EQ(left.root().FindPath({"spec", "template", "spec", "nodeSelector"}), nullptr);
  const Document all = ForgetAll("spec.template.spec.containers[*].ports[*].hostPort").second;
  EXPECT_EQ(all.root(), yaml::ParseYaml(kRecord)->root()) << "nothing was forgotten, so nothing goes";
  EXPECT_EQ(ForgetAll("metadata.finalizers[*]").second.root().FindPath({"metadata", "finalizers"}), nullptr);
}

TEST(Forget, RefusesWhatTheRecordNeeds) {
  for (const char* path : {"apiVersion", "kind", "metadata", "metadata.name", "*", "metadata.*"}) {
    EXPECT_NE(ForgetAll(path).first.find("cannot forget this field: it identifies the object"), std::string::npos)
        << path;
  }
  EXPECT_EQ(ForgetAll("spec.template.spec.containers[name=app].name").first,
            "error: spec.template.spec.containers[name=app].name: cannot forget this field: it identifies the list "
            "item; forget the whole item");
  EXPECT_EQ(ForgetAll("spec.template.spec.containers[name=app].args[0]").first,
            "error: spec.template.spec.containers[name=app].args: cannot forget this field: apply replaces this list "
            "as a whole; forget the whole list");
  // protocol tells ports apart, though the merge key is containerPort alone.
  EXPECT_NE(ForgetAll("spec.template.spec.containers[0].ports[0].protocol").first.find("the list item"),
            std::string::npos);
}

// The object as it is after the next apply of a manifest without the field.
Document Applied(const Document& record, const Document& manifest, const Document& live) {
  const auto schema = BuiltinSchema();
  const auto patch = PlanPatch({.original = &record.root(),
                                .modified = &manifest.root(),
                                .live = &live.root(),
                                .schema = schema.get(),
                                .type = schema->FindType(kDeployment)});
  EXPECT_TRUE(patch.ok());
  Arena arena;
  for (const Document& part : {record, manifest, live, patch->outcome}) arena.Retain(part);
  return Document(std::move(arena), patch->outcome.root());
}

TEST(Forget, MakesTheNextApplyLeaveTheFieldAlone) {
  const Document live = *yaml::ParseYaml(kRecord);
  const Document manifest = ForgetAll("spec.replicas").second;  // as the user's file is from now on
  EXPECT_EQ(Applied(live, manifest, live).root().FindPath({"spec", "replicas"}), nullptr) << "else apply deletes it";
  const Document kept = Applied(ForgetAll("spec.replicas").second, manifest, live);
  ASSERT_NE(kept.root().FindPath({"spec", "replicas"}), nullptr);
  EXPECT_EQ(kept.root(), live.root());
}

}  // namespace
}  // namespace smp::apply
