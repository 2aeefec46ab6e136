#include "cmd/prune.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/interrupt.h"
#include "base/strings.h"
#include "cmd/confirm.h"
#include "cmd/deletion_flags.h"
#include "cmd/exit_code.h"
#include "kube/label_selector.h"
#include "value/escape.h"

namespace smp {

namespace {

constexpr int64_t kWithoutEndMs = int64_t{7} * 24 * 3600 * 1000;  // kubectl's idea of it: a week

std::string LabelOf(const Stale& object) { return Visible(Label(object.ref.gvk, object.ref.name), Newlines::kEscape); }

Error Labelled(const Stale& object, Error error) {
  error.path = Label(object.ref.gvk, object.ref.name);
  return error;
}

std::string_view Suffix(DryRun dry_run) {
  switch (dry_run) {
    case DryRun::kNone: return "";
    case DryRun::kClient: return " (dry run)";
    case DryRun::kServer: return " (server dry run)";
  }
  return "";
}

// With -o json and the like stdout is one document of what was applied.
void PrintPruned(const Stale& object, const PruneOptions& options, Io& io) {
  const bool lines = options.output.empty() || options.output == "name";
  std::ostream& out = lines ? io.out : io.err;
  out << LabelOf(object);
  if (options.output != "name") out << " pruned" << Suffix(options.dry_run);
  out << std::endl;
}

std::string PlanText(const std::vector<Stale>& plan) {
  std::string out = "applied before, and in no manifest now:\n";
  for (const Stale& object : plan) {
    out += StrCat("  ", LabelOf(object));
    if (!object.ref.name_space.empty()) out += StrCat(" in namespace ", Visible(object.ref.name_space));
    out += "\n";
  }
  return out;
}

Answer AskFor(const std::vector<Stale>& plan, Io& io) {
  const size_t n = plan.size();
  return Ask(StrCat(PlanText(plan), "delete ", n, n == 1 ? " object?" : " objects?"), io);
}

class Pruner {
 public:
  Pruner(Client& client, const PruneOptions& options, Io& io) : client_(client), options_(options), io_(io) {}

  int Run(const std::vector<Stale>& plan) {
    std::vector<const Stale*> deleted;
    for (const Stale& object : plan) {
      if (Stopped()) break;
      if (Delete(object)) deleted.push_back(&object);
    }
    if (options_.wait && options_.dry_run == DryRun::kNone) Await(deleted);
    return Stopped() ? static_cast<int>(kExitInterrupted) : exit_;
  }

 private:
  static bool Stopped() { return ProcessInterrupt().raised(); }

  bool Delete(const Stale& object) {
    if (options_.dry_run != DryRun::kClient) {
      const Storing storing = options_.dry_run == DryRun::kServer ? Storing::kServerDryRun : Storing::kYes;
      Status pruned = Prune(client_, object, options_.deletion, storing);
      if (!pruned.ok()) return Fail(object, std::move(pruned).error());
    }
    PrintPruned(object, options_, io_);
    return true;
  }

  // All of them within one --timeout.
  void Await(const std::vector<const Stale*>& deleted) {
    const int64_t timeout_ms = options_.deletion.timeout_ms > 0 ? options_.deletion.timeout_ms : kWithoutEndMs;
    const int64_t end = options_.clock->NowMs() + timeout_ms;
    for (const Stale* object : deleted) {
      const Awaited awaited =
          AwaitGone(client_, object->ref, object->uid, end - options_.clock->NowMs(), *options_.clock);
      if (awaited.absence == Absence::kInterrupted) return;
      if (awaited.absence != Absence::kTimedOut) continue;
      const std::string held = awaited.object ? WhatHolds(awaited.object->root()) : "";
      (void)Fail(*object,
                 {ErrorCode::kServer, StrCat("timed out waiting until it is gone", held.empty() ? "" : ": ", held)});
    }
  }

  bool Fail(const Stale& object, Error error) {
    exit_ = smp::Fail(io_, Labelled(object, std::move(error)), kExitFailed);
    return false;
  }

  Client& client_;
  const PruneOptions& options_;
  Io& io_;
  int exit_ = kExitOk;
};

// Only a person at a terminal is asked; scripts go on as with kubectl.
bool MustAsk(const ParsedFlags& flags, DryRun dry_run) {
  return dry_run == DryRun::kNone && !flags.On("yes") && isatty(STDERR_FILENO) == 1;
}

Status CheckCanAnswer(const ParsedFlags& flags) {
  const auto& files = flags.List("filename");
  const bool is_manifest = std::find(files.begin(), files.end(), "-") != files.end();
  if (!is_manifest && isatty(STDIN_FILENO) == 1) return Ok();
  return Error::Refused(
      StrCat("--prune asks before it deletes, and standard input ", is_manifest ? "is the manifest" : "is no terminal",
             ", so it cannot answer; --yes deletes without asking, --dry-run=server shows what would be"));
}

}  // namespace

std::vector<Flag> PruneFlagTable() {
  return {
      {.name = "selector",
       .letter = 'l',
       .placeholder = "LABELS",
       .help = "only objects with these labels: 'app=web,tier in (front,back),!canary'"},
      {.name = "all", .kind = FlagKind::kSwitch, .help = "with --prune: of all labels, instead of -l"},
      {.name = "prune",
       .kind = FlagKind::kSwitch,
       .help =
           "delete objects that were applied before and are in no manifest now, in the namespaces of the manifests"},
      {.name = "prune-allowlist",
       .kind = FlagKind::kArray,
       .placeholder = "GROUP/VERSION/KIND",
       .help = "the kinds that --prune deletes ('core/v1/ConfigMap'), instead of the usual ones that have namespaces; "
               "may be repeated",
       .hint = Hint::kNothing},
  };
}

Flag YesFlag() {
  return {.name = "yes", .kind = FlagKind::kSwitch, .help = "do not ask on a terminal before --prune deletes"};
}

Result<Chosen> ChooseByLabels(Manifests manifests, const ParsedFlags& flags) {
  SMP_ASSIGN(const LabelSelector selector, ParseLabelSelector(flags.Text("selector")));
  Chosen out;
  out.manifests.warnings = std::move(manifests.warnings);
  for (Result<Manifest>& item : manifests.items) {
    if (!item.ok() || Matches(selector, item->document.root())) {
      out.manifests.items.push_back(std::move(item));
    } else {
      out.left_out.push_back(*std::move(item));
    }
  }
  return out;
}

Result<PruneScope> ToPruneScope(const ParsedFlags& flags) {
  PruneScope out;
  out.selector = flags.Text("selector");
  for (const std::string& text : flags.List("prune-allowlist")) {
    SMP_ASSIGN(GroupVersionKind gvk, ParsePruneKind(text));
    out.allowlist.push_back(std::move(gvk));
  }
  return out;
}

Applied StartApplied(const Chosen& chosen, const ConnectionConfig& config) {
  Applied out;
  if (config.name_space_given) out.AddNamespace(config.name_space);
  for (const Manifest& manifest : chosen.left_out) out.AddLeftOut(manifest, config.name_space);
  return out;
}

Result<PruneOptions> ToPruneOptions(const ParsedFlags& flags, DryRun dry_run) {
  PruneOptions out;
  SMP_ASSIGN(out.scope, ToPruneScope(flags));
  SMP_ASSIGN(out.deletion, ToDeletion(flags));
  out.dry_run = dry_run;
  out.ask = MustAsk(flags, dry_run);
  if (out.ask) SMP_TRY(CheckCanAnswer(flags));
  out.wait = flags.On("wait");
  out.output = flags.Text("output");
  return out;
}

int PruneRest(const Connection& connection, const Applied& applied, const PruneOptions& options, Io& io) {
  const auto plan = PlanPrune(*connection.client, *connection.schemas, options.scope, applied);
  if (!plan.ok()) return Fail(io, plan.error(), kExitFailed);
  if (plan->empty()) return kExitOk;
  const Answer answer = options.ask ? AskFor(*plan, io) : Answer::kYes;
  if (answer == Answer::kYes) return Pruner(*connection.client, options, io).Run(*plan);
  io.err << "nothing was pruned" << std::endl;
  if (answer == Answer::kNo) return kExitOk;
  return ProcessInterrupt().raised() ? kExitInterrupted : kExitFailed;
}

}  // namespace smp
