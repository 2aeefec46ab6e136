#include "kube/schema_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/digest.h"
#include "base/strings.h"
#include "kube/schema_source.h"
#include "net/fake_transport.h"
#include "schema/serial.h"

namespace smp::kube {
namespace {

namespace fs = std::filesystem;

constexpr char kServer[] = "https://10.0.0.1:6443";
constexpr char kDocument[] = "/openapi/v3/apis/apps/v1?hash=AB";

class SchemaCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "schema_cache_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  SchemaCache Cache(const std::string& server = kServer, const std::string& trust = "CA") const {
    return SchemaCache(folder_ + "/cache", server, trust);
  }

  // The only file below the folder.
  std::string OnlyFile() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (!entry.is_directory()) files.push_back(entry.path());
    }
    EXPECT_EQ(files.size(), 1u);
    return files.empty() ? std::string() : files[0];
  }

  std::string folder_;
};

Schema SmallSchema(const std::string& kind = "Widget") {
  Schema schema;
  schema.AddResource({{"example.com", "v1", kind}, "widgets", true, false, kNoType, {}});
  return schema;
}

std::string HeaderOf(const net::HttpRequest& request, std::string_view name) {
  for (const auto& [header, value] : request.headers) {
    if (header == name) return value;
  }
  return "";
}

std::string Read(const std::string& path) {
  std::ifstream in(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Replaces a part of the cache file, and its digest of the content.
void Forge(const std::string& path, std::string_view from, std::string_view to) {
  std::string text = Read(path);
  const size_t end = text.find('\n');
  std::string rest = text.substr(end + 1);
  rest.replace(rest.find(from), from.size(), to);
  std::ofstream(path) << text.substr(0, text.rfind(' ', end) + 1) << Sha256Hex(rest) << "\n" << rest;
}

mode_t ModeOf(const std::string& path) {
  struct stat found = {};
  return stat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
}

TEST_F(SchemaCacheTest, WhatWasStoredIsLoaded) {
  EXPECT_EQ(Cache().Load(kDocument), nullptr);
  Cache().Store(kDocument, SmallSchema());
  const auto schema = Cache().Load(kDocument);
  ASSERT_NE(schema, nullptr);
  EXPECT_EQ(SerializeSchema(*schema), SerializeSchema(SmallSchema()));
}

TEST_F(SchemaCacheTest, OtherHashServerOrCaIsAnotherSchema) {
  Cache().Store(kDocument, SmallSchema());
  EXPECT_EQ(Cache().Load("/openapi/v3/apis/apps/v1?hash=CD"), nullptr);
  EXPECT_EQ(Cache("https://10.0.0.2:6443").Load(kDocument), nullptr);
  EXPECT_EQ(Cache(kServer, "other CA").Load(kDocument), nullptr);
}

// A damaged line may still be a schema, with other rules for merging.
TEST_F(SchemaCacheTest, DamagedFileThatStillParsesIsNotUsed) {
  Cache().Store(kDocument, SmallSchema());
  const std::string file = OnlyFile();
  std::string text = Read(file);
  const size_t at = text.find("widgets");
  ASSERT_NE(at, std::string::npos);
  std::ofstream(file) << text.replace(at, 7, "gadgets");
  EXPECT_EQ(Cache().Load(kDocument), nullptr);
}

TEST_F(SchemaCacheTest, FileOfAKilledRunWithTheSameProcessIdBlocksNothing) {
  Cache().Store(kDocument, SmallSchema());
  const std::string file = OnlyFile();
  fs::rename(file, StrCat(file, ".", getpid(), ".new"));
  Cache().Store(kDocument, SmallSchema());
  EXPECT_TRUE(fs::exists(file));
  EXPECT_NE(Cache().Load(kDocument), nullptr);
}

TEST_F(SchemaCacheTest, NewHashTakesThePlaceOfTheOld) {
  Cache().Store(kDocument, SmallSchema());
  Cache().Store("/openapi/v3/apis/apps/v1?hash=CD", SmallSchema("Gadget"));
  EXPECT_EQ(Cache().Load(kDocument), nullptr);
  EXPECT_NE(Cache().Load("/openapi/v3/apis/apps/v1?hash=CD"), nullptr);
  EXPECT_TRUE(OnlyFile().ends_with("openapi_v3_apis_apps_v1")) << OnlyFile();
}

TEST_F(SchemaCacheTest, OnlyTheUserMayReadIt) {
  Cache().Store(kDocument, SmallSchema());
  const fs::path file = OnlyFile();
  EXPECT_EQ(ModeOf(file), 0600u);
  EXPECT_EQ(ModeOf(file.parent_path()), 0700u);
  EXPECT_EQ(ModeOf(folder_ + "/cache/smp"), 0700u);
}

TEST_F(SchemaCacheTest, FolderThatOthersMayEnterIsNotUsed) {
  Cache().Store(kDocument, SmallSchema());
  for (const std::string& path : {folder_ + "/cache/smp", fs::path(OnlyFile()).parent_path().string(), OnlyFile()}) {
    const mode_t mode = ModeOf(path);
    ASSERT_EQ(chmod(path.c_str(), mode | 040), 0);
    EXPECT_EQ(Cache().Load(kDocument), nullptr) << path;
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
  }
  EXPECT_NE(Cache().Load(kDocument), nullptr);
  ASSERT_EQ(chmod((folder_ + "/cache/smp").c_str(), 0777), 0);
  Cache().Store("/openapi/v3/api/v1?hash=1", SmallSchema());
  EXPECT_TRUE(OnlyFile().ends_with("apis_apps_v1"));
}

TEST_F(SchemaCacheTest, LinksAreNotFollowed) {
  Cache().Store(kDocument, SmallSchema());
  const std::string file = OnlyFile();
  fs::rename(file, folder_ + "/elsewhere");
  fs::create_symlink(folder_ + "/elsewhere", file);
  EXPECT_EQ(Cache().Load(kDocument), nullptr);
  Cache().Store(kDocument, SmallSchema("Gadget"));  // takes the link's place and leaves what it led to
  EXPECT_NE(Cache().Load(kDocument), nullptr);
  EXPECT_FALSE(fs::is_symlink(file));
  std::ifstream other(folder_ + "/elsewhere");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(other), {}).find("Gadget"), std::string::npos);
}

TEST_F(SchemaCacheTest, DamagedFileIsNotThere) {
  Cache().Store(kDocument, SmallSchema());
  const std::string file = OnlyFile();
  const auto size = fs::file_size(file);
  for (uintmax_t left = 0; left + 1 < size; ++left) {  // without the last line's end it is whole
    fs::resize_file(file, left);
    EXPECT_EQ(Cache().Load(kDocument), nullptr) << left;
    fs::remove(file);
    Cache().Store(kDocument, SmallSchema());
  }
  std::ofstream(file, std::ios::app) << "nonsense\n";
  EXPECT_EQ(Cache().Load(kDocument), nullptr);
}

TEST_F(SchemaCacheTest, DocumentWithoutHashIsNotCached) {
  Cache().Store("/openapi/v3/apis/apps/v1", SmallSchema());
  EXPECT_EQ(Cache().Load("/openapi/v3/apis/apps/v1"), nullptr);
  EXPECT_FALSE(fs::exists(folder_ + "/cache/smp"));
}

TEST_F(SchemaCacheTest, NamesCannotLeaveTheFolder) {
  for (const std::string document : {"/openapi/v3/../../../x?hash=1", "..?hash=1", ".?hash=1", "/a\nb?hash=1"}) {
    const SchemaCache cache = Cache("https://../../..", "CA");
    cache.Store(document, SmallSchema());
    EXPECT_EQ(fs::weakly_canonical(OnlyFile()).string().rfind(folder_ + "/cache/smp/", 0), 0u) << OnlyFile();
    fs::remove_all(folder_ + "/cache");
  }
}

TEST_F(SchemaCacheTest, FolderThatCannotBeMadeIsNoError) {
  std::ofstream(folder_ + "/cache") << "a file";
  Cache().Store(kDocument, SmallSchema());
  EXPECT_EQ(Cache().Load(kDocument), nullptr);
  EXPECT_EQ(SchemaCache("", kServer, "").Load(kDocument), nullptr);
}

TEST_F(SchemaCacheTest, SecondRunAsksForTheIndexOnly) {
  const GroupVersionKind kWidget = {"example.com", "v1", "Widget"};
  net::FakeScript script;
  script.On(
      "GET /openapi/v3",
      net::Json(200,
                R"({"paths":{"apis/example.com/v1":{"serverRelativeURL":"/openapi/v3/apis/example.com/v1?hash=1"}}})"));
  script.On("GET /openapi/v3/apis/example.com/v1?hash=1", net::Json(200, R"({"openapi":"3.0.0","paths":{
    "/apis/example.com/v1/widgets/{name}":{"get":{"x-kubernetes-group-version-kind":
      {"group":"example.com","kind":"Widget","version":"v1"}}}},
    "components":{"schemas":{"com.example.v1.Widget":{"type":"object",
      "x-kubernetes-group-version-kind":[{"group":"example.com","kind":"Widget","version":"v1"}]}}}})"));
  for (int run = 0; run < 2; ++run) {
    Client client(std::make_unique<net::FakeTransport>(&script));
    SchemaSource source(&client, Cache());
    const auto resource = source.FindResource(kWidget);
    ASSERT_TRUE(resource.ok()) << resource.error().message;
    EXPECT_FALSE(resource->namespaced);
  }
  EXPECT_EQ(script.Count("GET /openapi/v3"), 2u);
  EXPECT_EQ(script.Count("GET /openapi/v3/apis/example.com/v1?hash=1"), 1u);
}

// A proxy, or a server that is starting, may answer so once; the cache would keep it for as long as the hash stays.
TEST_F(SchemaCacheTest, DocumentWithoutContentIsNotKept) {
  const GroupVersionKind kDeployment = {"apps", "v1", "Deployment"};
  for (const char* document : {"{}", R"({"openapi":"3.0.0","info":{},"paths":{}})"}) {
    net::FakeScript script;
    script.On("GET /openapi/v3",
              net::Json(200, R"({"paths":{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=1"}}})"));
    script.On("GET /openapi/v3/apis/apps/v1?hash=1", net::Json(200, document));
    script.On("GET /apis/apps/v1",
              net::Json(200, R"({"resources":[{"name":"deployments","kind":"Deployment","namespaced":true}]})"));
    for (int run = 0; run < 2; ++run) {
      Client client(std::make_unique<net::FakeTransport>(&script));
      SchemaSource source(&client, Cache());
      const auto resource = source.FindResource(kDeployment);
      ASSERT_TRUE(resource.ok()) << resource.error().message;
      EXPECT_NE(resource->type, kNoType) << "lists would be replaced as a whole";
    }
    EXPECT_EQ(script.Count("GET /openapi/v3/apis/apps/v1?hash=1"), 2u) << document;
  }
}

constexpr char kV2[] = "/openapi/v2";
const GroupVersionKind kThing = {"", "v1", "Thing"};

std::string Swagger(const std::string& plural) {
  return R"({"swagger":"2.0","paths":{"/api/v1/)" + plural + R"(/{name}":{"get":{
    "x-kubernetes-group-version-kind":{"group":"","kind":"Thing","version":"v1"}}}},
    "definitions":{"io.k8s.Thing":{"type":"object",
      "x-kubernetes-group-version-kind":[{"group":"","kind":"Thing","version":"v1"}]}}})";
}

TEST_F(SchemaCacheTest, RevisionIsLoadedWithItsEtag) {
  EXPECT_FALSE(Cache().LoadRevision(kV2).has_value());
  Cache().StoreRevision(kV2, "W/\"A1\"", SmallSchema());
  const auto revision = Cache().LoadRevision(kV2);
  ASSERT_TRUE(revision.has_value());
  EXPECT_EQ(revision->etag, "W/\"A1\"");
  EXPECT_EQ(SerializeSchema(*revision->schema), SerializeSchema(SmallSchema()));
  EXPECT_FALSE(Cache(kServer, "other CA").LoadRevision(kV2).has_value());
}

// It would become a header of the next request.
TEST_F(SchemaCacheTest, RevisionOfAHostileEtagIsNeitherStoredNorLoaded) {
  for (const std::string& etag : {std::string(), std::string("A1"), std::string("\""), std::string("\"a\"b\""),
                                  std::string("\"a\r\nX: 1\""), std::string("\"a b\""), std::string(300, '"')}) {
    Cache().StoreRevision(kV2, etag, SmallSchema());
    EXPECT_FALSE(Cache().LoadRevision(kV2).has_value()) << etag;
  }
  Cache().StoreRevision(kV2, "\"A1\"", SmallSchema());
  Forge(OnlyFile(), "\"A1\"", "\"A1\"");
  EXPECT_TRUE(Cache().LoadRevision(kV2).has_value());
  Forge(OnlyFile(), "\"A1\"", "\"A\r1\"");
  EXPECT_FALSE(Cache().LoadRevision(kV2).has_value());
}

TEST_F(SchemaCacheTest, SecondRunReadsV2OnlyIfItChanged) {
  net::FakeScript script;
  script.On("GET /openapi/v3", net::Json(404, "{}"));
  script.On("GET /openapi/v2", net::Json(200, Swagger("things"), {{"etag", "\"A1\""}}));
  script.On("GET /openapi/v2", {net::HttpResponse{304, {{"etag", "\"A1\""}}, ""}});
  script.On("GET /openapi/v2", net::Json(200, Swagger("thingies"), {{"etag", "\"B2\""}}));
  script.On("GET /openapi/v2", {net::HttpResponse{304, {}, ""}});
  const struct {
    const char* asked_with;
    const char* plural;
  } kRuns[] = {{"", "things"}, {"\"A1\"", "things"}, {"\"A1\"", "thingies"}, {"\"B2\"", "thingies"}};
  for (const auto& run : kRuns) {
    Client client(std::make_unique<net::FakeTransport>(&script));
    SchemaSource source(&client, Cache());
    const auto resource = source.FindResource(kThing);
    ASSERT_TRUE(resource.ok()) << resource.error().message;
    EXPECT_EQ(resource->plural, run.plural);
    EXPECT_EQ(HeaderOf(script.requests.back(), "If-None-Match"), run.asked_with);
  }
}

TEST_F(SchemaCacheTest, V2WithoutEtagIsReadEachTime) {
  net::FakeScript script;
  script.On("GET /openapi/v3", net::Json(404, "{}"));
  script.On("GET /openapi/v2", net::Json(200, Swagger("things")));
  for (int run = 0; run < 2; ++run) {
    Client client(std::make_unique<net::FakeTransport>(&script));
    EXPECT_TRUE(SchemaSource(&client, Cache()).FindResource(kThing).ok());
    EXPECT_EQ(HeaderOf(script.requests.back(), "If-None-Match"), "");
  }
}

// A 304 that answers no condition has no document.
TEST_F(SchemaCacheTest, UnaskedNotModifiedIsAnError) {
  net::FakeScript script;
  script.On("GET /openapi/v3", net::Json(404, "{}"));
  script.On("GET /openapi/v2", {net::HttpResponse{304, {{"etag", "\"A1\""}}, ""}});
  Client client(std::make_unique<net::FakeTransport>(&script));
  EXPECT_FALSE(SchemaSource(&client, Cache()).FindResource(kThing).ok());
}

}  // namespace
}  // namespace smp::kube
