#include "apply/old_object.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "value/json.h"

namespace smp::apply {
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

// HOME, XDG_STATE_HOME and TMPDIR, all of them below one folder.
class SavingTheOldObject : public testing::Test {
 protected:
  SavingTheOldObject() {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ / "tmp");
    for (const char* name : {"HOME", "XDG_STATE_HOME", "TMPDIR"}) {
      const char* value = std::getenv(name);
      before_.emplace_back(name, value == nullptr ? "" : value);
    }
    setenv("HOME", (root_ / "home").c_str(), 1);
    unsetenv("XDG_STATE_HOME");
    setenv("TMPDIR", (root_ / "tmp").c_str(), 1);
  }
  ~SavingTheOldObject() override {
    for (const auto& [name, value] : before_) value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
    std::filesystem::remove_all(root_);
  }

  // The folder of the file.
  static std::filesystem::path Saved() {
    const auto saved = SaveObject(*ParseJson(R"({"kind":"A"})"), "https://a", "");
    return saved.ok() ? std::filesystem::path(saved->path).parent_path() : "";
  }

  const std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("smp-old-object-" + std::to_string(getpid()));
  const std::filesystem::path state_ = root_ / "home/.local/state/kubectl-smp";
  std::vector<std::pair<const char*, std::string>> before_;
};

TEST_F(SavingTheOldObject, IsDoneInAPrivateFolderThatOutlivesARestart) {
  EXPECT_EQ(Saved(), state_);
  struct stat info = {};
  ASSERT_EQ(stat(state_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  setenv("XDG_STATE_HOME", (root_ / "state").c_str(), 1);
  EXPECT_EQ(Saved(), root_ / "state/kubectl-smp");
}

// The temporary folder, in which it was done then, has the files of everybody, and does not outlive a restart.
TEST_F(SavingTheOldObject, MakesThatFolderPrivate) {
  std::filesystem::create_directories(state_);
  ASSERT_EQ(chmod(state_.c_str(), 0770), 0);
  EXPECT_EQ(Saved(), state_);
  struct stat info = {};
  ASSERT_EQ(stat(state_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(SavingTheOldObject, IsDoneElsewhereWhereThatFolderIsOfAnotherUser) {
  std::filesystem::create_directories(state_);
  constexpr uid_t kNobody = 65534;
  if (chown(state_.c_str(), kNobody, kNobody) != 0) GTEST_SKIP() << "only root can give files away";
  EXPECT_EQ(Saved(), root_ / "tmp");
}

TEST_F(SavingTheOldObject, IsDoneElsewhereWhereThereIsNoHome) {
  unsetenv("HOME");
  EXPECT_EQ(Saved(), root_ / "tmp");
  setenv("HOME", "relative", 1);
  EXPECT_EQ(Saved(), root_ / "tmp");
}

// --- files that earlier runs left

std::vector<std::string> NamesOf(const std::vector<LeftFile>& left) {
  std::vector<std::string> out;
  for (const LeftFile& file : left) out.emplace_back(file.object.root().StringOr("kind"));
  return out;
}

TEST_F(SavingTheOldObject, AFileIsFoundWhenNobodyHoldsItAnyMore) {
  auto saved = SaveObject(*ParseJson(R"({"kind":"A"})"), "https://a", "");
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_TRUE(FindLeftFiles("https://a").empty()) << "a running program needs it";
  saved->lock.Close();
  EXPECT_TRUE(FindLeftFiles("https://b").empty()) << "another server's";
  const std::vector<LeftFile> left = FindLeftFiles("https://a");
  ASSERT_EQ(NamesOf(left), std::vector<std::string>{"A"});
  EXPECT_EQ(left[0].saved.path, saved->path);
  EXPECT_TRUE(FindLeftFiles("https://a").empty()) << "the one who found it holds it";
}

TEST_F(SavingTheOldObject, AFileIsFoundInEachFolder) {
  (void)Saved();
  unsetenv("HOME");
  (void)Saved();
  setenv("HOME", (root_ / "home").c_str(), 1);
  EXPECT_EQ(FindLeftFiles("https://a").size(), 2u);
}

// The program was killed before the object was deleted.
TEST_F(SavingTheOldObject, AnIncompleteFileIsRemoved) {
  auto saved = SaveObject(*ParseJson(R"({"kind":"A","b":"c"})"), "https://a", "");
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  saved->lock.Close();
  std::filesystem::resize_file(saved->path, 10);
  EXPECT_TRUE(FindLeftFiles("https://a").empty());
  EXPECT_FALSE(std::filesystem::exists(saved->path));
}

TEST_F(SavingTheOldObject, AFileThatOthersCouldHaveWrittenIsLeftAlone) {
  auto saved = SaveObject(*ParseJson(R"({"kind":"A"})"), "https://a", "");
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  saved->lock.Close();
  ASSERT_EQ(chmod(saved->path.c_str(), 0622), 0);
  EXPECT_TRUE(FindLeftFiles("https://a").empty());
  EXPECT_TRUE(std::filesystem::exists(saved->path));
}

TEST_F(SavingTheOldObject, LookingForFilesMakesNoFolder) {
  EXPECT_TRUE(FindLeftFiles("https://a").empty());
  EXPECT_FALSE(std::filesystem::exists(root_ / "home"));
}

TEST_F(SavingTheOldObject, TheCommandQuotesAnOddPath) {
  EXPECT_EQ(RestoreCommand({{"", "v1", "Secret"}, "secrets", "ns", "s"}, "/a b/c.json"),
            "kubectl create --raw /api/v1/namespaces/ns/secrets -f '/a b/c.json'");
}

// As on a full disk: the file can be created, but not written.
class NoFileMayGrow {
 public:
  NoFileMayGrow() : handler_before_(signal(SIGXFSZ, SIG_IGN)) {
    (void)getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none = {0, before_.rlim_max};
    (void)setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoFileMayGrow() {
    (void)setrlimit(RLIMIT_FSIZE, &before_);
    (void)signal(SIGXFSZ, handler_before_);
  }
  NoFileMayGrow(const NoFileMayGrow&) = delete;
  NoFileMayGrow& operator=(const NoFileMayGrow&) = delete;

 private:
  void (*handler_before_)(int);
  rlimit before_ = {};
};

TEST(OldObject, AFullDiskIsAnErrorAndLeavesNoFile) {
  const std::filesystem::path folder = testing::TempDir() + "/smp-full-disk-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const auto saved = [&] {
    const NoFileMayGrow full;
    return SaveObject(*ParseJson(R"({"kind":"A"})"), "https://a", folder.string());
  }();
  ASSERT_FALSE(saved.ok());
  EXPECT_NE(saved.error().message.find("File too large"), std::string::npos) << saved.error().message;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(OldObject, TheFilesNameLeadsNowhereElse) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const auto saved = SaveObject(*ParseJson(R"({"kind":"A/../B","metadata":{"name":"../../x"}})"), "https://a", folder);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_EQ(std::filesystem::path(saved->path).parent_path(), std::filesystem::path(folder));
  std::filesystem::remove(saved->path);
}

}  // namespace
}  // namespace smp::apply
