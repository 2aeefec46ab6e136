#include "cmd/apply_preview.h"

#include <algorithm>
#include <string>
#include <utility>

#include "apply/input_definitions.h"
#include "apply/pipeline.h"
#include "base/strings.h"
#include "cmd/color.h"
#include "cmd/exit_code.h"
#include "cmd/explain_diff_output.h"
#include "cmd/explained_input.h"
#include "cmd/plan_maker.h"
#include "cmd/question.h"
#include "explain/text.h"

namespace smp::cmd {

namespace {

constexpr const char* kConfirm = "confirm";
constexpr const char* kCheck = "check";

bool Asks(const ParsedFlags& flags) { return flags.On(kConfirm); }
bool Checks(const ParsedFlags& flags) { return flags.Text(kCheck) == "all"; }

// Returns the explanation of the input, with the server's answers if --check=all asks for them.
Result<explain::Report> ExplainAll(const ParsedFlags& flags, const ToPreview& input, PlanMaker* plan, Io& io) {
  const bool prunes = Asks(flags) && input.prune;
  const apply::InputDefinitions definitions = apply::DefinitionsOf(input.chosen.manifests);
  return ExplainInput({.connection = input.connection,
                       .chosen = input.chosen,
                       .definitions = definitions,
                       .target = input.target,
                       .prune = prunes ? std::optional(input.prune->scope) : std::nullopt,
                       .set = input.set,
                       .parallel = input.parallel,
                       .asks = Checks(flags),
                       .field_validation = input.explain.submit.field_validation,
                       .plan = plan},
                      input.explain, io);
}

std::string NameOf(const explain::ObjectReport& object) {
  return Visible(StrCat(object.kind, "/", object.name), Newlines::kEscape);
}

// Returns the exit status if an object has an error; nullopt if all may be applied.
std::optional<int> StopAtErrors(const explain::Report& report, Io& io) {
  TellErrors(report, io);
  const auto failed =
      std::ranges::count_if(report.objects, [](const auto& object) { return object.error.has_value(); });
  if (failed == 0) return std::nullopt;
  Tell(io, StrCat("nothing was applied, because ", failed, " of ", report.objects.size(), " objects ",
                  failed == 1 ? "has an error\n" : "have errors\n"));
  return kExitFailed;
}

void TellUnasked(const explain::Report& report, Io& io) {
  for (const explain::ObjectReport& object : report.objects) {
    const bool asked = object.unasked.empty() || object.action == explain::Action::kPrune;
    if (!asked) Warn(io, StrCat(NameOf(object), ": not checked by the server: ", object.unasked));
  }
}

// Shows the explanation and asks. Returns the exit status unless the answer is yes.
std::optional<int> Confirm(const explain::Report& report, Io& io) {
  const bool differs = std::ranges::any_of(
      report.objects, [](const auto& object) { return object.differs() || object.becomes_server_side; });
  const explain::TextOptions options = {
      .width = TerminalWidth().value_or(explain::TextOptions().width), .legend = true, .color = ColorByDefault()};
  Tell(io, explain::PrintText(report, options));
  const Answer answer = differs ? Ask("\napply these changes?", io) : Answer::kYes;
  if (answer == Answer::kYes) return std::nullopt;
  Tell(io, "nothing was applied\n");
  return ExitOf(answer);
}

// Carries out --check and --confirm.
Status Explain(const ParsedFlags& flags, const ToPreview& input, Preview& out, Io& io) {
  std::optional<PlanMaker> plan;
  if (Asks(flags)) {
    SMP_ASSIGN(PlanMaker maker, PlanMaker::Start(flags, input.connection, input.chosen.manifests));
    plan = std::move(maker);
  }
  SMP_ASSIGN(explain::Report report, ExplainAll(flags, input, plan ? &*plan : nullptr, io));
  report.asking_flag = kAskingFlag;
  TellUnasked(report, io);
  out.exit = StopAtErrors(report, io);
  if (!plan || out.exit) return Ok();
  out.exit = Confirm(report, io);
  out.asked = true;
  out.review = std::move(*plan).ToReview();
  return Ok();
}

// Returns what --prune would delete, as reading shows; nullopt if an object of the input cannot be read or planned now.
Result<std::optional<std::vector<apply::Stale>>> FindStale(const ToPreview& input, Io& io) {
  using Found = std::optional<std::vector<apply::Stale>>;
  const apply::Manifests& manifests = input.chosen.manifests;
  const apply::InputDefinitions definitions = apply::DefinitionsOf(manifests);
  apply::Target target = input.target;
  target.definitions = &definitions;
  apply::Applied applied = StartApplied(input.chosen, input.connection.config);
  bool all = true;
  SMP_TRY(apply::PrepareAll(manifests, target, {.parallel = input.parallel},
                            [&](const Result<apply::Manifest>&, const Result<apply::Prepared>& prepared) {
                              all = all && prepared.ok();
                              if (!prepared.ok()) return;
                              applied.AddObject(prepared->ref, prepared->live ? prepared->live->root() : Value());
                            }));
  if (!all) return Found();
  SMP_ASSIGN(auto stale, PlanPrune(input.connection, applied, input.prune->scope, input.set, io));
  return Found(std::move(stale));
}

}  // namespace

std::vector<Flag> PreviewFlagTable() {
  return {
      PlanFlag(),
      Switch(kConfirm, "first show what would change, as explain-diff does, and ask; send only that; needs a terminal"),
      Choice(kCheck, {"all"},
             "first send all objects to the server as dry runs, which store nothing; apply nothing if one is refused")};
}

Status CheckPreviewCombinations(const ParsedFlags& flags, apply::DryRun dry_run) {
  const bool plan = flags.Given(kPlan);
  if (!flags.Text("subresource").empty() && (plan || Asks(flags) || Checks(flags))) {
    return Error::InvalidArgument("--subresource cannot be used with --plan, --confirm or --check");
  }
  if (!Asks(flags)) return Ok();
  if (plan) return Error::InvalidArgument("--confirm cannot be used with --plan, which was reviewed already");
  if (flags.On("yes")) return Error::InvalidArgument("--confirm cannot be used with --yes");
  if (dry_run != apply::DryRun::kNone) {
    return Error::InvalidArgument("--confirm cannot be used with --dry-run, which changes nothing");
  }
  if (!ErrorsGoToTerminal()) {
    return Error::Refused(
        "--confirm asks on standard error, which is not a terminal; use explain-diff --plan-out, and then "
        "apply --plan");
  }
  return CheckCanAnswer(flags, "--confirm", "use explain-diff --plan-out, and then apply --plan");
}

Result<Preview> PreviewApply(const ParsedFlags& flags, const ToPreview& input, Io& io) {
  Preview out;
  SMP_ASSIGN(out.review, OpenPlan(flags, input.connection, input.chosen.manifests, io));
  if (out.review && input.prune) {
    SMP_TRY(CheckPruned(*out.review, input.connection, input.chosen, *input.prune, input.set, io));
  }
  if (Asks(flags) || Checks(flags)) SMP_TRY(Explain(flags, input, out, io));
  const bool reviewed = out.exit || out.review;
  if (reviewed || !input.prune || !input.prune->ask) return out;
  SMP_ASSIGN(out.agreed, FindStale(input, io));
  if (!out.agreed || out.agreed->empty()) return out;
  out.asked = true;
  const Answer answer = AskToPrune(*out.agreed, io);
  if (answer == Answer::kYes) return out;
  Tell(io, "nothing was applied or pruned\n");
  out.exit = ExitOf(answer);
  return out;
}

}  // namespace smp::cmd
