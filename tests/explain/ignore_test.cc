#include "explain/ignore.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "explain/in_words.h"
#include "schema/builtin.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

Document Yaml(const std::string& text) { return *yaml::ParseYaml(text, "manifest.yaml"); }

// The paths of the rows that are left, and the action: "change: spec.replicas".
std::string Left(const std::string& modified, const std::string& live, const std::string& paths) {
  const Document m = Yaml(modified), l = Yaml(live);
  const auto schema = BuiltinSchema();
  const TypeId type = schema->FindType(*GvkOf(m.root()));
  const auto patch = PlanPatch({.modified = &m.root(), .live = &l.root(), .schema = schema.get(), .type = type});
  ObjectReport report = ReportChange(m, l, *patch, {schema.get(), type}, {});
  const size_t all = report.rows.size();
  TakeOutIgnored(*ParseIgnoreFile(paths, ".smpignore"), {l.root(), m.root()}, report);
  EXPECT_EQ(all, report.rows.size() + report.hidden.ignored);
  std::vector<std::string> rows;
  for (const ReportRow& row : report.rows) rows.push_back(ToString(row.path));
  return StrCat(ActionName(report.action), ":", rows.empty() ? "" : " ", Join(rows, " "));
}

constexpr std::string_view kHead = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web";

std::string Deployment(const std::string& metadata, const std::string& spec) {
  return StrCat(kHead, metadata, "}\nspec: {", spec, "}\n");
}

std::string Of(const std::string& paths) {
  return Left(Deployment(", labels: {a: x, b: y1}",
                         "replicas: 3, template: {spec: {containers: [{name: web, image: 'web:2', ports: [{name: http, "
                         "containerPort: 80, hostPort: 1}]}]}}"),
              Deployment("",
                         "replicas: 2, template: {spec: {containers: [{name: web, image: 'web:1', ports: [{name: http, "
                         "containerPort: 80}]}]}}"),
              paths);
}

constexpr char kLabels[] = "metadata.labels";
constexpr char kReplicas[] = "spec.replicas";
constexpr char kImage[] = "spec.template.spec.containers[name=web].image";
constexpr char kPort[] = "spec.template.spec.containers[name=web].ports[containerPort=80].hostPort";

TEST(Ignore, TakesOutRowsAtAndBelowAPath) {
  EXPECT_EQ(Of(""), StrCat("change: ", kLabels, " ", kReplicas, " ", kImage, " ", kPort));
  EXPECT_EQ(Of("spec.replicas"), StrCat("change: ", kLabels, " ", kImage, " ", kPort));
  EXPECT_EQ(Of("spec.template"), StrCat("change: ", kLabels, " ", kReplicas));
  EXPECT_EQ(Of("spec.template.spec.containers[*].image"), StrCat("change: ", kLabels, " ", kReplicas, " ", kPort));
  EXPECT_EQ(Of("spec.template.spec.containers[name=api]"), Of(""));
  EXPECT_EQ(Of("spec.*\nmetadata.labels"), "unchanged:");
}

// The row's path has the keys of the item, the ignored one may have any of its fields.
TEST(Ignore, NamesItemsByAnyField) {
  const std::string ports = "spec.template.spec.containers[name=web].ports";
  EXPECT_EQ(Of(ports + "[containerPort=80].hostPort"), StrCat("change: ", kLabels, " ", kReplicas, " ", kImage));
  EXPECT_EQ(Of(ports + "[name=http].hostPort"), StrCat("change: ", kLabels, " ", kReplicas, " ", kImage));
  EXPECT_EQ(Of(ports + "[name=https].hostPort"), Of(""));
}

// What is written as a whole is one row.
TEST(Ignore, TakesOutARowAboveThePathsIfNothingElseChanges) {
  EXPECT_EQ(Of("metadata.labels.a"), Of(""));
  EXPECT_EQ(Of("metadata.labels.a\nmetadata.labels.b"), StrCat("change: ", kReplicas, " ", kImage, " ", kPort));
  EXPECT_EQ(Of("metadata.labels.*"), Of("metadata.labels"));
}

TEST(Ignore, IsLimitedToObjects) {
  for (const char* meant :
       {"Deployment:", "deployment:", "Deployment.apps:", "Deployment/web:", "Deployment.apps/web:"}) {
    EXPECT_EQ(Of(StrCat(meant, "spec")), StrCat("change: ", kLabels)) << meant;
  }
  for (const char* other : {"StatefulSet:", "Deployment.extensions:", "Deployment/api:"}) {
    EXPECT_EQ(Of(StrCat(other, "spec")), Of("")) << other;
  }
}

TEST(Ignore, StringDataOfASecretIsData) {
  const auto secret = [](const std::string& value) {
    return "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {password: " + value + "}\n";
  };
  EXPECT_EQ(Left(secret("YQ=="), secret("Yg=="), "stringData.password"), "unchanged:");
  EXPECT_EQ(Left(secret("YQ=="), secret("Yg=="), "stringData.other"), "change: data.password");
}

// One after the other, this took half a minute.
TEST(Ignore, ManyPathsOfManyRowsAreFoundInOneGo) {
  constexpr int kMany = 20'000;
  const Document object = Yaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
  std::string lines = "metadata.annotations[\"a\"].b\n";
  ObjectReport report;
  report.action = Action::kChange;
  for (int i = 0; i < kMany; ++i) {
    lines += StrCat("data.k", i, i % 2 == 0 ? "\n" : ".below\n");
    report.rows.emplace_back().path = {PathStep::Field("data"), PathStep::Field(StrCat("k", i))};
  }
  TakeOutIgnored(*ParseIgnoreFile(lines, "f"), {object.root(), object.root()}, report);
  EXPECT_EQ(report.hidden.ignored, size_t{kMany / 2});
  EXPECT_EQ(ToString(report.rows.front().path), "data.k1");
}

TEST(Ignore, NeverHidesAnErrorOrAnObjectThatIsCreatedOrDeleted) {
  const Document object = Yaml(Deployment("", "replicas: 2"));
  const std::vector<IgnoredPath> all = *ParseIgnoreFile("spec\nmetadata\napiVersion\nkind", "f");
  for (const Action action : {Action::kError, Action::kCreate, Action::kRecreate}) {
    ObjectReport report;
    report.action = action;
    report.rows.emplace_back().path = {PathStep::Field("spec")};
    TakeOutIgnored(all, {object.root(), object.root()}, report);
    EXPECT_EQ(report.action, action);
    EXPECT_EQ(report.rows.size(), 1u);
  }
}

TEST(IgnoreFile, SkipsCommentsAndEmptyLines) {
  const auto paths = ParseIgnoreFile("# why\n\n  spec.replicas \r\nConfigMap:data[\"a:b\"]\n", "f");
  ASSERT_TRUE(paths.ok());
  ASSERT_EQ(paths->size(), 2u);
  EXPECT_EQ((*paths)[0].text, "spec.replicas");
  EXPECT_EQ((*paths)[1].kind, "configmap");
  EXPECT_EQ(ParseIgnoreFile("data[\"a:b\"]", "f")->front().kind, "");
}

// Found by hand: a path with a comment after it, and the first one of a file with a byte order mark, named nothing.
TEST(IgnoreFile, SkipsCommentsAfterAPathAndAByteOrderMark) {
  const auto paths = ParseIgnoreFile(
      "\xEF\xBB\xBFspec.replicas # of the autoscaler\n  \t# only why\ndata[\"a #b\"]\t#c\na[name=\"x\\\" #y\"].z\n",
      "f");
  ASSERT_TRUE(paths.ok()) << ToString(paths.error());
  std::vector<std::string> texts;
  for (const IgnoredPath& path : *paths) texts.push_back(StrCat(path.source.line, " ", path.text));
  EXPECT_EQ(texts, (std::vector<std::string>{"1 spec.replicas", "3 data[\"a #b\"]", "4 a[name=\"x\\\" #y\"].z"}));
}

TEST(IgnoreFile, NamesTheLineThatIsInvalid) {
  for (const char* bad : {"spec..x", "a[0]", ":spec", "Deployment:", "Deployment.:spec", "Deployment/:spec",
                          "a/b/c:spec", "De ployment:spec", "spec[", "\x01"}) {
    const auto paths = ParseIgnoreFile(StrCat("# one\nspec.replicas\n", bad, "\n"), "dir/ignore");
    ASSERT_FALSE(paths.ok()) << bad;
    EXPECT_EQ(paths.error().code, ErrorCode::kParse) << bad;
    EXPECT_TRUE(ToString(paths.error()).starts_with("dir/ignore:3: ")) << ToString(paths.error());
  }
}

TEST(Ignore, IsCountedWithWhoAskedForIt) {
  Report report;
  report.objects.resize(2);
  EXPECT_EQ(CountIgnored(report), "");
  report.objects[0].hidden.ignored = 2;
  report.objects[0].ignored_by = {".smpignore"};
  report.objects[1].hidden.ignored = 1;
  report.objects[1].ignored_by = {"--ignore"};
  EXPECT_EQ(CountIgnored(report), "3 ignored (--ignore, .smpignore)");
}

}  // namespace
}  // namespace smp::explain
