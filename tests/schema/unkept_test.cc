// That the server keeps none of the fields is tested against one (tests/e2e/unkept.py).
#include "schema/facts/unkept.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "tests_dir.h"

namespace smp {
namespace {

std::vector<std::string> Words(const Resource& resource, const Schema& schema) {
  std::vector<std::string> out;
  for (const UnkeptFields* fields : UnkeptFieldsOf(resource, schema)) {
    for (const std::string_view name : fields->names) {
      out.push_back(StrCat(Join(fields->path, "."), " ", name, fields->kept_when_new ? " unless new" : ""));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> WordsOf(const GroupVersionKind& gvk) {
  return Words(*BuiltinSchema()->FindResource(gvk), *BuiltinSchema());
}

const std::vector<std::string> kOfEvery = {"metadata creationTimestamp", "metadata generation unless new",
                                           "metadata managedFields", "metadata selfLink"};

TEST(Unkept, AreTheFieldsOfEveryKind) { EXPECT_EQ(WordsOf({"", "v1", "ConfigMap"}), kOfEvery); }

TEST(Unkept, AreStatusAndTheNamespaceOfKindsWithoutThem) {
  std::vector<std::string> expected = {" status"};
  expected.insert(expected.end(), kOfEvery.begin(), kOfEvery.end());
  EXPECT_EQ(WordsOf({"apps", "v1", "ControllerRevision"}), kOfEvery);
  EXPECT_EQ(WordsOf({"policy", "v1", "PodDisruptionBudget"}), expected);
  expected.insert(expected.begin() + 4, "metadata namespace");
  EXPECT_EQ(WordsOf({"", "v1", "PersistentVolume"}), expected);
}

// A new Node keeps its status; that of no other kind is kept.
TEST(Unkept, ALineAboutATypeGoesBeforeOneAboutAll) {
  const std::vector<std::string> words = WordsOf({"", "v1", "Node"});
  EXPECT_EQ(words.front(), " status unless new");
  EXPECT_EQ(words.size(), 6u);
}

TEST(Unkept, OfACustomResourceDependsOnItsSubresources) {
  Schema schema;
  Resource resource;
  EXPECT_EQ(Words(resource, schema), kOfEvery);
  resource.subresources = {"scale"};
  EXPECT_EQ(Words(resource, schema), kOfEvery);
  resource.subresources = {"scale", "status"};
  EXPECT_EQ(Words(resource, schema).front(), " status");
}

// Returns the type of the maps at the path; kNoType if it does not exist.
TypeId TypeAt(const Schema& schema, TypeId type, const std::vector<std::string_view>& path) {
  for (const std::string_view step : path) {
    if (step == "[*]") continue;  // a list's type is that of its items
    const Field* field = schema.Find(type, step);
    if (field == nullptr) return kNoType;
    type = field->type;
  }
  return type;
}

std::set<std::string> TypesInFile() {
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/unkept.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> out;
  for (const FactLine& line : FactLines(text)) out.emplace(line.text.substr(0, line.text.find(' ')));
  return out;
}

// A misspelt line would say nothing.
TEST(Unkept, EveryLineNamesATypeAndFieldsThatExist) {
  const Schema& schema = *BuiltinSchema();
  std::set<std::string> types = TypesInFile();
  for (const char* group : {"every-kind", "cluster-scoped", "status-subresource"}) EXPECT_EQ(types.erase(group), 1u);
  EXPECT_GE(types.size(), 15u);
  for (const auto& [gvk, resource] : schema.resources()) {
    types.erase(std::string(schema.type(resource.type).name));
    for (const UnkeptFields* fields : UnkeptFieldsOf(resource, schema)) {
      const TypeId type = TypeAt(schema, resource.type, fields->path);
      ASSERT_NE(type, kNoType) << fields->line.text << " of " << gvk.kind;
      for (const std::string_view name : fields->names) {
        const bool free = schema.type(type).has_additional;  // annotations
        EXPECT_TRUE(free || schema.Find(type, name) != nullptr) << fields->line.text << " of " << gvk.kind;
      }
    }
  }
  EXPECT_EQ(types, std::set<std::string>()) << "no kind has one of these types";
}

}  // namespace
}  // namespace smp
