// -l, --all and --prune: which objects of the input are meant, and which others are to be deleted.
#ifndef SMP_CMD_PRUNE_H_
#define SMP_CMD_PRUNE_H_

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/prune.h"
#include "apply/prune_run.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp {

// -l, --all, --prune and --prune-allowlist, as apply and explain-diff have them.
std::vector<Flag> PruneFlagTable();
Flag YesFlag();

// The objects of the input that -l chooses, and those that it leaves out. What could not be read stays, as its error.
struct Chosen {
  Manifests manifests;
  std::vector<Manifest> left_out;
};
// Error: invalid-argument, for a selector that is none.
Result<Chosen> ChooseByLabels(Manifests manifests, const ParsedFlags& flags);

// Error: invalid-argument, in kubectl's words.
Result<PruneScope> ToPruneScope(const ParsedFlags& flags);

// What is known before anything is pruned: that of -n, and what -l left out.
Applied StartApplied(const Chosen& chosen, const ConnectionConfig& config);

struct PruneOptions {
  PruneScope scope;
  PruneRunOptions run;
  bool ask = false;    // the person at the terminal
  std::string output;  // of -o
};
// Of apply --prune; nullopt without. Errors: invalid-argument; refused, when the person at the terminal would have to
// be asked and standard input cannot answer.
Result<std::optional<PruneOptions>> ToPrune(const ParsedFlags& flags, DryRun dry_run, int parallel);

// Before anything is applied, as kubectl: a kind of the allowlist that neither the server nor a definition of the input
// knows is an error (not-found).
Status CheckPruneKinds(const Connection& connection, const PruneOptions& options, const Manifests& manifests);

// After an apply without errors. Returns the exit status.
int PruneRest(const Connection& connection, const Applied& applied, const PruneOptions& options, Io& io);

}  // namespace smp

#endif  // SMP_CMD_PRUNE_H_
