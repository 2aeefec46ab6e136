#include "schema/unions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/facts/fact_lines.h"
#include "schema/release.h"
#include "tests_dir.h"
#include "value/json.h"

namespace smp {
namespace {

const Union kPeer = {"", {{"ipBlock", "ipBlock"}, {"namespaceSelector", "selectors"}, {"podSelector", "selectors"}}};
const Union kStrategy = {"type", {{"rollingUpdate", "RollingUpdate"}}};

TEST(Unions, ChooseTheAlternativeWhoseFieldsAreSet) {
  const struct {
    const Union* fields;
    const char* map;
    const char* chosen;
  } kRows[] = {
      {&kPeer, "{}", ""},
      {&kPeer, R"({"ipBlock":{}})", "ipBlock"},
      {&kPeer, R"({"podSelector":{},"namespaceSelector":{}})", "selectors"},
      {&kPeer, R"({"podSelector":{},"ipBlock":null})", "selectors"},
      {&kPeer, R"({"podSelector":{},"ipBlock":{}})", ""},
      {&kPeer, R"({"other":1})", ""},
      {&kStrategy, R"({"type":"Recreate"})", "Recreate"},
      {&kStrategy, R"({"rollingUpdate":{}})", "RollingUpdate"},
      {&kStrategy, R"({"type":"OnDelete","rollingUpdate":{}})", "RollingUpdate"},
      {&kStrategy, R"({"type":7})", ""},
  };
  for (const auto& row : kRows) {
    const Document map = *ParseJson(row.map);
    EXPECT_EQ(ChosenAlternative(map.root(), *row.fields), row.chosen) << row.map;
  }
}

// A misspelt line of facts/unions.txt would say nothing.
TEST(Unions, OfBuiltinTypesNameFieldsThatExist) {
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/unions.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  size_t types = 0;
  for (const FactLine& fact : FactLines(text)) {
    if (!HoldsFor(fact, ParseRelease(BuiltinSchemaVersion()))) continue;
    const std::string_view line = fact.text;
    const std::string name(line.substr(0, line.find(' ')));
    const TypeId type = BuiltinSchema()->FindTypeByName(name);
    ASSERT_NE(type, kNoType) << name;
    ASSERT_EQ(BuiltinSchema()->type(type).unions.size(), 1u) << name;
    const Union& fields = BuiltinSchema()->type(type).unions[0];
    EXPECT_EQ(fields.members.size(), static_cast<size_t>(std::count(line.begin(), line.end(), '='))) << name;
    if (!fields.discriminator.empty()) {
      EXPECT_NE(BuiltinSchema()->Find(type, fields.discriminator), nullptr) << name;
    }
    for (const auto& [field, alternative] : fields.members) {
      EXPECT_NE(BuiltinSchema()->Find(type, field), nullptr) << name << " " << field;
      EXPECT_FALSE(alternative.empty()) << name << " " << field;
    }
    ++types;
  }
  EXPECT_GE(types, 27u);
}

}  // namespace
}  // namespace smp
