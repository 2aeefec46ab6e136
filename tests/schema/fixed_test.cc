// That the server refuses these changes is tested against one (tests/e2e/fixed.py).
#include "schema/facts/fixed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "tests_dir.h"

namespace smp {
namespace {

// Returns the type of the value at the path; kNoType if it does not exist.
TypeId TypeAt(const Schema& schema, TypeId type, const std::vector<std::string_view>& path) {
  for (const std::string_view name : path) {
    const Field* field = schema.Find(type, name);
    if (field == nullptr) return kNoType;
    type = field->type;
  }
  return type;
}

bool Exists(const Schema& schema, TypeId type, std::vector<std::string_view> path) {
  const std::string_view last = path.back();
  path.pop_back();
  const TypeId parent = TypeAt(schema, type, path);
  return schema.Find(parent, last) != nullptr;
}

std::set<std::string> TypesInFile() {
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/fixed.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> out;
  for (const FactLine& line : FactLines(text)) out.emplace(line.text.substr(0, line.text.find(' ')));
  return out;
}

// A misspelt line would say nothing.
TEST(Fixed, EveryLineNamesATypeAndFieldsThatExist) {
  const Schema& schema = *BuiltinSchema();
  std::set<std::string> types = TypesInFile();
  EXPECT_GE(types.size(), 18u);
  for (const auto& [gvk, resource] : schema.resources()) {
    types.erase(std::string(schema.type(resource.type).name));
    for (const FixedField* field : FixedFieldsOf(resource, schema)) {
      EXPECT_TRUE(Exists(schema, resource.type, field->path)) << field->line.text;
      const auto& condition = field->condition.path;
      EXPECT_TRUE(condition.empty() || Exists(schema, resource.type, condition)) << field->line.text;
      for (const std::string_view name : field->except) {
        EXPECT_NE(schema.Find(TypeAt(schema, resource.type, field->path), name), nullptr) << name;
      }
      EXPECT_FALSE(field->words.empty()) << field->line.text;
    }
  }
  EXPECT_EQ(types, std::set<std::string>()) << "no kind has one of these types";
}

TEST(Fixed, LinesAreRead) {
  const Schema& schema = *BuiltinSchema();
  const auto fields = FixedFieldsOf(*schema.FindResource({"", "v1", "Service"}), schema);
  const auto address = std::find_if(fields.begin(), fields.end(),
                                    [](const FixedField* field) { return Join(field->path, ".") == "spec.clusterIP"; });
  ASSERT_NE(address, fields.end());
  const FixedField& field = **address;
  EXPECT_EQ(Join(field.condition.path, "."), "spec.type");
  EXPECT_EQ(field.condition.value, "ExternalName");
  EXPECT_EQ(field.condition.when, FixedField::Condition::When::kNeither);
  EXPECT_EQ(field.part, FixedField::Part::kWhole);
  EXPECT_TRUE(field.except.empty());
  EXPECT_EQ(field.words, "may not change once set");
}

TEST(Fixed, PathsNameAPartOfAList) {
  const Schema& schema = *BuiltinSchema();
  std::set<FixedField::Part> parts;
  for (const FixedField* field : FixedFieldsOf(*schema.FindResource({"", "v1", "Pod"}), schema)) {
    parts.insert(field->part);
    EXPECT_EQ(Join(field->path, ".").find('['), std::string::npos);
  }
  using Part = FixedField::Part;
  EXPECT_EQ(parts, (std::set<Part>{Part::kWhole, Part::kEachItem, Part::kCount}));
}

TEST(Fixed, OfACustomResourceNothingIsKnown) { EXPECT_TRUE(FixedFieldsOf(Resource(), Schema()).empty()); }

}  // namespace
}  // namespace smp
