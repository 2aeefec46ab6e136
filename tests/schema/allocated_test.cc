#include "schema/facts/allocated.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/facts/fact_lines.h"
#include "tests_dir.h"

namespace smp {
namespace {

// A misspelt line would say nothing.
TEST(Allocated, EveryLineNamesATypeAndFieldsThatExist) {
  const auto schema = BuiltinSchema();
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/allocated.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const auto& [type, line] : FactsByType(text)) {
    const TypeId id = schema->FindTypeByName(type);
    EXPECT_NE(id, kNoType) << type;
    for (const std::string_view name : Split(line.text, ' ')) {
      EXPECT_NE(schema->Find(id, name), nullptr) << type << " " << name;
      EXPECT_TRUE(IsAllocated(*schema, id, name)) << type << " " << name;
    }
  }
  EXPECT_FALSE(IsAllocated(*schema, schema->FindTypeByName("io.k8s.api.core.v1.ServiceSpec"), "ports"));
}

}  // namespace
}  // namespace smp
