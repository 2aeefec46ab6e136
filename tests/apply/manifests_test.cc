#include "apply/manifests.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "apply/prepare.h"
#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"

namespace smp::apply {
namespace {

namespace fs = std::filesystem;

Manifests Read(const std::string& text) {
  std::istringstream in(text);
  return *ReadManifests({.files = {"-"}, .standard_input = &in});
}

// The number of warnings of each object.
std::vector<size_t> Warnings(const Manifests& manifests) {
  std::vector<size_t> out;
  for (const auto& item : manifests.items) out.push_back(item.ok() ? item->warnings.size() : 99);
  return out;
}

TEST(Manifests, KnowTheDuplicateKeysOfEachObject) {
  const std::string map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
  EXPECT_EQ(Warnings(Read(map + "data: {a: b, a: c}\n---\n" + map + "data: {a: b}\n---\n" + map + "data: {y: b}\n")),
            (std::vector<size_t>{1, 0, 1}));
}

std::string Utf16(std::string_view ascii, bool little_endian) {
  std::string out = little_endian ? "\xff\xfe" : "\xfe\xff";
  for (const char c : ascii) out += little_endian ? std::string{c, '\0'} : std::string{'\0', c};
  return out;
}

// PowerShell's > writes them. The last line may end with a line break of either kind or with none.
TEST(Manifests, AreReadFromUtf16) {
  const std::string map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}";
  const std::string json = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";
  for (const std::string& text : {map, map + "\n", map + "\r\n", json, json + "\n"}) {
    for (const bool little_endian : {false, true}) {
      const Manifests read = Read(Utf16(text, little_endian));
      ASSERT_EQ(read.items.size(), 1u) << text;
      EXPECT_TRUE(read.items[0].ok()) << text;
    }
  }
}

TEST(Manifests, KnowTheDuplicateKeysOfEachItemOfAList) {
  const std::string item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n";
  EXPECT_EQ(
      Warnings(Read("apiVersion: v1\nkind: List\nitems:\n" + item + item + "  data:\n    a: b\n    a: c\n" + item)),
      (std::vector<size_t>{0, 1, 0}));
}

TEST(Manifests, DuplicateKeysAboveAListConcernAllItems) {
  const std::string item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n";
  EXPECT_EQ(Warnings(Read("apiVersion: v1\napiVersion: v1\nkind: List\nitems:\n" + item + item)),
            (std::vector<size_t>{1, 1}));
}

TEST(Manifests, DuplicateKeysOfAJsonListInOneLineAreToldApart) {
  const std::string item = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"\"{,"}})";
  const std::string twice = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"}})";
  const std::string list = R"({"kind":"List","items":[)" + item + "," + twice + ",";
  EXPECT_EQ(Warnings(Read(list + item + "]}")), (std::vector<size_t>{0, 1, 0}));
  EXPECT_EQ(Warnings(Read(list + list + twice + "]}," + item + "]}")), (std::vector<size_t>{0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(Warnings(Read(list + item + "]} " + list + twice + "]}")), (std::vector<size_t>{0, 1, 0, 0, 1, 1}));
  EXPECT_EQ(Read(list + item + "]}").items[1]->warnings[0].message,
            "duplicate key \"name\" on line 1 (first on line 1); the server would keep the last one");
}

// YAML cannot be told apart: any of them may be the one that must be refused.
TEST(Manifests, DuplicateKeysOfAYamlListInOneLineConcernAllItems) {
  const std::string item = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
  const std::string twice = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, name: b, name: c}}";
  EXPECT_EQ(Warnings(Read("{kind: List, items: [" + item + ", " + twice + "]}")), (std::vector<size_t>{2, 1}));
}

// Each of n objects once got each of n warnings, which ended in std::bad_alloc.
TEST(Manifests, ALargeListOfDuplicateKeysCostsNoMoreThanItsSize) {
  constexpr size_t kItems = 10'000;
  const std::string item = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"b","a":"c"}})";
  std::string json = R"({"apiVersion":"v1","kind":"List","items":[)", yaml = "kind: List\nitems:\n",
              flow = "{kind: List, items: [";
  for (size_t i = 0; i < kItems; ++i) {
    json += (i == 0 ? "" : ",") + item;
    yaml += "- " + item + "\n";
    flow += item + ", ";
  }
  EXPECT_EQ(Warnings(Read(json + "]}")), std::vector<size_t>(kItems, 1));
  EXPECT_EQ(Warnings(Read(yaml)), std::vector<size_t>(kItems, 1));
  std::vector<size_t> shared(kItems, 1);
  shared[0] = kMaxWarnings;
  EXPECT_EQ(Warnings(Read(flow + "]}")), shared);
}

TEST(Manifests, WarningsOfOneObjectAreLimited) {
  std::string map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n";
  for (size_t i = 0; i < 3 * kMaxWarnings; ++i) map += "  a: b\n";
  EXPECT_EQ(Warnings(Read(map)), std::vector<size_t>{kMaxWarnings});
}

TEST(Manifests, AListThatIsAnAliasOfAnotherHasItsItems) {
  const std::string list =
      "- &l {kind: List, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: a, name: b}}]}\n";
  EXPECT_EQ(Warnings(Read("kind: List\nitems:\n" + list + "- *l\n- *l\n")).size(), 3u);
}

// A folder of files that hold a ConfigMap each, named as the file.
class Folder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(top_);
    fs::create_directories(top_);
  }

  void Write(const std::string& file, const std::string& text) {
    fs::create_directories((top_ / file).parent_path());
    std::ofstream(top_ / file) << text;
  }
  void WriteMap(const std::string& file) {
    Write(file, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + file + "}\n");
  }

  // Names of objects, "FILE!" for what is no manifest, and messages of what could not be read.
  std::string Found(const std::vector<std::string>& names, bool recursive = false) const {
    ManifestInput input{.recursive = recursive};
    for (const std::string& name : names) input.files.push_back((top_ / name).string());
    const Result<Manifests> manifests = ReadManifests(input);
    if (!manifests.ok()) return "error: " + Local(manifests.error().message);
    std::vector<std::string> out;
    for (const auto& item : manifests->items) {
      const std::string file = item.ok() ? "" : item.error().source.file;
      out.push_back(item.ok() ? item->name : Local(file.empty() ? item.error().message : file + "!"));
    }
    return Join(out, " ");
  }

  std::string Local(std::string text) const {
    const std::string top = top_.string() + "/";
    for (size_t at = text.find(top); at != text.npos; at = text.find(top, at)) text.erase(at, top.size());
    return text;
  }

  const fs::path top_ = fs::path(testing::TempDir()) / StrCat("smp-manifests-", ::getpid());
};

TEST_F(Folder, IsWalkedAsKubectlWalksIt) {
  for (const char* file :
       {"d/z.yaml", "d/a.yml", "d/m.json", "d/m.yaml/in.yaml", "d/m-x.yaml", "d/readme.txt", "d/U.YAML"})
    WriteMap(file);
  EXPECT_EQ(Found({"d"}), "d/a.yml d/m-x.yaml d/m.json d/z.yaml");
  EXPECT_EQ(Found({"d"}, true), "d/a.yml d/m-x.yaml d/m.json d/m.yaml/in.yaml d/z.yaml");
  EXPECT_EQ(Found({"d/readme.txt"}), "d/readme.txt");
}

TEST_F(Folder, ComesWhereItsNameStands) {
  for (const char* file : {"d/m/x.yaml", "d/m-x.yaml", "d/m.yaml"}) WriteMap(file);
  EXPECT_EQ(Found({"d"}, true), "d/m/x.yaml d/m-x.yaml d/m.yaml");
}

TEST_F(Folder, LinksAreFollowedAndThoseThatLeadNowhereAreErrors) {
  WriteMap("d/a.yaml");
  fs::create_symlink("d", top_ / "link");
  fs::create_symlink("nowhere", top_ / "d/b.yaml");
  WriteMap("d/c.yaml");
  EXPECT_EQ(Found({"link"}), "d/a.yaml unable to read the file link/b.yaml: No such file or directory d/c.yaml");
  EXPECT_EQ(Found({"d/b.yaml"}), "error: the path \"d/b.yaml\" does not exist");
}

TEST_F(Folder, LinksInACircleEnd) {
  WriteMap("d/a.yaml");
  fs::create_symlink(".", top_ / "d/again");
  EXPECT_EQ(Found({"d"}, true), "d/a.yaml");
}

TEST_F(Folder, PipesAreLeftOutWithAWarning) {
  WriteMap("d/a.yaml");
  ASSERT_EQ(::mkfifo((top_ / "d/b.yaml").c_str(), 0600), 0);
  fs::create_symlink("b.yaml", top_ / "d/c.yaml");
  fs::create_symlink("a.yaml", top_ / "d/d.yaml");
  for (const char* name : {"d", "d/*.yaml"}) {
    const Result<Manifests> manifests = ReadManifests({.files = {(top_ / name).string()}});
    ASSERT_TRUE(manifests.ok());
    EXPECT_EQ(manifests->items.size(), 2u);
    EXPECT_EQ(Local(Join(manifests->warnings, "\n")),
              "d/b.yaml is not a regular file and was skipped; pass it to -f to read it\n"
              "d/c.yaml is not a regular file and was skipped; pass it to -f to read it");
  }
}

TEST_F(Folder, APipeThatIsNamedIsRead) {
  const std::string pipe = (top_ / "x.yaml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: piped}\n"; });
  EXPECT_EQ(Found({"x.yaml"}), "piped");
  writer.join();
}

TEST_F(Folder, WithoutManifestsIsAnError) {
  Write("d/readme.txt", "");
  WriteMap("d/below/a.yaml");
  EXPECT_EQ(
      Found({"d"}),
      "error: error reading [d]: recognized file extensions are [.json .yaml .yml]; use -R to read subdirectories");
  EXPECT_EQ(Found({"d"}, true), "d/below/a.yaml");
}

TEST_F(Folder, PatternsAreExpandedUnlessAFileHasThatName) {
  for (const char* file : {"a.yaml", "b.yaml", "c1.yaml"}) WriteMap(file);
  Write("c[1].*", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: literal}\n");
  EXPECT_EQ(Found({"[ab].*"}), "a.yaml b.yaml");
  EXPECT_EQ(Found({"c[1].*"}), "literal");
  EXPECT_EQ(Found({"c[1].y*"}), "c1.yaml");
  EXPECT_EQ(Found({"z*"}), "error: the path \"z*\" does not exist");
}

TEST_F(Folder, EveryNameThatLeadsNowhereIsNamed) {
  WriteMap("a.yaml");
  EXPECT_EQ(Found({"x", "a.yaml", "y"}), "error: the path \"x\" does not exist\nthe path \"y\" does not exist");
}

TEST_F(Folder, ABadFileHidesNoOther) {
  WriteMap("a.yaml");
  Write("b.yaml", "a: [\n");
  Write("c.yaml", std::string("\x00\xff\xfe\x01", 4));
  WriteMap("d.yaml");
  EXPECT_EQ(Found({"a.yaml", "b.yaml", "c.yaml", "d.yaml"}), "a.yaml b.yaml! c.yaml! d.yaml");
}

TEST_F(Folder, FilesWithoutObjectsAreEmpty) {
  Write("a.yaml", "");
  Write("b.yaml", "# nothing\n---\n---\n");
  EXPECT_EQ(Found({"a.yaml", "b.yaml"}), "");
}

TEST(Manifests, StandardInputIsReadOnce) {
  std::istringstream in;
  const auto manifests = ReadManifests({.files = {"-", "-"}, .standard_input = &in});
  ASSERT_FALSE(manifests.ok());
  EXPECT_EQ(manifests.error().message, "standard input cannot be used for multiple arguments");
}

TEST(Manifests, UrlsAreLookedAtBeforeAnythingIsRead) {
  const auto manifests = ReadManifests({.files = {"http://[::1", "https://a b/"}});
  ASSERT_FALSE(manifests.ok());
  EXPECT_EQ(manifests.error().message,
            "the URL passed to filename \"http://[::1\" is not valid: the host or its port is missing or malformed\n"
            "the URL passed to filename \"https://a b/\" is not valid: the host or its port is missing or malformed");
}

TEST(Manifests, NestedListsAreFlattened) {
  const std::string item = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";
  const Manifests manifests =
      Read(R"({"kind":"List","items":[{"kind":"List","items":[)" + item + "]}," + item + ",1]}\n---\n" + item);
  ASSERT_EQ(manifests.items.size(), 4u);
  EXPECT_TRUE(manifests.items[0].ok() && manifests.items[1].ok() && !manifests.items[2].ok() &&
              manifests.items[3].ok());
}

// A fuzzer found that the text of such an item was read as members.
TEST(Manifests, ATextAmongTheItemsOfAListIsNoObject) {
  const Manifests manifests = Read("apiVersion: v1\nkind: List\nitems:\n- some text\n- {}\n- [a]\n");
  ASSERT_EQ(manifests.items.size(), 3u);
  EXPECT_EQ(manifests.items[0].error().message, "expected an object with apiVersion and kind");
  EXPECT_EQ(manifests.items[0].error().source.line, 4);
}

// As a server prints them (kubectl get --raw).
TEST(Manifests, ItemsWithoutAKindHaveThatOfTheirList) {
  const Manifests manifests = Read(
      "apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata:\n    name: a\n  spec:\n    replicas: 2\n"
      "- apiVersion: v1\n  kind: Secret\n  metadata: {name: b}\n- kind: Secret\n  metadata: {name: c}\n");
  ASSERT_EQ(manifests.items.size(), 3u);
  ASSERT_TRUE(manifests.items[0].ok());
  const Document& typed = manifests.items[0]->document;
  EXPECT_EQ(Label(manifests.items[0]->gvk, "a"), "deployment.apps/a");
  EXPECT_EQ(WriteJson(typed.root()),
            R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":2}})");
  EXPECT_EQ(typed.LineOf(&typed.root()), 4);
  EXPECT_EQ(typed.LineOf(typed.root().Find("metadata")), 5);
  EXPECT_EQ(typed.LineOf(typed.root().FindPath({"spec", "replicas"})), 7);
  EXPECT_EQ(Label(manifests.items[1]->gvk, "b"), "secret/b");
  EXPECT_FALSE(manifests.items[2].ok());  // states a kind, and so has to state its apiVersion
}

// As kubectl reads it, which ends each line with a line break.
TEST(Manifests, ABlockScalarThatEndsWithTheFileEndsWithALineBreak) {
  const Manifests manifests =
      Read("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b: |-\n    y\n  a: |\n    x");
  ASSERT_TRUE(manifests.items[0].ok());
  EXPECT_EQ(WriteJson(*manifests.items[0]->document.root().Find("data")), R"({"a":"x\n","b":"y"})");
}

TEST(Manifests, ItemsOfAPlainListHaveToStateTheirKinds) {
  EXPECT_FALSE(Read("apiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n").items[0].ok());
}

TEST(Prepare, RefusesValuesOfAnotherKindThanTheSchemaWants) {
  const Manifests manifests =
      Read("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {x: 1}\ndata:\n  a: yes\n");
  ASSERT_TRUE(manifests.items[0].ok());
  const auto prepared = PrepareOffline(*manifests.items[0], {}, BuiltinSchema());
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(ToString(prepared.error()),
            "STDIN:7: data.a: expected a string, found a boolean (true); put the text in quotes (y, n, "
            "yes, no, on and off are booleans without them)\n"
            "STDIN:5: metadata.labels.x: expected a string, found an integer (1); put the text in quotes");
}

}  // namespace
}  // namespace smp::apply
