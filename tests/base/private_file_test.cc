#include "base/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/strings.h"

namespace smp {
namespace {

class PrivateFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  const std::string path_ = StrCat(testing::TempDir(), "private_file_test.", getpid());
};

TEST_F(PrivateFile, IsCreatedOnceForTheUserAlone) {
  ASSERT_TRUE(CreatePrivateFile(path_, "text", "the file").ok());
  struct stat found = {};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  EXPECT_FALSE(CreatePrivateFile(path_, "other", "the file").ok());
  const auto read = ReadPrivateFile(path_, 100, "the file");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->text, "text");
  EXPECT_FALSE(read->others_read);
}

TEST_F(PrivateFile, FollowsNoLinkToWrite) {
  std::filesystem::create_symlink(path_ + ".target", path_);
  EXPECT_FALSE(CreatePrivateFile(path_, "text", "the file").ok());
  EXPECT_FALSE(std::filesystem::exists(path_ + ".target"));
}

TEST_F(PrivateFile, IsRefusedIfOthersMayWriteIt) {
  ASSERT_TRUE(CreatePrivateFile(path_, "text", "the file").ok());
  chmod(path_.c_str(), 0644);
  EXPECT_TRUE(ReadPrivateFile(path_, 100, "the file")->others_read);
  for (const mode_t mode : {0620, 0602}) {
    chmod(path_.c_str(), mode);
    const auto read = ReadPrivateFile(path_, 100, "the file");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::kRefused);
  }
}

TEST_F(PrivateFile, HasAnEnd) {
  ASSERT_TRUE(CreatePrivateFile(path_, "text", "the file").ok());
  EXPECT_FALSE(ReadPrivateFile(path_, 3, "the file").ok());
  EXPECT_EQ(ReadPrivateFile(path_ + ".no", 3, "the file").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(ReadPrivateFile(testing::TempDir(), 3, "the file").ok());
}

}  // namespace
}  // namespace smp
