#include "apply/old_object.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "value/json.h"

namespace smp {
namespace {

TEST(OldObject, AJobLosesTheSelectorThatItsUidMade) {
  const Document live = *ParseJson(
      R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"labels":{"controller-uid":"u","job-name":"j","mine":"1"}},)"
      R"("spec":{"selector":{"matchLabels":{"controller-uid":"u"}},"template":{"metadata":{"labels":)"
      R"({"batch.kubernetes.io/controller-uid":"u","mine":"1"}}}}})");
  EXPECT_EQ(WriteJson(Recreatable(live).root()),
            R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"labels":{"mine":"1"}},)"
            R"("spec":{"template":{"metadata":{"labels":{"mine":"1"}}}}})");
}

TEST(OldObject, AJobKeepsASelectorOfItsOwn) {
  const std::string text =
      R"({"apiVersion":"batch/v1","kind":"Job","spec":{"manualSelector":true,"selector":{"matchLabels":{"a":"b"}}}})";
  EXPECT_EQ(WriteJson(Recreatable(*ParseJson(text)).root()), text);
}

TEST(OldObject, OddShapesAreKept) {
  for (const char* text : {R"({"metadata":7})", R"([1])", R"({"apiVersion":"batch/v1","kind":"Job","spec":"x"})"}) {
    EXPECT_EQ(WriteJson(Recreatable(*ParseJson(text)).root()), text);
  }
}

TEST(OldObject, TheFilesNameLeadsNowhereElse) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto path = SaveObject(*ParseJson(R"({"kind":"A/../B","metadata":{"name":"../../x"}})"), folder);
  ASSERT_TRUE(path.ok()) << path.error().message;
  EXPECT_EQ(std::filesystem::path(*path).parent_path(), std::filesystem::path(folder));
  std::filesystem::remove(*path);
}

}  // namespace
}  // namespace smp
