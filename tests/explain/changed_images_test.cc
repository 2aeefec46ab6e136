#include "explain/changed_images.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "explain/testing.h"

namespace smp::explain {
namespace {

// Returns "a:1 → a:2, …" of all rows.
std::string In(std::string_view before, std::string_view after) {
  const auto object = [](std::string_view container) {
    return StrCat(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, ",
        container, "}]}}}\n");
  };
  const ObjectReport report = Change(object(before), object(after));
  std::vector<std::string> out;
  for (const ReportRow& row : report.rows) {
    for (const auto& [old_image, new_image] : ChangedImages(row)) out.push_back(StrCat(old_image, " → ", new_image));
  }
  return Join(out, ", ");
}

TEST(ChangedImages, OfContainers) { EXPECT_EQ(In("image: 'web:1'", "image: 'web:2'"), "web:1 → web:2"); }

TEST(ChangedImages, OfVariables) {
  EXPECT_EQ(In("env: [{name: A, value: 'q.io/b:1'}]", "env: [{name: A, value: 'q.io/b:2'}]"), "q.io/b:1 → q.io/b:2");
  EXPECT_EQ(In("env: [{name: A, value: a}]", "env: [{name: A, value: b}]"), "");
}

TEST(ChangedImages, OfArgumentsInAnyOrder) {
  EXPECT_EQ(In("command: [x, --engine, l/engine:v1, --ui, l/ui:v1]",
               "command: [x, --ui, r.io/l/ui:v2, --engine, l/engine:v1]"),
            "l/ui:v1 → r.io/l/ui:v2");
  EXPECT_EQ(In("args: ['l/a:v1']", "args: ['l/b:v1']"), "") << "another image";
  EXPECT_EQ(In("args: ['--image=l/a:v1']", "args: ['--image=l/a:v2']"), "l/a:v1 → l/a:v2");
}

}  // namespace
}  // namespace smp::explain
