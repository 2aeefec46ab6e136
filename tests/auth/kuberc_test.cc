#include "auth/kuberc.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace smp::auth {
namespace {

namespace fs = std::filesystem;
using Kind = PluginPolicy::Kind;

const char kHead[] = "apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n";

TEST(ParsePluginPolicy, WithoutOneAllPluginsMayRun) {
  for (const std::string& text : {std::string(), std::string("# nothing\n"), std::string(kHead),
                                  kHead + std::string("credentialPluginPolicy: ''\n"),
                                  kHead + std::string("credentialPluginPolicy: AllowAll\naliases: []\n")}) {
    const Result<PluginPolicy> policy = ParsePluginPolicy(text, "kuberc");
    ASSERT_TRUE(policy.ok()) << ToString(policy.error());
    EXPECT_EQ(policy->kind, Kind::kAllowAll) << text;
  }
}

TEST(ParsePluginPolicy, FirstPreferenceOfSeveralDocumentsCounts) {
  const Result<PluginPolicy> policy = ParsePluginPolicy(
      "kind: Other\n---\n" + std::string(kHead) + "credentialPluginPolicy: DenyAll\n---\n" + kHead, "rc");
  ASSERT_TRUE(policy.ok()) << ToString(policy.error());
  EXPECT_EQ(policy->kind, Kind::kDenyAll);
}

TEST(ParsePluginPolicy, AllowlistTakesCommandsAndTheirOldName) {
  const Result<PluginPolicy> policy =
      ParsePluginPolicy(kHead + std::string("credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist:\n"
                                            "- command: aws\n- name: /usr/bin/gcloud\n- {name: x, command: x}\n"),
                        "kuberc");
  ASSERT_TRUE(policy.ok()) << ToString(policy.error());
  EXPECT_EQ(policy->kind, Kind::kAllowlist);
  EXPECT_EQ(policy->allowlist, (std::vector<std::string>{"aws", "/usr/bin/gcloud", "x"}));
}

TEST(ParsePluginPolicy, MisconfigurationIsAnErrorWithItsLine) {
  const struct {
    std::string text;
    const char* message;
  } kCases[] = {
      {"credentialPluginPolicy: Deny\n", "kuberc:3: credentialPluginPolicy: unknown plugin policy: \"Deny\""},
      {"credentialPluginPolicy: [x]\n", "kuberc:3: credentialPluginPolicy: expected a string"},
      {"credentialPluginPolicy: Allowlist\n", "credentialPluginAllowlist is missing or empty"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: []\n", "is missing or empty"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{}]\n", "empty allowlist entry"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [aws]\n", "expected a mapping with a command"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: a, command: b}]\n", "differ"},
      {"credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: /a/../b}]\n", "non-normalized"},
      {"credentialPluginAllowlist: [{command: b}]\n", "credentialPluginPolicy is not Allowlist"},
      {"credentialPluginPolicy: DenyAll\ncredentialPluginAllowlist: [{command: b}]\n", "is not Allowlist"},
  };
  for (const auto& c : kCases) {
    const Result<PluginPolicy> policy = ParsePluginPolicy(kHead + c.text, "kuberc");
    ASSERT_FALSE(policy.ok()) << c.text;
    EXPECT_NE(ToString(policy.error()).find(c.message), std::string::npos) << ToString(policy.error());
  }
  EXPECT_FALSE(ParsePluginPolicy("kind: Config\n", "kuberc").ok());
  EXPECT_FALSE(ParsePluginPolicy("a: [", "kuberc").ok());
}

// A folder as HOME and on PATH, with the executables `good` and `other`.
class KubercTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "smp_kuberc_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    home_ = std::getenv("HOME");
    path_ = std::getenv("PATH");
    setenv("HOME", name.c_str(), 1);
    setenv("PATH", (name + "/bin:" + path_).c_str(), 1);
    for (const char* program : {"bin/good", "bin/other", "evil/good"}) {
      fs::create_directories((folder_ / program).parent_path());
      std::ofstream(folder_ / program) << "#!/bin/sh\n";
      fs::permissions(folder_ / program, fs::perms::owner_all);
    }
  }
  void TearDown() override {
    setenv("HOME", home_.c_str(), 1);
    setenv("PATH", path_.c_str(), 1);
    for (const char* name : {"KUBERC", "KUBECTL_KUBERC"}) unsetenv(name);
    fs::remove_all(folder_);
  }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& policy) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << kHead << policy;
    return Path(name);
  }
  static Kind Loaded(const std::string& flag = "") {
    const Result<PluginPolicy> policy = LoadPluginPolicy(flag);
    EXPECT_TRUE(policy.ok()) << ToString(policy.error());
    return policy.ok() ? policy->kind : Kind::kAllowAll;
  }

  fs::path folder_;
  std::string home_;
  std::string path_;
};

TEST_F(KubercTest, FlagThenVariableThenHomeCount) {
  EXPECT_EQ(Loaded(), Kind::kAllowAll);
  Write(".kube/kuberc", "credentialPluginPolicy: DenyAll\n");
  EXPECT_EQ(Loaded(), Kind::kDenyAll);
  setenv("KUBERC", Write("b", "credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: x}]\n").c_str(),
         1);
  EXPECT_EQ(Loaded(), Kind::kAllowlist);
  EXPECT_EQ(Loaded(Write("c", "")), Kind::kAllowAll);
}

TEST_F(KubercTest, CanBeSwitchedOff) {
  Write(".kube/kuberc", "credentialPluginPolicy: DenyAll\n");
  setenv("KUBERC", "off", 1);
  EXPECT_EQ(Loaded(), Kind::kAllowAll);
  EXPECT_NE(LoadPluginPolicy("x").error().message.find("mutually exclusive"), std::string::npos);
  unsetenv("KUBERC");
  setenv("KUBECTL_KUBERC", "False", 1);
  EXPECT_EQ(Loaded(), Kind::kAllowAll);
}

TEST_F(KubercTest, ChosenFileMustBeThereAndEveryFileReadable) {
  setenv("KUBERC", "/no/such/file", 1);
  EXPECT_FALSE(LoadPluginPolicy("").ok());
  unsetenv("KUBERC");
  Write(".kube/kuberc", "a: [\n");
  EXPECT_FALSE(LoadPluginPolicy("").ok());
}

TEST_F(KubercTest, AllowlistComparesNamesAndPaths) {
  const struct {
    std::string entry;
    std::string command;
    bool allowed;
  } kCases[] = {
      {"good", "good", true},
      {"good", Path("bin/good"), true},
      {Path("bin/good"), "good", true},
      {Path("bin/good"), Path("bin/good"), true},
      {"good", "other", false},
      {"good", Path("evil/good"), false},
      {Path("evil/good"), "good", false},
      {"missing", "good", false},
  };
  for (const auto& c : kCases) {
    const Result<std::string> program = AllowedProgram(c.command, {Kind::kAllowlist, {c.entry}, "rc"});
    EXPECT_EQ(program.ok(), c.allowed) << c.entry << " " << c.command;
    if (program.ok()) continue;
    EXPECT_EQ(program.error().code, ErrorCode::kRefused);
    EXPECT_EQ(program.error().message,
              "plugin \"" + c.command + "\" not allowed: it is not in the credentialPluginAllowlist of rc");
  }
}

TEST_F(KubercTest, DenyAllRefusesAndAllowAllFinds) {
  EXPECT_EQ(AllowedProgram("good", {Kind::kDenyAll, {}, "rc"}).error().message,
            "plugin \"good\" not allowed: credentialPluginPolicy is DenyAll of rc");
  EXPECT_EQ(*AllowedProgram("good", {}), Path("bin/good"));
  EXPECT_EQ(AllowedProgram("missing", {}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace smp::auth
