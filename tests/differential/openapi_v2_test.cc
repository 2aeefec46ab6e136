// One server says in OpenAPI v2 and in v3 what its types are: both compile to the same schema. SMP_TEST_OPENAPI names
// the folder that tests/rig/fetch-openapi filled.
#include "schema/openapi_v2.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "value/json.h"

namespace smp {
namespace {

namespace fs = std::filesystem;

Document ReadJson(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  Result<Document> document = ParseJson(text.str());
  EXPECT_TRUE(document.ok()) << file << ": " << ToString(document.error());
  return document.ok() ? *document : Document();
}

// All that two schemas say otherwise of what can be reached from two types.
class Comparison {
 public:
  Comparison(const Schema& v2, const Schema& v3) : v2_(v2), v3_(v3) {}

  void Compare(const std::string& path, TypeId v2, TypeId v3) {
    if (!seen_.emplace(v2, v3).second) return;
    const Type& a = v2_.type(v2);
    const Type& b = v3_.type(v3);
    Expect(path, "name", a.name, b.name);
    Expect(path, "kind", a.kind, b.kind);
    Expect(path, "additionalProperties", a.has_additional, b.has_additional);
    Expect(path, "preserve-unknown-fields", a.preserve_unknown, b.preserve_unknown);
    Expect(path, "embedded-resource", a.embedded, b.embedded);
    Expect(path, "map-type", a.atomic, b.atomic);
    if (a.additional != kNoType || b.additional != kNoType) Compare(path + ".*", a.additional, b.additional);
    for (const Field& field : a.fields) {
      if (v3_.Find(v3, field.name) == nullptr) Differ(StrCat(path, ".", field.name, ": only in v2"));
    }
    for (const Field& field : b.fields) CompareField(StrCat(path, ".", field.name), v2_.Find(v2, field.name), field);
  }

  const std::set<std::string>& differences() const { return differences_; }
  size_t compared() const { return seen_.size(); }

 private:
  void CompareField(const std::string& path, const Field* v2, const Field& v3) {
    if (v2 == nullptr) return Differ(path + ": only in v3");
    Expect(path, "is_list", v2->is_list, v3.is_list);
    Expect(path, "strategy", v2->strategy, v3.strategy);
    Expect(path, "list-type", v2->list_type, v3.list_type);
    Expect(path, "kind", v2->kind, v3.kind);
    Expect(path, "patch-merge-key", v2->patch_keys, v3.patch_keys);
    Expect(path, "list-map-keys", v2->identity_keys, v3.identity_keys);
    if (DefaultOf(*v2) != DefaultOf(v3)) Differ(path + ": default");
    Compare(path, v2->type, v3.type);
  }

  // Go's zero values say nothing: v3 states one for every required field and beside every $ref.
  static std::string DefaultOf(const Field& field) {
    const std::string text = field.default_value == nullptr ? "" : WriteJson(*field.default_value);
    return text == "{}" || text == "\"\"" || text == "0" ? "" : text;
  }

  template <class T>
  void Expect(const std::string& path, std::string_view what, const T& v2, const T& v3) {
    if (v2 != v3) Differ(StrCat(path, ": ", what));
  }

  void Differ(std::string what) { differences_.insert(std::move(what)); }

  const Schema& v2_;
  const Schema& v3_;
  std::set<std::pair<TypeId, TypeId>> seen_;
  std::set<std::string> differences_;
};

class OpenApiV2 : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const char* folder = std::getenv("SMP_TEST_OPENAPI");
    if (folder == nullptr) return;
    const auto v2 = CompileOpenApiV2(ReadJson(fs::path(folder) / "v2.json").root());
    ASSERT_TRUE(v2.ok()) << ToString(v2.error());
    v2_ = *v2;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      if (!name.starts_with("api")) continue;
      const auto v3 = CompileOpenApiV3(ReadJson(entry.path()).root());
      ASSERT_TRUE(v3.ok()) << name << ": " << ToString(v3.error());
      v3_.push_back(*v3);
    }
  }
  static void TearDownTestSuite() {
    v2_.reset();
    v3_.clear();
  }
  void SetUp() override {
    ASSERT_NE(v2_, nullptr) << "no documents: SMP_TEST_OPENAPI is not set; run this test through tests/run";
    ASSERT_GT(v3_.size(), 20u);
  }

  static std::shared_ptr<const Schema> v2_;
  static std::vector<std::shared_ptr<const Schema>> v3_;
};

std::shared_ptr<const Schema> OpenApiV2::v2_;
std::vector<std::shared_ptr<const Schema>> OpenApiV2::v3_;

// Custom resources come and go while other tests run, and v2 says less of them.
bool IsBuiltIn(const GroupVersionKind& gvk) { return BuiltinSchema()->kinds().contains(gvk); }

TEST_F(OpenApiV2, KnowsTheResourcesOfV3) {
  size_t resources = 0;
  for (const auto& v3 : v3_) {
    for (const auto& [gvk, resource] : v3->resources()) {
      if (!IsBuiltIn(gvk)) continue;
      const Resource* same = v2_->FindResource(gvk);
      ASSERT_NE(same, nullptr) << gvk.ApiVersion() << " " << gvk.kind;
      EXPECT_EQ(same->plural, resource.plural);
      EXPECT_EQ(same->namespaced, resource.namespaced) << resource.plural;
      EXPECT_EQ(same->strategic, resource.strategic) << resource.plural;
      EXPECT_EQ(same->subresources, resource.subresources) << resource.plural;
      ++resources;
    }
  }
  const auto in_v2 = std::count_if(v2_->resources().begin(), v2_->resources().end(),
                                   [](const auto& resource) { return IsBuiltIn(resource.first); });
  EXPECT_EQ(static_cast<size_t>(in_v2), resources);
  EXPECT_GT(resources, 60u);
}

TEST_F(OpenApiV2, SaysOfEveryKindWhatV3Says) {
  std::set<std::string> differences;
  size_t compared = 0;
  for (const auto& v3 : v3_) {
    for (const auto& [gvk, type] : v3->kinds()) {
      if (!IsBuiltIn(gvk)) continue;
      const TypeId same = v2_->FindType(gvk);
      if (same == kNoType) {
        differences.insert(StrCat(gvk.ApiVersion(), "/", gvk.kind, ": only in v3"));
        continue;
      }
      Comparison comparison(*v2_, *v3);
      comparison.Compare(gvk.kind, same, type);
      compared += comparison.compared();
      differences.insert(comparison.differences().begin(), comparison.differences().end());
    }
  }
  EXPECT_EQ(Join(differences, "\n"), "");
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace smp
