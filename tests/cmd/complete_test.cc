// The completion protocol as a table: words in, lines out. Real shells are in tests/e2e/completion.py.
#include "cmd/complete.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/complete_values.h"
#include "cmd/global_flags.h"

namespace smp::cmd {
namespace {

using Words = std::vector<std::string>;

// Says what it was asked for.
Words LookUp(Hint hint, const ParsedFlags& flags, const std::string& typed) {
  switch (hint) {
    case Hint::kContext: return {"prod", "test"};
    case Hint::kNamespace: return {"default", "of-" + flags.Text("context"), "shop"};
    case Hint::kGvk: return {"apps/v1/Deployment", "v1/Pod"};
    case Hint::kPruneKind: return {"core/v1/Pod"};
    case Hint::kKindAndPath: return {"Pod.spec.nodeName", "Pod.spec.nodeSelector"};
    case Hint::kObject: return {StrCat("typed=", typed), StrCat("behind=", Join(flags.arguments(), ","))};
    default: return {"other"};
  }
}

// The candidates and the directive, in one line.
std::string Offered(const Words& words) {
  const Completion completion = Complete(words, &LookUp);
  Words out;
  for (const Candidate& candidate : completion.candidates) out.push_back(candidate.text);
  out.push_back(StrCat(":", static_cast<int>(completion.directive)));
  return Join(out, " ");
}

struct Row {
  Words words;
  std::string offered;
};

class Completes : public testing::TestWithParam<Row> {};

TEST_P(Completes, TheWords) { EXPECT_EQ(Offered(GetParam().words), GetParam().offered); }

const Row kRows[] = {
    {{}, "apply explain-diff last-applied pull lint schema create-patch merge override version options help :4"},
    {{""}, "apply explain-diff last-applied pull lint schema create-patch merge override version options help :4"},
    {{"a"}, "apply :4"},
    {{"z"}, ":4"},
    {{"help", ""}, "apply explain-diff last-applied pull lint schema create-patch merge override version options :4"},
    {{"help", "apply", ""}, ":4"},
    {{"last-applied", ""}, "view set edit forget :4"},
    {{"schema", "Pod.spec.nodeS"}, "Pod.spec.nodeSelector :6"},
    {{"schema", "Pod.spec", ""}, ":4"},
    {{"schema", "Pod", "-o", "j"}, "json :4"},
    {{"-n", "x", "last-applied", "-n", "y", "e"}, "edit :4"},
    {{"last-applied", "forget", "--dry-run", "--cre"}, ":4"},
    {{"last-applied", "set", "--cre"}, "--create-annotation :4"},
    {{"last-applied", "view", "typ"}, "typed=typ :4"},
    {{"last-applied", "view", "deploy", "-l", "a=b", "b"}, "behind=deploy :4"},
    {{"-n", "x", "ap"}, "apply :4"},
    {{"options", ""}, ":4"},
    {{"frobnicate", ""}, ":4"},
    {{"apply", ""}, ":4"},
    {{"apply", "--fi"}, "--filename --field-manager :4"},
    {{"explain-diff", "--show"}, "--show --show-managed-fields --show-secrets :4"},
    {{"version", "--c"},
     "--client --context --cluster --client-certificate --client-key --certificate-authority "
     "--cache-dir :4"},
    {{"--kubec"}, "--kubeconfig :4"},
    // Given already: only what may repeat is offered again.
    {{"explain-diff", "--show=changes", "--show"}, "--show-managed-fields --show-secrets :4"},
    {{"apply", "-f", "x", "--fi"}, "--filename --field-manager :4"},
    {{"apply", "--as-group=a", "--as-g"}, "--as-group :4"},
    {{"apply", "-R", "--rec"}, ":4"},
    // Values.
    {{"apply", "-o", ""}, "json yaml kyaml name jsonpath= jsonpath-file= jsonpath-as-json= changed result-json :4"},
    {{"apply", "-o", "y"}, "yaml :4"},
    {{"apply", "--output=y"}, "yaml :4"},
    {{"apply", "-o=y"}, "yaml :4"},
    {{"-o", "y"}, ":4"},
    {{"apply", "--dry-run=s"}, "server :4"},
    {{"apply", "--dry_run=s"}, "server :4"},
    {{"apply", "--dry-run", "s"}, ":4"},
    {{"apply", "--validate="}, "strict warn ignore :4"},
    {{"apply", "--overwrite="}, "true false :4"},
    {{"apply", "--nothing="}, ":4"},
    {{"apply", "-f", "we"}, "json yaml yml :8"},
    {{"apply", "-Rf", ""}, "json yaml yml :8"},
    {{"apply", "--filename="}, "json yaml yml :8"},
    {{"apply", "-f", "-R", "--rec"}, "--recursive :4"},
    {{"merge", "--patch", ""}, "json yaml yml :8"},
    {{"merge", "--gvk", "a"}, "apps/v1/Deployment :4"},
    {{"apply", "-k", ""}, ":16"},
    {{"apply", "--cache-dir="}, ":16"},
    {{"apply", "--kubeconfig", ""}, ":0"},
    {{"apply", "--token", ""}, ":4"},
    {{"apply", "--context", "t"}, "test :4"},
    {{"apply", "-n", ""}, "default of- shop :4"},
    {{"apply", "--context=prod", "-n", "o"}, "of-prod :4"},
    {{"-n", "s"}, "shop :4"},
    {{"apply", "-nfoo", ""}, ":4"},
    // Where nothing can follow.
    {{"apply", "--help", "-"}, ":4"},
    {{"apply", "--", "-"}, ":4"},
    {{"apply", "-n", "--", "--rec"}, "--recursive :4"},
    {{"apply", "--bogus", ""}, ":4"},
    {{"apply", "-v", "x", "--rec"}, ":4"},
};

INSTANTIATE_TEST_SUITE_P(Rows, Completes, testing::ValuesIn(kRows));

TEST(Completion, ShowsDescriptions) {
  EXPECT_EQ(PrintCompletion(Complete({"app"}, &LookUp)), "apply\tcreate or update objects from manifests\n:4\n");
}

TEST(Completion, LeavesOutWhatCouldSteerTheTerminal) {
  EXPECT_EQ(PrintCompletion({{{"a\nb"}, {"\x1b[2J"}, {"good"}}, Directive::kNoFiles}), "good\n:4\n");
}

// What a description says must fit on its line.
TEST(Completion, HasNoLineEndsAndTabsInDescriptions) {
  for (const Command& command : Commands()) {
    EXPECT_EQ(command.summary.find_first_of("\n\t"), std::string::npos) << command.name;
    for (const Flag& flag : AllFlags(command)) {
      EXPECT_EQ(flag.help.find_first_of("\n\t"), std::string::npos) << flag.name;
    }
  }
}

// A flag whose value is a file or one of the kubeconfig's names says so in its table.
TEST(Completion, HasAHintForEachFlagThatNamesSomething) {
  for (const Command& command : Commands()) {
    for (const Flag& flag : AllFlags(command)) {
      const std::string& what = flag.placeholder;
      const bool named =
          what == "FILE" || what == "DIR" || what == "FOLDER" || what == "NAMESPACE" || what == "GROUP/VERSION/KIND";
      EXPECT_TRUE(!named || flag.hint != Hint::kNothing) << command.name << " --" << flag.name;
    }
  }
}

Words LookUpWith(Hint hint, const Words& arguments) {
  const auto flags = ParseFlags(GlobalFlagTable(), arguments);
  return flags.ok() ? LookUpValues(hint, *flags, "") : Words{flags.error().message};
}

class KubeconfigNames : public testing::Test {
 protected:
  void SetUp() override {
    file_ = StrCat(testing::TempDir(), "smp-complete-", ::getpid(), ".kubeconfig");  // tests run side by side
    std::ofstream(file_) << "contexts: [{name: prod}, {name: test}]\nclusters: [{name: big}]\nusers: [{name: jane}]\n";
  }
  void TearDown() override { std::filesystem::remove(file_); }
  std::string file_;
};

TEST_F(KubeconfigNames, AreCandidates) {
  EXPECT_EQ(LookUpWith(Hint::kContext, {"--kubeconfig", file_}), (Words{"prod", "test"}));
  EXPECT_EQ(LookUpWith(Hint::kCluster, {"--kubeconfig", file_}), Words{"big"});
  EXPECT_EQ(LookUpWith(Hint::kUser, {"--kubeconfig", file_}), Words{"jane"});
}

TEST_F(KubeconfigNames, AreNoneWhereTheFileIsMissingOrBroken) {
  EXPECT_EQ(LookUpWith(Hint::kContext, {"--kubeconfig", file_ + ".missing"}), Words());
  EXPECT_EQ(LookUpWith(Hint::kNamespace, {"--kubeconfig", file_ + ".missing"}), Words());
  std::ofstream(file_) << "contexts: 7\n";
  EXPECT_EQ(LookUpWith(Hint::kContext, {"--kubeconfig", file_}), Words());
}

TEST(KindsAndPaths, AreThoseOfTheBuiltInSchema) {
  const auto has = [](const Words& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  };
  EXPECT_TRUE(has(*KindsAndPaths("Dep", {}), "Deployment"));
  EXPECT_TRUE(has(*KindsAndPaths("dep", {}), "deployments"));
  EXPECT_TRUE(has(*KindsAndPaths("apps/", {}), "apps/v1/Deployment"));
  EXPECT_TRUE(has(*KindsAndPaths("deployment.", {}), "deployment.spec"));
  EXPECT_TRUE(has(*KindsAndPaths("deployments.apps.spec.re", {}), "deployments.apps.spec.replicas"));
  EXPECT_TRUE(has(*KindsAndPaths("v1/Pod.spec.containers.i", {}), "v1/Pod.spec.containers.image"));
  EXPECT_EQ(*KindsAndPaths("deployment.spce.re", {}), Words());
  EXPECT_FALSE(KindsAndPaths("nothing.spec", {}).ok());
}

TEST(Kinds, AreThoseOfTheBuiltInSchema) {
  const Words kinds = LookUpWith(Hint::kGvk, {});
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), "apps/v1/Deployment"), kinds.end());
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), "v1/Pod"), kinds.end());
  const Words prunable = LookUpWith(Hint::kPruneKind, {});
  EXPECT_NE(std::find(prunable.begin(), prunable.end(), "apps/v1/Deployment"), prunable.end());
  EXPECT_NE(std::find(prunable.begin(), prunable.end(), "core/v1/Pod"), prunable.end());
  EXPECT_EQ(std::find(prunable.begin(), prunable.end(), "v1/Pod"), prunable.end());
}

}  // namespace
}  // namespace smp::cmd
