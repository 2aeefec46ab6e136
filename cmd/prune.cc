#include "cmd/prune.h"

#include <set>
#include <utility>

#include "apply/copies.h"
#include "apply/input_definitions.h"
#include "apply/recreate.h"
#include "base/interrupt.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/apply_set_flags.h"
#include "cmd/deletion_flags.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/object_printer.h"
#include "cmd/question.h"
#include "kube/label_selector.h"
#include "kube/resource_mapper.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

Error Labelled(const apply::Stale& object, Error error) {
  error.path = apply::Label(object.ref.gvk, object.ref.name);
  return error;
}

// Prints the result line to io.out, or to io.err if -o makes io.out one document (such as json) of the applied objects.
void PrintPruned(const apply::Stale& object, const PruneOptions& options, Io& io) {
  if (options.output == "name") return Print(io, StrCat(LabelOf(object.ref), "\n"));
  const std::string line = StrCat(LabelOf(object.ref), " pruned", DryRunSuffix(options.run.dry_run), "\n");
  options.output.empty() || options.output == "changed" ? Print(io, line) : Tell(io, line);
}

constexpr std::string_view kStale = "applied before, but no longer in any manifest:\n";

std::string PlanText(const std::vector<apply::Stale>& plan) {
  std::string out;
  for (const apply::Stale& object : plan) {
    out += StrCat("  ", LabelOf(object.ref));
    if (!object.ref.name_space.empty()) out += StrCat(" in namespace ", Visible(object.ref.name_space));
    if (const std::string_view held = apply::HeldBy(object.ref.gvk); !held.empty())
      out += StrCat(", and with it ", held);
    out += "\n";
  }
  return out;
}

// Names what is deleted before the first request: if the program is killed then, nothing is gone that was not named.
// kubectl only prints each object after its deletion.
void Announce(const std::vector<apply::Stale>& plan, const PruneOptions& options, Io& io) {
  const bool as_kubectl = options.scope.server_side_manager.empty();
  if (options.run.dry_run != apply::DryRun::kNone || as_kubectl) return;
  Tell(io, StrCat("deleting what was ", kStale, PlanText(plan)));
}

int CarryOut(const Connection& connection, const std::vector<apply::Stale>& plan, const PruneOptions& options, Io& io) {
  const apply::PruneReport report = {
      .pruned = [&](const apply::Stale& object) { PrintPruned(object, options, io); },
      .failed = [&](const apply::Stale& object,
                    Error error) { Fail(io, Labelled(object, std::move(error)), kExitFailed); },
      .not_tried =
          [&](const apply::Stale& object) {
            Tell(io, StrCat("interrupted: ", LabelOf(object.ref), " was not pruned\n"));
          }};
  switch (apply::PruneAll(*connection.client, ProcessClock(), plan, options.run, report)) {
    case apply::PruneEnd::kDone: return kExitOk;
    case apply::PruneEnd::kFailed: return kExitFailed;
    case apply::PruneEnd::kInterrupted: return kExitInterrupted;
  }
  return kExitFailed;
}

constexpr size_t kMostLeft = 3;

// Differs from kubectl: it does not say what it leaves. Says nothing if -l does not tell whose the objects are, and in
// kubectl's dialect.
void TellOfOtherKinds(const Connection& connection, const apply::Applied& applied, const apply::PruneScope& scope,
                      Io& io) {
  if (scope.selector.empty() || scope.server_side_manager.empty()) return;
  kube::ResourceMapper mapper(connection.client.get());
  const auto left = apply::FindOtherKinds(*connection.client, mapper, scope, applied);
  if (!left.ok() || left->empty()) return;
  std::vector<std::string> names;
  for (const apply::Stale& object : *left) names.push_back(LabelOf(object.ref));
  Tell(io, StrCat("--prune leaves ", names.size(), names.size() == 1 ? " object" : " objects",
                  " of other kinds that match -l and are no longer in any manifest: ", NameSome(names, kMostLeft),
                  "; name the kinds with --prune-allowlist, or use --applyset\n"));
}

Result<std::vector<apply::Stale>> FindPlan(const Connection& connection, const apply::Applied& applied,
                                           const apply::PruneScope& scope, const apply::ApplySet* set) {
  if (set != nullptr) return set->PlanPrune(applied);
  return apply::PlanPrune(*connection.client, *connection.schemas, scope, applied);
}

// While the user thought about the answer, somebody may have given an object to another set, or other labels.
Status KeepCurrent(std::vector<apply::Stale>& plan, const Connection& connection, const apply::Applied& applied,
                   const apply::PruneScope& scope, const apply::ApplySet* set) {
  SMP_ASSIGN(const auto now, FindPlan(connection, applied, scope, set));
  std::set<std::string> uids;
  for (const apply::Stale& stale : now) uids.insert(stale.uid);
  std::erase_if(plan, [&](const apply::Stale& stale) { return !uids.contains(stale.uid); });
  return Ok();
}

// Differs from kubectl: it does not ask. Without a terminal we do not ask either, so that scripts work as with kubectl.
bool MustAsk(const ParsedFlags& flags, apply::DryRun dry_run) {
  const bool reviewed = flags.Given("plan") || flags.On("confirm");
  return dry_run == apply::DryRun::kNone && !reviewed && !flags.On("yes") && ErrorsGoToTerminal();
}

// Leaves those that the user has agreed to, and names the others. Returns false if there are such.
bool KeepAgreed(std::vector<apply::Stale>& plan, const std::vector<apply::Stale>& agreed, Io& io) {
  std::set<std::string> uids;
  for (const apply::Stale& stale : agreed) uids.insert(stale.uid);
  std::vector<std::string> left;
  for (const apply::Stale& stale : plan) {
    if (!uids.contains(stale.uid)) left.push_back(LabelOf(stale.ref));
  }
  std::erase_if(plan, [&](const apply::Stale& stale) { return !uids.contains(stale.uid); });
  if (left.empty()) return true;
  Warn(io, StrCat("not pruned, because it was not there when you were asked: ", NameSome(std::move(left), kMostLeft)));
  return false;
}

}  // namespace

std::vector<Flag> PruneFlagTable() {
  std::vector<Flag> out = Grouped(
      FlagGroup::kDeletion,
      {
          {.name = "selector",
           .letter = 'l',
           .placeholder = "LABELS",
           .help = "select objects by label, e.g. 'app=web,tier in (front,back),!canary'",
           .group = FlagGroup::kInput},
          In(FlagGroup::kInput, Switch("all", "with --prune: select objects with any labels, instead of -l")),
          Switch("prune",
                 "delete objects that were applied before and are no longer in any manifest, in the namespaces of the "
                 "manifests"),
          {.name = "prune-allowlist",
           .kind = FlagKind::kArray,
           .placeholder = "GROUP/VERSION/KIND",
           .help = "kind that --prune deletes, e.g. core/v1/ConfigMap, instead of the default namespaced kinds; can be "
                   "repeated",
           .hint = Hint::kPruneKind},
      });
  for (Flag& flag : ApplySetFlagTable()) out.push_back(std::move(flag));
  return out;
}

Flag YesFlag() {
  return In(FlagGroup::kDeletion, Switch("yes", "delete without asking for confirmation on a terminal (--prune)"));
}

Result<Chosen> ChooseByLabels(apply::Manifests manifests, const ParsedFlags& flags) {
  SMP_ASSIGN(const kube::LabelSelector selector, kube::ParseLabelSelector(flags.Text("selector")));
  if (flags.On("prune") && !manifests.warnings.empty())
    return Error::InvalidArgument("--prune needs all manifests, and a file was skipped");
  Chosen out;
  out.manifests.warnings = std::move(manifests.warnings);
  out.manifests.refused = std::move(manifests.refused);
  for (Result<apply::Manifest>& item : manifests.items) {
    if (!item.ok() || kube::Matches(selector, item->document.root())) {
      out.manifests.items.push_back(std::move(item));
    } else {
      out.left_out.push_back(*std::move(item));
    }
  }
  return out;
}

void FoldCopies(const ParsedFlags& flags, const std::string& name_space, Chosen& chosen, Io& io) {
  if (flags.Given("compat")) return;
  const apply::Copies copies = flags.Text("duplicates") == "last" ? apply::Copies::kLast : apply::Copies::kRefuse;
  apply::Folded folded = apply::FoldCopies(chosen.manifests, name_space, copies);
  for (const std::string& warning : folded.warnings) Warn(io, warning);
  chosen.copies = std::move(folded.equal);
  for (const std::string& warning : apply::CopiesLeftOut(chosen.manifests, chosen.left_out, name_space)) {
    Warn(io, warning);
  }
}

Result<apply::PruneScope> ToPruneScope(const ParsedFlags& flags) {
  apply::PruneScope out;
  out.selector = flags.Text("selector");
  if (flags.Given("field-manager")) out.server_side_manager = flags.Text("field-manager");
  if (flags.Given("compat")) out.server_side_manager.clear();
  for (const std::string& text : flags.List("prune-allowlist")) {
    SMP_ASSIGN(GroupVersionKind gvk, apply::ParsePruneKind(text));
    out.allowlist.push_back(std::move(gvk));
  }
  return out;
}

Result<std::optional<apply::PruneScope>> ToOptionalPruneScope(const ParsedFlags& flags) {
  if (!flags.On("prune")) return std::optional<apply::PruneScope>();
  SMP_ASSIGN(apply::PruneScope scope, ToPruneScope(flags));
  return std::optional(std::move(scope));
}

apply::Applied StartApplied(const Chosen& chosen, const auth::ConnectionConfig& config) {
  apply::Applied out;
  if (config.name_space_given) out.AddNamespace(config.name_space);
  for (const apply::Manifest& manifest : chosen.left_out) out.AddLeftOut(manifest, config.name_space);
  return out;
}

Result<std::optional<PruneOptions>> ToPrune(const ParsedFlags& flags, apply::DryRun dry_run, int parallel) {
  if (!flags.On("prune")) return std::optional<PruneOptions>();
  PruneOptions out;
  SMP_ASSIGN(out.scope, ToPruneScope(flags));
  SMP_ASSIGN(out.run.deletion, ToDeletion(flags));
  out.run.dry_run = dry_run;
  out.ask = MustAsk(flags, dry_run);
  if (out.ask) {
    SMP_TRY(CheckCanAnswer(flags, "--prune",
                           "use --yes to delete without asking, or --dry-run=server to see what would be deleted"));
  }
  out.run.wait = flags.On("wait");
  out.run.parallel = parallel;
  out.output = flags.Text("output");
  return std::optional(std::move(out));
}

Status CheckPruneKinds(const Connection& connection, const PruneOptions& options, const apply::Manifests& manifests) {
  const apply::InputDefinitions definitions = apply::DefinitionsOf(manifests);
  for (const GroupVersionKind& gvk : options.scope.allowlist) {
    if (!definitions.kinds.contains(gvk)) SMP_TRY(connection.schemas->FindResource(gvk));
  }
  return Ok();
}

Result<std::vector<apply::Stale>> PlanPrune(const Connection& connection, const apply::Applied& applied,
                                            const apply::PruneScope& scope, const apply::ApplySet* set, Io& io) {
  SMP_ASSIGN(auto plan, FindPlan(connection, applied, scope, set));
  if (set == nullptr) TellOfOtherKinds(connection, applied, scope, io);
  return plan;
}

Status CheckPruned(const apply::Review& review, const Connection& connection, const Chosen& chosen,
                   const PruneOptions& options, const apply::ApplySet* set, Io& io) {
  apply::Applied applied = StartApplied(chosen, connection.config);
  review.AddTo(applied);
  SMP_ASSIGN(const auto plan, PlanPrune(connection, applied, options.scope, set, io));
  return review.CheckPruned(plan);
}

Answer AskToPrune(const std::vector<apply::Stale>& plan, Io& io) {
  const size_t n = plan.size();
  return Ask(StrCat(kStale, PlanText(plan), "delete ", n, n == 1 ? " object?" : " objects?"), io);
}

Result<int> PruneRest(const Connection& connection, const apply::Applied& applied, const PruneOptions& options,
                      const apply::ApplySet* set, const Agreement& agreement, Io& io) {
  SMP_ASSIGN(auto plan, FindPlan(connection, applied, options.scope, set));
  if (set == nullptr && !agreement.made()) TellOfOtherKinds(connection, applied, options.scope, io);
  if (agreement.review != nullptr) SMP_TRY(agreement.review->CheckPruned(plan));
  const bool all = !agreement.stale || KeepAgreed(plan, *agreement.stale, io);
  const bool asks = options.ask && !agreement.made() && !plan.empty();
  if (const Answer answer = asks ? AskToPrune(plan, io) : Answer::kYes; answer != Answer::kYes) {
    Tell(io, "nothing was pruned\n");
    if (set != nullptr) SMP_TRY(set->KeepSuperset());
    return answer == Answer::kNo ? kExitOk : ExitOf(answer);
  }
  if (asks) SMP_TRY(KeepCurrent(plan, connection, applied, options.scope, set));
  if (!asks && !agreement.made() && !plan.empty()) Announce(plan, options, io);
  const int exit = plan.empty() ? kExitOk : CarryOut(connection, plan, options, io);
  if (set != nullptr) SMP_TRY(all && exit == kExitOk ? set->WriteExact() : set->KeepSuperset());
  return exit;
}

}  // namespace smp::cmd
