#include "schema/facts/privileges.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "tests_dir.h"

namespace smp {
namespace {

// A misspelt line would say nothing.
TEST(Privileges, AreOfTypesAndFieldsThatExist) {
  const auto schema = BuiltinSchema();
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/privileges.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  size_t lines = 0;
  for (const auto& [type, line] : FactsByType(text)) {
    const TypeId id = schema->FindTypeByName(type);
    ASSERT_NE(id, kNoType) << type;
    const std::vector<std::string_view> words = Split(line.text, ' ');
    ASSERT_EQ(words.size(), 2u) << line.text;
    EXPECT_TRUE(words[0] == "-" || schema->Find(id, words[0]) != nullptr) << type << " " << line.text;
    EXPECT_NE(FindPrivilege(*schema, id, words[0]), nullptr) << type << " " << line.text;
    ++lines;
  }
  EXPECT_GT(lines, 20u);
}

TEST(Privileges, AreFoundByTypeAndField) {
  const auto schema = BuiltinSchema();
  const TypeId spec = schema->FindTypeByName("io.k8s.api.core.v1.PodSpec");
  EXPECT_NE(FindPrivilege(*schema, spec, "hostNetwork"), nullptr);
  EXPECT_EQ(FindPrivilege(*schema, spec, "hostname"), nullptr);
  EXPECT_EQ(FindPrivilege(*schema, spec, "-"), nullptr);
  const TypeId hook = schema->FindTypeByName("io.k8s.api.admissionregistration.v1.MutatingWebhook");
  EXPECT_NE(FindPrivilege(*schema, hook, "rules"), nullptr);
  EXPECT_NE(FindPrivilege(*schema, hook, "-"), nullptr);
  EXPECT_EQ(FindPrivilege(*schema, kNoType, "-"), nullptr);
}

}  // namespace
}  // namespace smp
