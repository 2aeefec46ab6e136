#include "cmd/override_flags.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/connection.h"
#include "cmd/document_file.h"
#include "karmada/policy.h"
#include "karmada/select.h"
#include "schema/builtin.h"
#include "value/redact.h"

namespace smp::cmd {

namespace {

constexpr size_t kNamedSteps = 3;  // listed in one row of a report

const std::vector<std::string> kClusterFlags = {"member-cluster", "member-cluster-labels", "member-cluster-provider",
                                                "member-cluster-region", "member-cluster-zones"};

std::vector<std::string> PolicyFiles(const ParsedFlags& flags) {
  std::vector<std::string> out = flags.List("policy");
  const std::vector<std::string>& more = flags.List("override");
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

Result<std::map<std::string, std::string>> ToLabels(const std::vector<std::string>& pairs) {
  std::map<std::string, std::string> out;
  for (const std::string& pair : pairs) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error::InvalidArgument(
          StrCat("--member-cluster-labels must be KEY=VALUE pairs separated by commas, found \"", pair, "\""));
    }
    out[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return out;
}

Result<karmada::MemberCluster> ClusterOfFile(const ParsedFlags& flags, Io& io) {
  for (const std::string& flag : kClusterFlags) {
    if (flags.Given(flag)) {
      return Error::InvalidArgument(StrCat(
          "--", flag, " and --member-cluster-file cannot be used together: the file describes the whole cluster"));
    }
  }
  SMP_ASSIGN(const Document file, ReadObject(flags, "member-cluster-file", io));
  auto cluster = karmada::ReadCluster(file.root());
  if (cluster.ok()) return cluster;
  Error error = std::move(cluster).error();
  error.source = {file.source_name(), 0};
  return error;
}

// Properties without a flag stay unknown; a rule that depends on an unknown property is an error.
Result<karmada::MemberCluster> DescribedCluster(const ParsedFlags& flags, Io& io) {
  if (flags.Given("member-cluster-file")) return ClusterOfFile(flags, io);
  karmada::MemberCluster out;
  if (flags.Given("member-cluster")) out.name = flags.Text("member-cluster");
  if (flags.Given("member-cluster-provider")) out.provider = flags.Text("member-cluster-provider");
  if (flags.Given("member-cluster-region")) out.region = flags.Text("member-cluster-region");
  if (flags.Given("member-cluster-zones")) out.zones = flags.List("member-cluster-zones");
  if (flags.Given("member-cluster-labels")) {
    SMP_ASSIGN(out.labels, ToLabels(flags.List("member-cluster-labels")));
  }
  return out;
}

// Returns the namespace for manifests and policies without one: -n, else that of the context, else "default".
std::string DefaultNamespace(const ParsedFlags& flags) {
  if (flags.Given("namespace")) return flags.Text("namespace");
  const auto config = ChooseConnection(flags);  // errors are ignored, because no cluster is needed
  return config.ok() && !config->name_space.empty() ? config->name_space : "default";
}

// Returns the namespace of a manifest without one: "" if its kind is cluster-scoped, else (or if unknown) the default.
std::string NamespaceFor(const apply::Manifest& manifest, const std::string& default_namespace) {
  const Resource* resource = BuiltinSchema()->FindResource(manifest.gvk);
  return resource == nullptr || resource->namespaced ? default_namespace : "";
}

Status CheckStandardInput(const std::vector<std::string>& files, const ParsedFlags& flags) {
  const std::vector<std::string>& manifests = flags.List("filename");
  const auto names_it = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "-") != names.end();
  };
  const int uses =
      (names_it(files) ? 1 : 0) + (names_it(manifests) ? 1 : 0) + (flags.Text("member-cluster-file") == "-" ? 1 : 0);
  return uses < 2 ? Ok() : Status(Error::InvalidArgument("standard input (-) can be used only once"));
}

// Rejects duplicate keys, as kubectl's strict validation does: a server would silently use one of the values.
Status CheckKeys(const apply::Manifest& manifest, Io& io) {
  for (const ReadWarning& warning : manifest.warnings) {
    const Error error = {ErrorCode::kParse, warning.message, {}, warning.source};
    if (warning.kind == ReadWarning::Kind::kDuplicateKey) return error;
    Warn(io, ToString(error));
  }
  return Ok();
}

// Returns true for karmada's objects that are often in the same file as policies, such as PropagationPolicy.
bool IsOfKarmada(const apply::Manifest& manifest) { return manifest.gvk.group.ends_with("karmada.io"); }

std::string PlaceText(const karmada::OverridePolicy& policy) {
  return ToString(Error{{}, policy.Label(), {}, policy.source});
}

using Places = std::map<std::string, Source>;

Status CheckOnlyOne(const karmada::OverridePolicy& policy, Places& places) {
  const auto [other, added] = places.emplace(policy.Label(), policy.source);
  if (added) return Ok();
  const std::string place = ToString(Error{{}, policy.Label(), {}, other->second});
  Error error = {ErrorCode::kPolicy, StrCat("duplicate policy; the first is ", place)};
  error.source = policy.source;
  return error;
}

Result<std::vector<karmada::OverridePolicy>> ReadPolicies(const ParsedFlags& flags,
                                                          const std::string& default_namespace, Io& io) {
  std::vector<karmada::OverridePolicy> out;
  Places places;
  const std::vector<std::string> files = PolicyFiles(flags);
  SMP_TRY(CheckStandardInput(files, flags));
  SMP_ASSIGN(const apply::Manifests documents, apply::ReadManifests({files, false, &io.in}));
  for (const std::string& warning : documents.warnings) Warn(io, warning);
  for (const Result<apply::Manifest>& item : documents.items) {
    if (!item.ok()) return item.error();
    SMP_TRY(CheckKeys(*item, io));
    if (IsOfKarmada(*item) && !karmada::IsOverridePolicy(item->document.root())) {
      Warn(io, ToString(Error{{},
                              StrCat(item->gvk.kind, " ", item->name, " is not an override policy and was skipped"),
                              {},
                              item->source()}));
      continue;
    }
    SMP_ASSIGN(karmada::OverridePolicy policy,
               karmada::ReadOverridePolicy(item->document, item->document.root(), default_namespace));
    SMP_TRY(CheckOnlyOne(policy, places));
    out.push_back(std::move(policy));
  }
  if (out.empty()) return Error::InvalidArgument("--policy: no override policies found");
  return out;
}

Status RefuseClusterWithoutPolicy(const ParsedFlags& flags) {
  for (const std::string& flag : kClusterFlags) {
    if (flags.Given(flag)) return Error::InvalidArgument(StrCat("--", flag, " has no effect without --policy"));
  }
  if (!flags.Given("member-cluster-file")) return Ok();
  return Error::InvalidArgument("--member-cluster-file has no effect without --policy");
}

// The policies and selectors that selected any object.
struct Use {
  std::set<const karmada::OverridePolicy*> policies;
  std::set<const karmada::ResourceSelector*> selectors;

  void Add(const std::vector<const karmada::OverridePolicy*>& more,
           const std::vector<const karmada::ResourceSelector*>& more_selectors) {
    policies.insert(more.begin(), more.end());
    selectors.insert(more_selectors.begin(), more_selectors.end());
  }
  // Moves the pointers to this object, because the overridden manifests outlive the policies.
  void Take(karmada::Overridden& overridden) {
    Add(overridden.policies, overridden.selectors);
    overridden.policies.clear();
    overridden.selectors.clear();
  }
};

void NoteUnused(const std::vector<karmada::OverridePolicy>& policies, const Use& use, Io& io) {
  for (const karmada::OverridePolicy& policy : policies) {
    if (policy.selectors.empty() && !use.policies.contains(&policy)) {
      Warn(io, StrCat(PlaceText(policy), " does not select any object"));
    }
    for (const karmada::ResourceSelector& selector : policy.selectors) {
      if (use.selectors.contains(&selector)) continue;
      Warn(io, ToString(Error{{},
                              StrCat(policy.Label(), ": the selector does not select any object"),
                              selector.place.path,
                              selector.place.source}));
    }
  }
}

Error About(const apply::Manifest& manifest, Error error) {
  const Source source = manifest.source();
  const std::string line = source.line > 0 ? StrCat(":", source.line) : "";
  error.message += StrCat(" (", apply::Label(manifest.gvk, manifest.name), source.file.empty() ? "" : " from ",
                          source.file, source.file.empty() ? "" : line, ")");
  return error;
}

}  // namespace

// The input for overriding a manifest that is the same for all manifests.
struct OverrideStepInput {
  std::vector<karmada::OverridePolicy> policies;
  karmada::MemberCluster cluster;
  std::string default_namespace;
  karmada::Record record;
};

namespace {

// Adds the policies that select a manifest: they count as used even if applying them failed.
void AddSelected(const apply::Manifest& manifest, const std::string& name_space, const OverrideStepInput& input,
                 Use& use) {
  const std::string& own = manifest.name_space.empty() ? name_space : manifest.name_space;
  for (const karmada::PolicyScope scope : {karmada::PolicyScope::kCluster, karmada::PolicyScope::kNamespace}) {
    const karmada::SelectedPolicies selected =
        karmada::SelectPolicies(input.policies, scope, manifest.document.root(), own);
    use.Add(selected.policies, selected.selectors);
  }
}

Result<apply::Manifest> OverrideManifest(const apply::Manifest& manifest, const OverrideStepInput& input, Use& use) {
  const std::string name_space = NamespaceFor(manifest, input.default_namespace);
  auto done = karmada::ApplyPolicies(manifest.document, name_space, input.policies, input.cluster, input.record);
  if (!done.ok()) {
    AddSelected(manifest, name_space, input, use);
    return About(manifest, std::move(done).error());
  }
  use.Take(*done);
  SMP_ASSIGN(apply::Manifest out, apply::ToManifest(done->object));
  out.warnings = manifest.warnings;
  out.overridden = std::make_shared<const karmada::Overridden>(*std::move(done));
  return out;
}

// Returns "OverridePolicy default/p spec.overrideRules[0].overriders.plaintext[0], …"
std::string NamesOf(const std::vector<const karmada::OverrideStep*>& steps) {
  std::vector<std::string> names;
  for (const karmada::OverrideStep* step : steps) names.push_back(StrCat(step->policy, " ", step->place.path));
  return NameSome(std::move(names), kNamedSteps);
}

}  // namespace

std::vector<Flag> OverrideFlagTable() {
  return Grouped(
      FlagGroup::kPolicies,
      {
          {.name = "policy",
           .kind = FlagKind::kList,
           .placeholder = "FILE",
           .help =
               "Karmada OverridePolicy and ClusterOverridePolicy documents: file, directory, URL, or - for standard "
               "input; can be repeated",
           .hint = Hint::kJsonOrYaml},
          TextFlag("member-cluster", "NAME", "name of the member cluster to override objects for"),
          {.name = "member-cluster-labels",
           .kind = FlagKind::kList,
           .placeholder = "KEY=VALUE",
           .help = "labels of the member cluster, separated by commas (\"\": no labels)"},
          TextFlag("member-cluster-provider", "NAME", "provider of the member cluster (\"\": no provider)"),
          TextFlag("member-cluster-region", "NAME", "region of the member cluster (\"\": no region)"),
          {.name = "member-cluster-zones",
           .kind = FlagKind::kList,
           .placeholder = "NAME",
           .help = "zones of the member cluster, separated by commas (\"\": no zones)"},
          In(FlagGroup::kPolicies,
             DocumentFlag("member-cluster-file", "Karmada Cluster object that describes the member cluster")),
      });
}

std::vector<Flag> OverrideStepFlagTable() {
  std::vector<Flag> flags = OverrideFlagTable();
  flags[0].help = "override the manifests first with these " + flags[0].help;
  flags.insert(flags.begin() + 1, {.name = "override",
                                   .kind = FlagKind::kList,
                                   .placeholder = "FILE",
                                   .help = "alias of --policy",
                                   .hint = Hint::kJsonOrYaml,
                                   .group = FlagGroup::kPolicies});
  return flags;
}

Result<Overrides> Overrides::Read(const ParsedFlags& flags, Io& io) {
  Overrides out;
  if (PolicyFiles(flags).empty()) {
    SMP_TRY(RefuseClusterWithoutPolicy(flags));
    return out;
  }
  auto input = std::make_shared<OverrideStepInput>();
  input->default_namespace = DefaultNamespace(flags);
  input->record = flags.On("explain") ? karmada::Record::kChanges : karmada::Record::kSteps;
  SMP_ASSIGN(input->policies, ReadPolicies(flags, input->default_namespace, io));
  SMP_ASSIGN(input->cluster, DescribedCluster(flags, io));
  for (const karmada::OverridePolicy& policy : input->policies) {
    for (const Error& note : policy.notes) Warn(io, ToString(note));
  }
  out.input_ = std::move(input);
  return out;
}

void Overrides::Apply(apply::Manifests& manifests, Io& io) const {
  if (input_ == nullptr) return;
  Use use;
  for (Result<apply::Manifest>& item : manifests.items) {
    if (!item.ok()) continue;
    item = OverrideManifest(*item, *input_, use);
    if (!item.ok()) continue;
    SecretRegistry::Instance().Remember(item->document.root());
    for (const Error& note : item->overridden->notes) Warn(io, ToString(note));
  }
  NoteUnused(input_->policies, use, io);
}

Result<apply::Manifest> Overrides::Apply(const apply::Manifest& manifest) const {
  Use use;
  return input_ == nullptr ? manifest : OverrideManifest(manifest, *input_, use);
}

void AddPolicySources(const apply::Manifest& manifest, explain::ObjectReport& report) {
  if (manifest.overridden == nullptr) return;
  karmada::Origins origins(*manifest.overridden);
  for (explain::ReportRow& row : report.rows) {
    const auto origin = origins.Of(row.path);
    if (!origin) continue;
    const bool whole = origin->extent == karmada::Origin::Extent::kWhole;
    row.policy = StrCat(whole ? "" : "partly ", NamesOf(origin->steps));
    if (!whole) continue;
    row.source = origin->steps.back()->place.source;
    row.overridden = origins.InGiven(row.path);
  }
}

}  // namespace smp::cmd
