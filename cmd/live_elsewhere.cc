#include "cmd/live_elsewhere.h"

#include <algorithm>
#include <string>
#include <utility>

#include "apply/last_applied.h"
#include "apply/manifest_form.h"
#include "apply/twins.h"
#include "base/strings.h"
#include "cmd/ignore_flag.h"
#include "explain/comparison.h"
#include "explain/states.h"

namespace smp::cmd {

namespace {

bool IsElsewhere(const ParsedFlags& flags) { return flags.Given("live-context") || flags.Given("live-namespace"); }

bool HasFiles(const ParsedFlags& flags) { return flags.Given("filename") || flags.Given("kustomize"); }

// The first of these flags that is given; "" if none is.
std::string FirstGiven(const ParsedFlags& flags, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (flags.Given(name)) return name;
  }
  return {};
}

Error Refuse(const std::string& flag, std::string_view why) {
  return Error::InvalidArgument(StrCat("--", flag, " cannot be used with ", why));
}

// Manifests and another cluster: nothing is read from this one.
Status CheckWithFiles(const ParsedFlags& flags) {
  if (flags.On("prune")) {
    return Refuse("prune",
                  "--live-context and --live-namespace; use --context to see what apply --prune would delete there");
  }
  if (flags.Given("live-namespace") && flags.Given("namespace")) {
    return Refuse("namespace", "-f and --live-namespace, which says where the live objects are");
  }
  if (!flags.Given("live-context")) return Ok();
  const std::string flag =
      FirstGiven(flags, {"context", "cluster", "user", "server", "token", "username", "password", "client-certificate",
                         "client-key", "certificate-authority", "tls-server-name", "insecure-skip-tls-verify"});
  if (flag.empty()) return Ok();
  return Refuse(flag, "-f and --live-context: manifests are only compared with the cluster of --live-context");
}

Status CheckComparison(const ParsedFlags& flags) {
  if (!IsElsewhere(flags)) {
    return Error::InvalidArgument(
        StrCat("Unexpected args: [", Join(flags.arguments(), " "),
               "]; name each file with -f. Objects by name are compared with those elsewhere: "
               "say where with --live-context or --live-namespace"));
  }
  if (HasFiles(flags)) {
    return Error::InvalidArgument(
        "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well");
  }
  const std::string flag =
      FirstGiven(flags, {"adopt", "ask-server", "cascade", "compat", "force", "force-conflicts", "force-dangerous",
                         "grace-period", "keep-live", "last-applied", "plan-out", "prune", "prune-allowlist",
                         "server-side", "show-managed-fields", "timeout"});
  if (!flag.empty()) return Refuse(flag, "objects by name: they are compared, and nothing is applied");
  if (flags.Text("show") == "live-only") return Refuse("show=live-only", "objects by name: what only one has is shown");
  const std::string format = flags.Text("output");
  if (format != "patch" && format != "curl" && format != "html") return Ok();
  return Refuse(StrCat("output=", format), "objects by name: they are compared, and nothing is applied");
}

Result<auth::ConnectionConfig> ChooseLive(const ParsedFlags& flags) {
  const std::string name_space = flags.Text(flags.Given("live-namespace") ? "live-namespace" : "namespace");
  return ChooseOtherConnection(flags, flags.Text("live-context"), name_space);
}

Status CheckIsElsewhere(const ParsedFlags& flags, const auth::ConnectionConfig& here,
                        const auth::ConnectionConfig& there) {
  if (here.server != there.server || here.name_space != there.name_space) return Ok();
  const std::string flag = !flags.Given("live-context")     ? "--live-namespace names"
                           : !flags.Given("live-namespace") ? "--live-context names"
                                                            : "--live-context and --live-namespace name";
  return Error::InvalidArgument(StrCat("the objects would be compared with themselves: ", flag,
                                       " the place where they are read from (server ", here.server, ", namespace ",
                                       here.name_space, ")"));
}

Result<apply::Manifest> AsManifestIn(const std::string& name_space, const Document& object) {
  return apply::ToManifest(name_space.empty() ? object : apply::WithNamespace(object, name_space));
}

Result<explain::ObjectReport> Compare(const apply::Twins& twins, const apply::Target& there,
                                      const ExplainOptions& options, UnmatchedIgnores& unmatched) {
  const kube::ObjectRef& ref = twins.there_ref;
  if (!twins.here) {
    explain::ObjectReport report = explain::ReportOnlyThere(ref.gvk, ref.name_space, ref.name);
    if (options.states) report.states = explain::StatesOfPruned(*twins.there, {options.report.secrets});
    unmatched.AddObject(nullptr);
    return report;
  }
  // What is only here keeps the namespace that it has.
  SMP_ASSIGN(const apply::Manifest here, AsManifestIn(twins.there ? ref.name_space : "", *twins.here));
  SMP_ASSIGN(apply::Prepared prepared, apply::PrepareComparison(here, twins.there, there));
  unmatched.AddObject(&prepared);
  explain::ObjectReport report = CompareObject(prepared, options);
  if (twins.there) {
    report.not_compared =
        apply::DifferencesLeftOut(*twins.here, *twins.there, *prepared.schema, prepared.resource.type);
  }
  return report;
}

// `side`: "here" or "there".
Status CheckNamespace(const Connection& connection, std::string_view side) {
  if (apply::HasNamespace(connection.target())) return Ok();
  const auth::ConnectionConfig& config = connection.config;
  return Error::NotFound(StrCat("namespaces \"", config.name_space, "\" not found (", side, ": context ",
                                config.context.empty() ? "-" : config.context, ", server ", config.server, ")"));
}

// Nothing to compare is an error, so that no misspelt label or namespace looks like two equal places.
Error NothingFound(const apply::SelectedTwins& twins, const apply::ObjectArguments& arguments, const Connection& here,
                   const Connection& there) {
  const auto in = [&](const Connection& place) {
    return twins.namespaced ? StrCat("in namespace ", place.config.name_space, " ") : std::string();
  };
  return Error::NotFound(StrCat("no objects to compare: no ", Join(twins.types, ", "),
                                arguments.selector.empty() ? "" : " with -l ", arguments.selector, " ", in(here),
                                "(here) or ", in(there), "(there)"));
}

// The namespaces are read only if nothing was found in them.
Status CheckFound(const apply::SelectedTwins& twins, const apply::ObjectArguments& arguments, const Connection& here,
                  const Connection& there) {
  const auto any = [&](auto side) {
    return std::ranges::any_of(twins.pairs, [&](const apply::Twins& pair) { return (pair.*side).has_value(); });
  };
  if (twins.namespaced && !any(&apply::Twins::here)) SMP_TRY(CheckNamespace(here, "here"));
  if (twins.namespaced && !any(&apply::Twins::there)) SMP_TRY(CheckNamespace(there, "there"));
  return twins.pairs.empty() ? Status(NothingFound(twins, arguments, here, there)) : Ok();
}

// `same_cluster`: an object without namespace would be compared with itself.
Status CheckTwins(const apply::Twins& twins, bool same_cluster) {
  if (twins.error) return *twins.error;
  if (!same_cluster || !twins.there_ref.name_space.empty()) return Ok();
  return Error::InvalidArgument(
      StrCat(twins.there_ref.gvk.kind, " ", twins.there_ref.name, " has no namespace: compare it with --live-context"));
}

explain::ObjectReport ReportTwins(const apply::Twins& twins, bool same_cluster, const apply::Target& there,
                                  const ExplainOptions& options, UnmatchedIgnores& unmatched) {
  Status checked = CheckTwins(twins, same_cluster);
  auto report = checked.ok() ? Compare(twins, there, options, unmatched)
                             : Result<explain::ObjectReport>(std::move(checked).error());
  if (report.ok()) return *std::move(report);
  unmatched.AddObject(nullptr);
  const kube::ObjectRef& ref = twins.there_ref;
  explain::ObjectReport out = explain::ReportOnlyThere(ref.gvk, ref.name_space, ref.name);
  out.action = explain::Action::kError;
  out.error = std::move(report).error();
  return out;
}

}  // namespace

std::vector<Flag> ElsewhereFlagTable() {
  return {
      TextFlag("live-context", "NAME",
               "read the live objects in this context of the kubeconfig: with -f, what apply would change there; "
               "with TYPE/NAME, what differs between the objects here and there",
               Hint::kContext),
      TextFlag("live-namespace", "NAMESPACE",
               "read the live objects in this namespace, whatever the manifests or the context say", Hint::kNamespace)};
}

bool ComparesObjects(const ParsedFlags& flags) { return !flags.arguments().empty(); }

Status CheckElsewhereCombinations(const ParsedFlags& flags, bool offline) {
  for (const char* name : {"live-context", "live-namespace"}) {
    if (flags.Given(name) && flags.Text(name).empty()) {
      return Error::InvalidArgument(StrCat("--", name, " must not be empty"));
    }
  }
  if (offline && (IsElsewhere(flags) || ComparesObjects(flags))) {
    const std::string flag = flags.Given("live") ? "live" : "original";
    return Refuse(flag, IsElsewhere(flags)
                            ? "--live-context and --live-namespace, which read live objects from a cluster"
                            : "objects by name, which are read from a cluster");
  }
  if (ComparesObjects(flags)) return CheckComparison(flags);
  return IsElsewhere(flags) ? CheckWithFiles(flags) : Ok();
}

Result<Connection> ConnectToLive(const ParsedFlags& flags, Io& io) {
  if (!IsElsewhere(flags)) return Connect(flags, io);
  SMP_ASSIGN(auth::ConnectionConfig config, ChooseLive(flags));
  return ConnectTo(std::move(config), flags, io);
}

void MoveToLiveNamespace(const ParsedFlags& flags, apply::Manifests& manifests) {
  if (!flags.Given("live-namespace")) return;
  for (Result<apply::Manifest>& manifest : manifests.items) {
    if (!manifest.ok() || manifest->name_space.empty()) continue;
    manifest->name_space = flags.Text("live-namespace");
    manifest->document = apply::WithNamespace(manifest->document, manifest->name_space);
  }
}

Result<explain::Report> CompareElsewhere(const ParsedFlags& flags, ExplainOptions options, Io& io) {
  SMP_ASSIGN(const Connection here, Connect(flags, io));
  SMP_ASSIGN(const Connection there, ConnectToLive(flags, io));
  SMP_TRY(CheckIsElsewhere(flags, here.config, there.config));
  SMP_TRY(ResolveKinds(options.ignored, there.client.get()));
  const apply::ObjectArguments arguments = {flags.arguments(), flags.Text("selector"), flags.On("all"),
                                            apply::ObjectArguments::BareType::kMeansAll};
  SMP_ASSIGN(const apply::SelectedTwins twins, apply::SelectTwins(arguments, here.target(), there.target()));
  SMP_TRY(CheckFound(twins, arguments, here, there));
  explain::Report report;
  report.context = ToContext(there.config);
  report.here = ToContext(here.config);
  UnmatchedIgnores unmatched(options.ignored);
  const bool same_cluster = here.config.server == there.config.server;
  for (const apply::Twins& pair : twins.pairs) {
    report.objects.push_back(ReportTwins(pair, same_cluster, there.target(), options, unmatched));
  }
  unmatched.WarnOf(io);
  return report;
}

}  // namespace smp::cmd
