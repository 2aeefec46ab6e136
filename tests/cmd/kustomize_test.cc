#include "cmd/kustomize.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strings.h"

namespace smp::cmd {
namespace {

namespace fs = std::filesystem;

// What a kubectl that is this shell script makes of us.
class KustomizeTest : public testing::Test {
 protected:
  struct Outcome {
    Result<std::string> text;
    std::string err;
  };

  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    ASSERT_EQ(::unsetenv("KUBECTL_PATH"), 0);
    fs::remove_all(folder_);
  }

  Outcome Run(const std::string& script) const {
    const fs::path file = folder_ / "kubectl";
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return RunAs(file);
  }

  static Outcome RunAs(const fs::path& kubectl) {
    EXPECT_EQ(::setenv("KUBECTL_PATH", kubectl.c_str(), 1), 0);
    std::istringstream in;
    std::ostringstream out, err;
    Io io{in, out, err};
    Result<std::string> text = Kustomize("kz", io);
    return {std::move(text), err.str()};
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / StrCat("smp-kustomize-", ::getpid());
};

TEST_F(KustomizeTest, GivesWhatKubectlPrintsAndShowsItsWarnings) {
  const Outcome done = Run("echo '# Warning: old' >&2; echo \"$@\"");
  ASSERT_TRUE(done.text.ok());
  EXPECT_EQ(*done.text, "kustomize -- kz\n");
  EXPECT_EQ(done.err, "# Warning: old\n");
}

TEST_F(KustomizeTest, FailuresAreToldOnceInKubectlsWords) {
  struct Row {
    const char* script;
    const char* message;
    const char* err;
  };
  for (const Row& row : {
           Row{"echo 'error: no such folder' >&2; exit 1", "no such folder", ""},
           Row{"echo '# Warning: old' >&2; echo 'error: bad' >&2; echo more >&2; exit 1", "bad\nmore",
               "# Warning: old\n"},
           Row{R"(echo 'E1121 10:13:38.402321    9617 run.go:72] "command failed" err="no \"x\" there"' >&2; exit 1)",
               "no \"x\" there", ""},
           Row{"echo 'panic: x' >&2; exit 2", "panic: x", ""},
           Row{"exit 3", "kubectl kustomize kz failed with exit status 3", ""},
       }) {
    const Outcome done = Run(row.script);
    ASSERT_FALSE(done.text.ok()) << row.script;
    EXPECT_EQ(done.text.error().message, row.message);
    EXPECT_EQ(done.err, row.err);
  }
}

TEST_F(KustomizeTest, OnlyAMissingKubectlIsCalledMissing) {
  const Outcome missing = RunAs("/nonexistent");
  ASSERT_FALSE(missing.text.ok());
  EXPECT_EQ(missing.text.error().message,
            "-k needs kubectl, which includes kustomize: cannot run /nonexistent: No such file or directory "
            "($KUBECTL_PATH)");
  const Outcome talkative = Run("exec head -c 300000000 /dev/zero");
  ASSERT_FALSE(talkative.text.ok());
  EXPECT_EQ(talkative.text.error().message, StrCat("kubectl kustomize kz failed: ", (folder_ / "kubectl").string(),
                                                   " printed more than 268435456 bytes and was killed"));
}

}  // namespace
}  // namespace smp::cmd
