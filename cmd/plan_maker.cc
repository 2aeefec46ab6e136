#include "cmd/plan_maker.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "apply/copies.h"
#include "base/digest.h"
#include "base/private_file.h"
#include "base/strings.h"
#include "cmd/version.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

constexpr std::string_view kWhat = "the plan";
constexpr size_t kNonceBytes = 16;

// The flags that decide what is sent, beside those that only choose manifests.
constexpr std::array kSwitches = {"server-side", "force-conflicts", "force", "force-dangerous", "prune"};
constexpr std::array kTexts = {"field-manager", "last-applied", "compat",          "selector",
                               "applyset",      "cascade",      "applyset-tooling"};
constexpr std::array kLists = {"keep-live", "adopt", "prune-allowlist"};

std::map<std::string, std::string> OptionsOf(const ParsedFlags& flags) {
  std::map<std::string, std::string> out;
  for (const char* name : kSwitches) {
    if (flags.On(name)) out[name] = "true";
  }
  for (const char* name : kTexts) {
    if (std::string text = flags.Text(name); !text.empty()) out[name] = std::move(text);
  }
  for (const char* name : kLists) {
    std::vector<std::string> values = flags.List(name);
    std::ranges::sort(values);
    if (!values.empty()) out[name] = Join(values, ",");
  }
  return out;
}

std::string OptionText(const std::string& name, const std::map<std::string, std::string>& options) {
  const auto found = options.find(name);
  if (found == options.end()) return StrCat("without --", name);
  return found->second == "true" ? StrCat("with --", name) : StrCat("with --", name, "=", found->second);
}

// Error: refused, if both runs have not the same flags.
Status CheckOptions(const std::map<std::string, std::string>& planned, const std::map<std::string, std::string>& now) {
  std::set<std::string> names;
  for (const auto* options : {&planned, &now}) {
    for (const auto& [name, value] : *options) names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string before = OptionText(name, planned), after = OptionText(name, now);
    if (before == after) continue;
    return Error::Refused(StrCat("the plan was made ", before, ", and this apply is ", after, "; use the same flags"));
  }
  return Ok();
}

Result<std::string> UidOf(const std::string& name_space, const Connection& connection) {
  SMP_ASSIGN(const Document found, connection.client->Get({{"", "v1", "Namespace"}, "namespaces", "", name_space}));
  return std::string(TextAt(found.root(), {"metadata", "uid"}));
}

struct Anchor {
  std::string name_space, uid;
};

// Returns the Namespace whose UID identifies the cluster: kube-system, else that of the connection.
Result<Anchor> FindAnchor(const Connection& connection) {
  const std::string& own = connection.config.name_space;
  for (const std::string& name : {std::string("kube-system"), own}) {
    Result<std::string> uid = UidOf(name, connection);
    if (uid.ok() && !uid->empty()) return Anchor{name, *std::move(uid)};
    const bool may_differ =
        uid.ok() || uid.error().code == ErrorCode::kForbidden || uid.error().code == ErrorCode::kNotFound;
    if (!may_differ) return std::move(uid).error();
  }
  return Error::Refused(
      StrCat("a plan is for one cluster, which the UID of a Namespace identifies, but neither kube-system nor ", own,
             " can be read; allow the user to get one of them"));
}

// Only with --compat=kubectl: else one of each object is left.
Status CheckOnce(const apply::Manifests& manifests, const std::string& name_space) {
  std::set<apply::Identity> seen;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (!manifest.ok() || seen.insert(apply::IdentityOf(*manifest, name_space)).second) continue;
    Error error = Error::Refused("the object is in the input more than once, and a plan has each object once");
    error.source = manifest->source();
    return error;
  }
  return Ok();
}

Status CheckNew(const std::string& path) {
  if (path.empty()) return Error::InvalidArgument("--plan-out needs the name of a file");
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return Ok();
  return Error::InvalidArgument(StrCat(kWhat, " ", path, " exists already, and is not replaced; remove it first"));
}

Status CheckServer(const apply::PlanFile& plan, const Connection& connection) {
  const std::string& server = connection.config.server;
  if (plan.server == server) return Ok();
  return Error::Refused(StrCat("the plan was made for the server ", plan.server, ", not for ", server));
}

Status CheckDigests(const apply::PlanFile& plan, const apply::PlanKey& key, const std::string& file) {
  if (plan.cluster != key.cluster_id()) {
    return Error::Refused(StrCat("the plan was made for another cluster: the Namespace ", plan.anchor,
                                 " has another UID here, or ", file, " is damaged"));
  }
  if (plan.digest == key.DigestOfPlan(plan.content)) return Ok();
  return Error::Refused(
      StrCat(file, " was changed after it was written; make a new plan with explain-diff --plan-out"));
}

}  // namespace

Flag PlanOutFlag() {
  return FileFlag(
      kPlanOut,
      "also write what apply would do to this new file, for apply --plan; without errors only. It has digests, no "
      "values");
}

Flag PlanFlag() {
  return FileFlag(
      kPlan,
      "send only what explain-diff --plan-out has written to this file; refuse and explain the objects for which "
      "something else would be sent now");
}

Result<PlanMaker> PlanMaker::Start(const ParsedFlags& flags, const Connection& connection,
                                   const apply::Manifests& manifests) {
  if (flags.Given(kPlanOut)) SMP_TRY(CheckNew(flags.Text(kPlanOut)));
  SMP_TRY(CheckOnce(manifests, connection.config.name_space));
  SMP_ASSIGN(const Anchor anchor, FindAnchor(connection));
  const std::optional<std::string> nonce = RandomBytes(kNonceBytes);
  if (!nonce) return Error::Internal("the system has no random bytes for the plan");
  apply::PlanFile plan = {std::string(ClientVersion()), Hex(*nonce), connection.config.server, anchor.name_space};
  SMP_ASSIGN(apply::PlanKey key, apply::PlanKey::Make(anchor.uid, plan.nonce, manifests));
  plan.cluster = key.cluster_id();
  plan.options = OptionsOf(flags);
  return PlanMaker(std::move(plan), std::move(key));
}

void PlanMaker::Add(const apply::Prepared& prepared, explain::Action action) {
  if (action == explain::Action::kError) return;
  const auto recreation = action == explain::Action::kRecreate ? apply::Recreation::kYes : apply::Recreation::kNo;
  plan_.objects.push_back(apply::PlanOf(prepared, recreation, key_));
}

void PlanMaker::AddPruned(const std::vector<apply::Stale>& stale) {
  for (const apply::Stale& one : stale) plan_.objects.push_back(apply::PlanOf(one, key_));
}

Status PlanMaker::Write(const std::string& path, const explain::Report& report, Io& io) const {
  const bool failed = std::ranges::any_of(report.objects, [](const auto& object) { return object.error.has_value(); });
  if (failed) {
    Warn(io, "no plan was written, because of errors");
    return Ok();
  }
  SMP_TRY(CreatePrivateFile(path, apply::WritePlanFile(plan_, key_), kWhat));
  Tell(io, StrCat("wrote the plan to ", Visible(path, Newlines::kEscape), "\n"));
  return Ok();
}

Result<std::optional<apply::Review>> OpenPlan(const ParsedFlags& flags, const Connection& connection,
                                              const apply::Manifests& manifests, Io& io) {
  if (!flags.Given(kPlan)) return std::optional<apply::Review>();
  const std::string file = flags.Text(kPlan);
  SMP_ASSIGN(const PrivateText read, ReadPrivateFile(file, apply::kMaxPlanBytes, kWhat));
  if (read.others_read) Warn(io, StrCat(file, " may be read by others; chmod 600 ", file));
  SMP_ASSIGN(apply::PlanFile plan, apply::ReadPlanFile(read.text, file));
  SMP_TRY(CheckServer(plan, connection));
  SMP_TRY(CheckOptions(plan.options, OptionsOf(flags)));
  SMP_ASSIGN(const std::string uid, UidOf(plan.anchor, connection));
  SMP_ASSIGN(apply::PlanKey key, apply::PlanKey::Make(uid, plan.nonce, manifests));
  SMP_TRY(CheckDigests(plan, key, file));
  apply::Review review(std::move(plan), std::move(key));
  SMP_TRY(review.CheckInput(manifests, connection.config.name_space));
  return std::optional(std::move(review));
}

}  // namespace smp::cmd
