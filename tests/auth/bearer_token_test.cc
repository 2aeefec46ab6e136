#include "auth/bearer_token.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace smp::auth {
namespace {

std::string WriteTemp(const std::string& name, const std::string& content) {
  const std::string file = testing::TempDir() + "smp_kube_" + std::to_string(::getpid()) + "_" + name;
  std::ofstream(file) << content;
  return file;
}

TEST(BearerToken, FileIsReadAgainAfterAMinute) {
  const std::string file = WriteTemp("token", "first\n");
  BearerToken token("", file);
  EXPECT_EQ(*token.Get(0), "first");
  WriteTemp("token", "second\n");
  EXPECT_EQ(*token.Get(59'000), "first");
  EXPECT_EQ(*token.Get(60'000), "second");
  std::remove(file.c_str());
  EXPECT_EQ(*token.Get(120'000), "second");
}

TEST(BearerToken, FixedTokenServesWhileTheFileCannotBeRead) {
  BearerToken token("fixed", "/nonexistent/token");
  EXPECT_EQ(*token.Get({}), "fixed");
}

TEST(BearerToken, UnreadableFileWithoutTokenIsAnError) {
  BearerToken token("", "/nonexistent/token");
  const Result<std::string> got = token.Get({});
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(got.error().message.find("/nonexistent/token"), std::string::npos);
}

TEST(BearerToken, LineEndInsideIsRefusedAndNotRepeated) {
  BearerToken token("secret\r\nX-Other: 1", "");
  const Result<std::string> got = token.Get({});
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message.find("secret"), std::string::npos);
}

TEST(BearerToken, EmptyFileIsAnError) {
  const std::string file = WriteTemp("empty", "\n");
  EXPECT_FALSE(BearerToken("", file).Get({}).ok());
  std::remove(file.c_str());
}

}  // namespace
}  // namespace smp::auth
