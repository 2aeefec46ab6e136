#include "base/replace_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/strings.h"

namespace smp {
namespace {

namespace fs = std::filesystem;

class ReplacedFile : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(path_) << "the old text";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string Read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static struct stat Stat(const std::string& path) {
    struct stat out = {};
    EXPECT_EQ(stat(path.c_str(), &out), 0) << path;
    return out;
  }

  const std::string folder_ = StrCat(testing::TempDir(), "replace_file_test.", getpid());
  const std::string path_ = folder_ + "/file", other_ = folder_ + "/other";
};

TEST_F(ReplacedFile, IsANewOneWithTheMode) {
  chmod(path_.c_str(), 0640);
  const struct stat old = Stat(path_);
  ASSERT_TRUE(ReplaceFile(path_, "new").ok());
  EXPECT_EQ(Read(path_), "new");
  EXPECT_NE(Stat(path_).st_ino, old.st_ino);
  EXPECT_EQ(Stat(path_).st_mode & 07777, 0640u);
}

// With a new file the other name would keep the old text.
TEST_F(ReplacedFile, IsOverwrittenIfItHasOtherNames) {
  fs::create_hard_link(path_, other_);
  ASSERT_TRUE(ReplaceFile(path_, "new").ok());
  EXPECT_EQ(Read(path_), "new");
  EXPECT_EQ(Read(other_), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
}

TEST_F(ReplacedFile, IsWhereALinkLeads) {
  fs::create_symlink(path_, other_);
  ASSERT_TRUE(ReplaceFile(other_, "new").ok());
  EXPECT_TRUE(fs::is_symlink(other_));
  EXPECT_EQ(Read(path_), "new");
}

#if defined(__linux__)
TEST_F(ReplacedFile, KeepsAttributes) {
  if (setxattr(path_.c_str(), "user.smp", "kept", 4, 0) != 0) GTEST_SKIP() << "the file system has no attributes";
  ASSERT_TRUE(ReplaceFile(path_, "new").ok());
  char value[8] = {};
  EXPECT_EQ(getxattr(path_.c_str(), "user.smp", value, sizeof(value)), 4);
  EXPECT_STREQ(value, "kept");
}
#endif

TEST_F(ReplacedFile, MayBeForTheOwnerAlone) {
  const mode_t umask_before = umask(022);
  EXPECT_TRUE(CreateFile(folder_ + "/all", "", Readers::kAll).ok());
  EXPECT_TRUE(CreateFile(folder_ + "/own", "", Readers::kOwner).ok());
  umask(umask_before);
  EXPECT_EQ(Stat(folder_ + "/all").st_mode & 0777, 0644u);
  EXPECT_EQ(Stat(folder_ + "/own").st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace smp
