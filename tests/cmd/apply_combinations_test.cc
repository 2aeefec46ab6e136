// Flags of apply that cannot stand together, in kubectl's words. The real kubectl says the same: tests/e2e/force.py and
// prune.py.
#include "cmd/apply_combinations.h"

#include <gtest/gtest.h>

namespace smp::cmd {
namespace {

std::string Wrong(const std::vector<std::string>& arguments, apply::DryRun dry_run = apply::DryRun::kNone) {
  std::vector<Flag> table = {{.name = "selector", .letter = 'l'},
                             {.name = "subresource"},
                             {.name = "compat"},
                             {.name = "last-applied"},
                             {.name = "applyset"},
                             {.name = "applyset-tooling"}};
  for (const char* name : {"all", "force", "force-conflicts", "force-dangerous", "prune", "server-side"}) {
    table.push_back({.name = name, .kind = FlagKind::kSwitch, .fallback = "false"});
  }
  for (const char* name : {"adopt", "keep-live", "prune-allowlist"})
    table.push_back({.name = name, .kind = FlagKind::kArray});
  const auto flags = ParseFlags(table, arguments);
  EXPECT_TRUE(flags.ok());
  const Status fit = CheckApplyCombinations(*flags, dry_run);
  return fit.ok() ? "" : fit.error().message;
}

TEST(ApplyCombinations, AreRefused) {
  EXPECT_EQ(Wrong({"--force-conflicts", "--compat=kubectl"}), "--force-conflicts only works with --server-side");
  EXPECT_EQ(Wrong({"--last-applied=annotation", "--compat=kubectl"}),
            "--last-applied cannot be used with --compat=kubectl, which always writes the annotation");
  EXPECT_EQ(Wrong({"--server-side", "--last-applied=annotation"}),
            "--last-applied cannot be used with --server-side: it only affects patches that are computed locally");
  EXPECT_EQ(Wrong({"--server-side"}, apply::DryRun::kClient),
            "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  EXPECT_EQ(Wrong({"--server-side", "--force"}), "--force cannot be used with --server-side");
  EXPECT_EQ(Wrong({"--force", "--compat=kubectl"}, apply::DryRun::kServer),
            "--dry-run=server cannot be used with --force");
  EXPECT_EQ(Wrong({"--all", "-l", "a=b"}), "cannot set --all and --selector at the same time");
  EXPECT_EQ(Wrong({"--prune", "--force", "--all"}), "--force cannot be used with --prune");
  EXPECT_TRUE(Wrong({"--prune"}).starts_with("all resources selected for prune without explicitly passing --all."));
  EXPECT_EQ(Wrong({"--prune", "--all", "--server-side"}),
            "--prune is in alpha and doesn't currently work on objects created by server-side apply");
  EXPECT_EQ(Wrong({"--applyset=x"}), "--applyset requires --prune");
  EXPECT_EQ(Wrong({"--applyset=x", "--prune", "--force"}), "--force cannot be used with --prune");
  EXPECT_EQ(Wrong({"--applyset=x", "--prune", "--all"}), "--all is incompatible with --applyset");
  EXPECT_EQ(Wrong({"--applyset=x", "--prune", "-l", "a"}), "--selector is incompatible with --applyset");
  EXPECT_EQ(Wrong({"--applyset=x", "--prune", "--prune-allowlist=core/v1/Pod"}),
            "--prune-allowlist is incompatible with --applyset");
  EXPECT_EQ(Wrong({"--applyset-tooling=kubectl", "--prune", "--all"}), "--applyset-tooling only works with --applyset");
  EXPECT_EQ(Wrong({"--subresource=status"}), "--subresource can only be specified for --server-side");
  EXPECT_EQ(Wrong({"--force-dangerous"}), "--force-dangerous only works with --force");
  EXPECT_EQ(Wrong({"--server-side", "--keep-live=spec.replicas"}),
            "--keep-live cannot be used with --server-side: it only affects patches that are computed locally");
  EXPECT_EQ(Wrong({"--server-side", "--adopt=kubectl-create"}),
            "--adopt cannot be used with --server-side: it only affects patches that are computed locally");
}

TEST(ApplyCombinations, AreAccepted) {
  EXPECT_EQ(Wrong({"--force"}, apply::DryRun::kServer), "");
  EXPECT_EQ(Wrong({}), "");
  EXPECT_EQ(Wrong({"--all"}), "");
  EXPECT_EQ(Wrong({"--all", "-l", ""}), "");
  EXPECT_EQ(Wrong({"--prune", "--all"}), "");
  EXPECT_EQ(Wrong({"--prune", "-l", "a"}), "");
  EXPECT_EQ(Wrong({"--force", "--force-dangerous"}), "");
  EXPECT_EQ(Wrong({"--prune", "--applyset=x"}), "");
  EXPECT_EQ(Wrong({"--prune", "--applyset=x", "--server-side", "--force-conflicts"}), "");
  EXPECT_EQ(Wrong({"--force"}, apply::DryRun::kClient), "");
  EXPECT_EQ(Wrong({"--server-side", "--force-conflicts", "--subresource=status"}), "");
  EXPECT_EQ(Wrong({"--force-conflicts", "--last-applied=annotation"}), "");
}

}  // namespace
}  // namespace smp::cmd
