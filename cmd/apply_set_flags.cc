#include "cmd/apply_set_flags.h"

#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/keep_live_flag.h"
#include "cmd/object_printer.h"
#include "cmd/version.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

constexpr const char* kSet = "applyset";

// KEP-3659: NAME/SEMVER. Differs from kubectl: it continues only its own sets, which it knows by the NAME.
std::string ToTooling(const ParsedFlags& flags) {
  const std::string tool = flags.Text("applyset-tooling");
  return StrCat(tool, "/", ClientVersion(), tool == "kubectl" ? "+kubectl-smp" : "");
}

Result<apply::ApplySetOptions> ToApplySetOptions(const ParsedFlags& flags, const auth::ConnectionConfig& config,
                                                 const apply::SubmitOptions& submit, Io& io) {
  SMP_ASSIGN(std::vector<KeepPath> keep_live, ToKeepLive(flags));
  return apply::ApplySetOptions{.parent = flags.Text(kSet),
                                .name_space = config.name_space_given ? config.name_space : "",
                                .tooling = ToTooling(flags),
                                .dry_run = submit.dry_run,
                                .field_validation = submit.field_validation,
                                .keep_live = std::move(keep_live),
                                .warn = [&io](const std::string& text) { Warn(io, text); }};
}

}  // namespace

std::vector<Flag> ApplySetFlagTable() {
  return Grouped(
      FlagGroup::kDeletion,
      {
          TextFlag(kSet, "[RESOURCE[.GROUP]/]NAME",
                   "with --prune: delete exactly the objects that were applied with the same parent object and are no "
                   "longer in any manifest, of whatever kind (KEP-3659); the parent is a Secret, configmap/NAME, or a "
                   "custom resource whose CRD allows it"),
          Choice("applyset-tooling", {"kubectl-smp", "kubectl"},
                 "with --applyset: the tool that may continue a new set, or one of kubectl-smp; a set of kubectl's "
                 "remains kubectl's",
                 "kubectl-smp"),
      });
}

Status CheckApplySetCombinations(const ParsedFlags& flags) {
  if (flags.Text(kSet).empty()) {
    if (!flags.Given("applyset-tooling")) return Ok();
    return Error::InvalidArgument("--applyset-tooling only works with --applyset");
  }
  if (!flags.On("prune")) return Error::InvalidArgument("--applyset requires --prune");
  if (flags.On("force")) return Error::InvalidArgument("--force cannot be used with --prune");
  if (flags.On("all")) return Error::InvalidArgument("--all is incompatible with --applyset");
  if (!flags.Text("selector").empty()) return Error::InvalidArgument("--selector is incompatible with --applyset");
  if (flags.List("prune-allowlist").empty()) return Ok();
  return Error::InvalidArgument("--prune-allowlist is incompatible with --applyset");
}

Result<std::optional<apply::ApplySet>> OpenApplySet(const ParsedFlags& flags, const Connection& connection,
                                                    const apply::SubmitOptions& submit, apply::Manifests& manifests,
                                                    Io& io) {
  if (flags.Text(kSet).empty()) return std::optional<apply::ApplySet>();
  SMP_ASSIGN(apply::ApplySetOptions options, ToApplySetOptions(flags, connection.config, submit, io));
  SMP_ASSIGN(apply::ApplySet set, apply::ApplySet::Open(*connection.client, std::move(options)));
  SMP_TRY(set.AddLabels(manifests));
  return std::optional(std::move(set));
}

void LeftSets::AddObject(const std::string& set, const kube::ObjectRef& ref) {
  if (!set.empty()) objects_[set].insert(LabelOf(ref));
}

void LeftSets::WarnOf(Io& io) const {
  for (const auto& [set, objects] : objects_) {
    const bool one = objects.size() == 1;
    Warn(io,
         StrCat(NameSome({objects.begin(), objects.end()}, kMostNamed), one ? " leaves" : " leave", " the ApplySet ",
                Visible(set, Newlines::kEscape), ", which will no longer prune ", one ? "it" : "them", ": ",
                one ? "its" : "their", " label ", apply::kPartOfLabel,
                has_set_ ? " names the set of --applyset now" : " is removed, because apply runs without --applyset"));
  }
}

}  // namespace smp::cmd
