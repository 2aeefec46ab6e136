#include "cmd/apply_combinations.h"

#include "cmd/apply_set_flags.h"
#include "cmd/server_side_flags.h"

namespace smp::cmd {

namespace {

Status CheckPruneCombinations(const ParsedFlags& flags) {
  if (!flags.On("prune")) return Ok();
  if (flags.On("force")) return Error::InvalidArgument("--force cannot be used with --prune");
  if (!flags.On("all") && flags.Text("selector").empty() && flags.Text("applyset").empty()) {
    return Error::InvalidArgument(
        "all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all "
        "flag. If you did not mean to prune all resources, specify a label selector");
  }
  return Ok();
}

}  // namespace

Status CheckApplyCombinations(const ParsedFlags& flags, apply::DryRun dry_run) {
  const bool server_side = flags.On("server-side");
  const bool force = flags.On("force");
  if (dry_run == apply::DryRun::kClient && server_side) {
    return Error::InvalidArgument(
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
  }
  // Differs from kubectl: it refuses this combination.
  if (dry_run == apply::DryRun::kServer && force && flags.Given("compat")) {
    return Error::InvalidArgument("--dry-run=server cannot be used with --force");
  }
  if (flags.On("all") && !flags.Text("selector").empty()) {
    return Error::InvalidArgument("cannot set --all and --selector at the same time");
  }
  SMP_TRY(CheckApplySetCombinations(flags));
  SMP_TRY(CheckPruneCombinations(flags));
  if (!flags.Text("subresource").empty() && !server_side) {
    return Error::InvalidArgument("--subresource can only be specified for --server-side");
  }
  if (flags.On("force-dangerous") && !force) {
    return Error::InvalidArgument("--force-dangerous only works with --force");
  }
  return CheckServerSideCombinations(flags);
}

}  // namespace smp::cmd
