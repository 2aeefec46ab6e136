// -l, --all and --prune: which objects of the input to use, and which objects of the cluster to delete.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apply/apply_set.h"
#include "apply/copies.h"
#include "apply/manifests.h"
#include "apply/prune.h"
#include "apply/review.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "cmd/question.h"

namespace smp::cmd {

// -l, --all, --prune, --prune-allowlist and --applyset, for apply and explain-diff.
std::vector<Flag> PruneFlagTable();
Flag YesFlag();

// The input objects that match -l, and the others. The errors of unreadable objects are in `manifests`.
struct Chosen {
  apply::Manifests manifests;
  std::vector<apply::Manifest> left_out;
  std::map<apply::Identity, std::vector<apply::Manifest>> copies;  // Folded::equal
};
// Error: invalid-argument if the selector is invalid, or if --prune would delete what a file has that was skipped.
Result<Chosen> ChooseByLabels(apply::Manifests manifests, const ParsedFlags& flags);

// Leaves one manifest of each chosen object (apply/copies.h), and warns of the others, also of those that -l left out.
// `name_space`: of manifests without one. With --compat=kubectl, leaves all of them.
void FoldCopies(const ParsedFlags& flags, const std::string& name_space, Chosen& chosen, Io& io);

// Error: invalid-argument, with kubectl's messages.
Result<apply::PruneScope> ToPruneScope(const ParsedFlags& flags);
Result<std::optional<apply::PruneScope>> ToOptionalPruneScope(const ParsedFlags& flags);  // nullopt without --prune

// Returns the Applied to start an apply with: it has the namespace of -n and the objects that -l left out.
apply::Applied StartApplied(const Chosen& chosen, const auth::ConnectionConfig& config);

struct PruneOptions {
  apply::PruneScope scope;
  apply::PruneRunOptions run;
  bool ask = false;    // ask the user first
  std::string output;  // the value of -o
};
// Returns nullopt without --prune. Errors: invalid-argument; refused if the user must confirm but standard input is not
// a terminal or is the manifest.
Result<std::optional<PruneOptions>> ToPrune(const ParsedFlags& flags, apply::DryRun dry_run, int parallel);

// Call before the first object is applied, as kubectl does. Error: not-found if neither the server nor a CRD in the
// input defines a kind of the allowlist.
Status CheckPruneKinds(const Connection& connection, const PruneOptions& options, const apply::Manifests& manifests);

// Returns what to prune: of `set`, unless it is nullptr, else in the scope. Without a set, says on io.err how many objects
// of other kinds match -l and are left.
Result<std::vector<apply::Stale>> PlanPrune(const Connection& connection, const apply::Applied& applied,
                                            const apply::PruneScope& scope, const apply::ApplySet* set, Io& io);

// Call before the first object is applied. Error: refused, if more would be deleted than was reviewed. Says on io.err what
// PlanPrune does.
Status CheckPruned(const apply::Review& review, const Connection& connection, const Chosen& chosen,
                   const PruneOptions& options, const apply::ApplySet* set, Io& io);

// Shows what would be deleted, and asks.
Answer AskToPrune(const std::vector<apply::Stale>& plan, Io& io);

// What the user has agreed to before anything was applied; nullopt: he was not asked, or could not be.
using Agreed = std::optional<std::vector<apply::Stale>>;

struct Agreement {
  const apply::Review* review = nullptr;  // not owned; nullptr: nothing was reviewed
  const Agreed& stale;

  bool made() const { return review != nullptr || stale; }
};

// Call after an apply without errors. `set`: nullptr without --applyset; its parent is updated when all is pruned. Deletes only
// what was agreed to; asks only where that was not possible before. Returns the exit status, or an error before any object
// was deleted.
Result<int> PruneRest(const Connection& connection, const apply::Applied& applied, const PruneOptions& options,
                      const apply::ApplySet* set, const Agreement& agreement, Io& io);

}  // namespace smp::cmd
