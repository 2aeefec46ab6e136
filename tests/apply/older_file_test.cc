#include "apply/older_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "apply/manifests.h"
#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"

namespace smp::apply {
namespace {

constexpr std::string_view kManifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\ndata: {k: v}\n";

// When the annotation was written, relative to the file's last change.
std::string TimeAfter(const std::string& file, std::chrono::seconds after) {
  const auto changed = std::filesystem::last_write_time(file).time_since_epoch() + after;
  const auto now = std::filesystem::file_time_type::clock::now().time_since_epoch();
  const std::time_t time = std::time(nullptr) + std::chrono::duration_cast<std::chrono::seconds>(changed - now).count();
  char text[32];
  (void)std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

// `value`: what was applied last.
std::string Live(const std::string& value, const std::string& time) {
  const std::string record =
      StrCat(R"({\"apiVersion\":\"v1\",\"data\":{\"k\":\")", value,
             R"(\"},\"kind\":\"ConfigMap\",\"metadata\":{\"annotations\":{},\"name\":\"cfg\"}}\n)");
  return StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","annotations":{)",
                R"("kubectl.kubernetes.io/last-applied-configuration":")", record, R"("},"managedFields":[)",
                R"({"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","time":")", time,
                R"(","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:annotations":{)",
                R"("f:kubectl.kubernetes.io/last-applied-configuration":{}}}}}]},"data":{"k":"v"}})");
}

std::string WarningOf(std::chrono::seconds after, const std::string& applied) {
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();  // tests run side by side
  const std::string file = StrCat(testing::TempDir(), "older_file_test.", name, ".yaml");
  std::ofstream(file) << kManifest;
  const Manifests manifests = *ReadManifests({.files = {file}});
  const auto prepared =
      PrepareOffline(*manifests.items[0], {.live = *ParseJson(Live(applied, TimeAfter(file, after)))}, BuiltinSchema());
  EXPECT_TRUE(prepared.ok());
  const std::string out = OlderFileWarning(AppliedSinceFile(*prepared, Appliers(FieldOwners(prepared->live->root()))));
  std::filesystem::remove(file);
  return out;
}

constexpr std::chrono::hours kHour{1};
constexpr std::chrono::seconds kMoment{30};

TEST(OlderFile, IsToldIfAnotherManifestWasAppliedLater) {
  EXPECT_NE(WarningOf(kHour, "newer").find("by kubectl-client-side-apply"), std::string::npos);
}

TEST(OlderFile, IsNotToldOfTheSameManifest) { EXPECT_EQ(WarningOf(kHour, "v"), ""); }

TEST(OlderFile, IsNotToldWithinTheSkewOfTwoClocks) { EXPECT_EQ(WarningOf(kMoment, "newer"), ""); }

TEST(OlderFile, IsNotToldOfAFileThatChangedLater) { EXPECT_EQ(WarningOf(-kHour, "older"), ""); }

}  // namespace
}  // namespace smp::apply
