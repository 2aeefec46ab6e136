// -l, --all and --prune: which objects of the input to use, and which others to delete.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/prune.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

// -l, --all, --prune and --prune-allowlist, as apply and explain-diff have them.
std::vector<Flag> PruneFlagTable();
Flag YesFlag();

// The objects of the input that -l chooses, and those that it leaves out. Errors of unreadable objects stay in
// `manifests`.
struct Chosen {
  apply::Manifests manifests;
  std::vector<apply::Manifest> left_out;
};
// Error: invalid-argument if the selector is invalid.
Result<Chosen> ChooseByLabels(apply::Manifests manifests, const ParsedFlags& flags);

// Error: invalid-argument, with kubectl's messages.
Result<apply::PruneScope> ToPruneScope(const ParsedFlags& flags);

// Returns what is known before anything is applied: the namespace of -n, and the objects that -l left out.
apply::Applied StartApplied(const Chosen& chosen, const auth::ConnectionConfig& config);

struct PruneOptions {
  apply::PruneScope scope;
  apply::PruneRunOptions run;
  bool ask = false;    // ask the user first
  std::string output;  // the value of -o
};
// For apply --prune; nullopt without. Errors: invalid-argument; refused if the user would have to be asked and standard
// input cannot answer.
Result<std::optional<PruneOptions>> ToPrune(const ParsedFlags& flags, apply::DryRun dry_run, int parallel);

// Called before anything is applied, as in kubectl. Error: not-found if a kind of the allowlist is known neither to the
// server nor from a CRD in the input.
Status CheckPruneKinds(const Connection& connection, const PruneOptions& options, const apply::Manifests& manifests);

// Called after an apply without errors. Returns the exit status. Errors of the plan: nothing was deleted.
Result<int> PruneRest(const Connection& connection, const apply::Applied& applied, const PruneOptions& options, Io& io);

}  // namespace smp::cmd
