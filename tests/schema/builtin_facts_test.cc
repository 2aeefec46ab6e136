#include "schema/facts/builtin_facts.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/facts/fact_lines.h"
#include "schema/release.h"
#include "schema/serial.h"
#include "schema/testing.h"
#include "tests_dir.h"
#include "value/json.h"

namespace smp {
namespace {

std::string ReadFile(const std::string& name) {
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/", name));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Older versions of an API that a server of 1.36 serves only where --runtime-config says so, and types of older releases.
bool IsNotServed(std::string_view type) {
  return type.starts_with("io.k8s.api.resource.v1beta1.") || type.starts_with("io.k8s.api.resource.v1beta2.") ||
         type == "io.k8s.api.core.v1.Handler";
}

// The fields that a line of this file names.
std::vector<std::string_view> FieldsOf(const std::string& file, std::vector<std::string_view> words) {
  words.erase(words.begin());
  if (file == "zeros.txt") return words;
  if (file != "unions.txt") return {words[0]};
  for (std::string_view& word : words) word = word.substr(0, word.find('='));
  if (words[0] == "-") words.erase(words.begin());
  return words;
}

// nullptr if `path` does not exist.
const Field* FieldOf(const Schema& schema, TypeId type, std::string_view path) {
  const Field* field = nullptr;
  for (const std::string_view name : Split(path, '.')) {
    field = schema.Find(field == nullptr ? type : field->type, name);
    if (field == nullptr) return nullptr;
  }
  return field;
}

// Whether the field has what a line of this file gives it. Unions belong to types and have a test of their own.
bool HasFact(const std::string& file, const Field& field) {
  if (file == "duplicates.txt") return field.duplicates != Duplicates::kUnknown;
  if (file == "defaults.txt") return field.default_value != nullptr;
  return file == "unions.txt" || field.omits_zero;
}

// Each was tried on a server 1.36 with 0.33333.
TEST(BuiltinFacts, TheCoreListsOfQuantitiesAreRounded) {
  const Schema& schema = *BuiltinSchema();
  const auto rounds = [&](std::string_view type, std::string_view name) {
    const Field* field = schema.Find(schema.FindTypeByName(type), name);
    const TypeId quantity = field->kind == TypeKind::kQuantity ? field->type : schema.type(field->type).additional;
    return schema.type(quantity).rounds_to_milli;
  };
  EXPECT_TRUE(rounds("io.k8s.api.core.v1.ResourceRequirements", "limits"));
  EXPECT_TRUE(rounds("io.k8s.api.core.v1.VolumeResourceRequirements", "requests"));
  EXPECT_TRUE(rounds("io.k8s.api.core.v1.PodSpec", "overhead"));
  EXPECT_TRUE(rounds("io.k8s.api.core.v1.LimitRangeItem", "maxLimitRequestRatio"));
  EXPECT_FALSE(rounds("io.k8s.api.core.v1.EmptyDirVolumeSource", "sizeLimit"));
  EXPECT_FALSE(rounds("io.k8s.api.node.v1.Overhead", "podFixed"));
  EXPECT_FALSE(rounds("io.k8s.api.autoscaling.v2.MetricTarget", "averageValue"));
}

// A misspelt line would say nothing.
TEST(BuiltinFacts, EveryLineNamesATypeAndFieldsThatExist) {
  const Schema& schema = *BuiltinSchema();
  for (const std::string file : {"unions.txt", "duplicates.txt", "defaults.txt", "zeros.txt"}) {
    const std::string text = ReadFile(file);
    size_t lines = 0;
    for (const FactLine& line : FactLines(text)) {
      const std::vector<std::string_view> words = Split(line.text, ' ');
      ASSERT_GE(words.size(), 2u) << file << ": " << line.text;
      if (IsNotServed(words[0])) continue;
      const TypeId type = schema.FindTypeByName(words[0]);
      ASSERT_NE(type, kNoType) << file << ": " << line.text;
      for (const std::string_view name : FieldsOf(file, words)) {
        const Field* field = FieldOf(schema, type, name);
        ASSERT_NE(field, nullptr) << file << ": " << words[0] << " " << name;
        EXPECT_TRUE(HasFact(file, *field) || !HoldsFor(line, ParseRelease(BuiltinSchemaVersion())))
            << file << ": " << line.text;
      }
      ++lines;
    }
    EXPECT_GE(lines, 25u) << file;
  }
}

TEST(BuiltinFacts, EveryDefaultIsJsonAndEveryDuplicateAWord) {
  const std::string defaults = ReadFile("defaults.txt");
  for (const FactLine& line : FactLines(defaults)) {
    const size_t value = line.text.find(' ', line.text.find(' ') + 1);
    ASSERT_NE(value, line.text.npos) << line.text;
    EXPECT_TRUE(ParseJson(line.text.substr(value + 1)).ok()) << line.text;
  }
  const std::string duplicates = ReadFile("duplicates.txt");
  for (const FactLine& line : FactLines(duplicates)) {
    const std::string_view word = line.text.substr(line.text.rfind(' ') + 1);
    EXPECT_TRUE(word == "kept" || word == "last" || word == "refused") << line.text;
  }
}

TEST(BuiltinFacts, DefaultsOfPodsAndJobsAreNotThoseOfTheirTemplates) {
  const auto has_default = [](const GroupVersionKind& gvk, std::string_view path) {
    return FieldOf(*BuiltinSchema(), BuiltinSchema()->FindType(gvk), path)->default_value != nullptr;
  };
  EXPECT_TRUE(has_default({"", "v1", "Pod"}, "spec.enableServiceLinks"));
  EXPECT_TRUE(has_default({"", "v1", "Pod"}, "spec.dnsPolicy"));
  EXPECT_FALSE(has_default({"apps", "v1", "Deployment"}, "spec.template.spec.enableServiceLinks"));
  EXPECT_TRUE(has_default({"apps", "v1", "Deployment"}, "spec.template.spec.dnsPolicy"));
  EXPECT_TRUE(has_default({"batch", "v1", "Job"}, "spec.parallelism"));
  EXPECT_TRUE(has_default({"batch", "v1", "Job"}, "spec.backoffLimit"));
  EXPECT_FALSE(has_default({"batch", "v1", "CronJob"}, "spec.jobTemplate.spec.backoffLimit"));
}

// ISCSIVolumeSource as the documents of 1.30 describe it; its default is in defaults.txt for these releases only.
std::shared_ptr<const Schema> OfServer(const std::string& info) {
  return Compiled(R"({"info":)" + info + R"(,"components":{"schemas":{"io.k8s.api.core.v1.ISCSIVolumeSource":
    {"type":"object","properties":{"iscsiInterface":{"type":"string"}}}}}})");
}

const Value* DefaultOfInterface(const Schema& schema) {
  return schema.Find(schema.FindTypeByName("io.k8s.api.core.v1.ISCSIVolumeSource"), "iscsiInterface")->default_value;
}

TEST(BuiltinFacts, HoldForTheReleasesThatTheirLineNames) {
  const struct {
    const char* info;
    bool has_default;
  } kRows[] = {
      {R"({"title":"Kubernetes","version":"v1.30.4"})", true},
      {R"({"title":"Kubernetes","version":"v1.24.17-eks-1"})", true},
      {R"({"title":"Kubernetes","version":"v1.31.0"})", false},
      {R"({"title":"Kubernetes","version":"1.36"})", false},
      // Not a release of Kubernetes: a server that does not say its own is taken to be new.
      {R"({"title":"Kubernetes","version":"unversioned"})", false},
      {R"({"title":"Kubernetes CRD Swagger","version":"v0.1.0"})", false},
      {R"({"title":"Wardle","version":"1.2"})", false},
      {"{}", false},
      {"7", false},
  };
  for (const auto& row : kRows) {
    const auto schema = OfServer(row.info);
    EXPECT_EQ(DefaultOfInterface(*schema) != nullptr, row.has_default) << row.info;
    // The schema cache keeps the release, too.
    const auto again = ParseSchema(SerializeSchema(*schema));
    ASSERT_TRUE(again.ok()) << row.info;
    EXPECT_EQ((*again)->release(), schema->release()) << row.info;
  }
}

}  // namespace
}  // namespace smp
