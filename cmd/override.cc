#include "karmada/override.h"

#include "base/strings.h"
#include "cmd/batch.h"
#include "cmd/command.h"
#include "cmd/exit_code.h"
#include "cmd/input.h"
#include "cmd/override_flags.h"
#include "karmada/explanation.h"
#include "value/escape.h"
#include "value/json.h"
#include "yaml/write_kyaml.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

Error WithPath(std::string_view path, Error error) {
  error.path = StrCat(path, error.path.empty() ? "" : ".", error.path);
  return error;
}

Result<std::vector<karmada::OverridePolicy>> PoliciesIn(const Value& request) {
  std::vector<karmada::OverridePolicy> out;
  const Value* list = request.Find("policies");
  if (list == nullptr || !list->is_array()) {
    return WithPath("policies", Error::InvalidArgument("must be a list of override policies"));
  }
  const Document without_lines;
  for (size_t i = 0; i < list->size(); ++i) {
    auto policy = karmada::ReadOverridePolicy(without_lines, list->Items()[i], "default");
    if (!policy.ok()) return WithPath(StrCat("policies[", i, "]"), std::move(policy).error());
    out.push_back(*std::move(policy));
  }
  return out;
}

Result<karmada::MemberCluster> ClusterIn(const Value& request) {
  SMP_ASSIGN(const Value* facts, ObjectOrAbsent(request, "cluster"));
  if (facts == nullptr) return karmada::MemberCluster();
  auto cluster = karmada::ReadClusterFacts(*facts);
  if (cluster.ok()) return cluster;
  Error error = std::move(cluster).error();
  error.code = ErrorCode::kInvalidArgument;
  return error;
}

// Uses no default namespace: as in karmada, an object without metadata.namespace has no namespace.
Result<std::vector<Member>> Overridden(const Value& request, Arena& arena) {
  SMP_ASSIGN(const Value* object, ObjectIn(request, "object"));
  SMP_ASSIGN(const std::vector<karmada::OverridePolicy> policies, PoliciesIn(request));
  SMP_ASSIGN(const karmada::MemberCluster cluster, ClusterIn(request));
  SMP_ASSIGN(const karmada::Overridden done,
             karmada::ApplyPolicies(Document(Arena(), *object), "", policies, cluster, karmada::Record::kSteps));
  arena.Retain(done.object);
  return std::vector<Member>{{"object", done.object.root()}};
}

std::string PrintKyaml(const std::vector<Value>& objects) {
  std::string out;
  for (const Value& object : objects) out += yaml::WriteKyaml(object);
  return out;
}

std::string PrintYaml(const std::vector<Value>& objects) {
  std::vector<std::string> texts;
  for (const Value& object : objects) texts.push_back(yaml::WriteVisibleYaml(object));
  return Join(texts, "---\n");
}

std::string PrintJson(const std::vector<Value>& objects) {
  Arena arena;
  return VisibleJson(WriteIndentedJson(apply::ListOf(objects, arena))) + "\n";
}

void PrintOverridden(const ParsedFlags& flags, const apply::Manifests& manifests, Io& io) {
  std::vector<Value> objects;
  for (const auto& item : manifests.items) {
    if (item.ok()) objects.push_back(item->document.root());
  }
  if (objects.empty()) return;
  const std::string format = flags.Text("output");
  io.out << (format == "json"    ? PrintJson(objects)
             : format == "kyaml" ? PrintKyaml(objects)
                                 : PrintYaml(objects))
         << std::flush;
}

std::string Title(const apply::Manifest& manifest) {
  const Source source = manifest.source();
  std::string out = apply::Label(manifest.gvk, manifest.name);
  if (!manifest.name_space.empty()) out += StrCat(" in namespace ", manifest.name_space);
  if (!source.file.empty()) out += StrCat(" from ", source.file);
  if (source.line > 0) out += StrCat(":", source.line);
  return Visible(out, Newlines::kEscape);
}

void PrintExplanation(const apply::Manifests& manifests, karmada::Secrets secrets, Io& io) {
  bool first = true;
  for (const auto& item : manifests.items) {
    if (!item.ok()) continue;
    const auto& overridden = item->overridden;
    io.out << (first ? "" : "\n") << Title(*item) << "\n"
           << (overridden == nullptr ? "  no policy was given\n" : karmada::ExplainSteps(*overridden, secrets));
    first = false;
  }
  io.out << std::flush;
}

Status CheckFlags(const ParsedFlags& flags) {
  if (flags.On("explain") && flags.Given("output")) {
    return Error::InvalidArgument("-o cannot be used with --explain, which does not print the objects");
  }
  if (flags.On("show-secrets") && !flags.On("explain")) {
    return Error::InvalidArgument(
        "--show-secrets only works with --explain: the objects are always printed as they are");
  }
  if (!flags.On("batch")) return Ok();
  std::vector<std::string> names = {"filename", "kustomize", "recursive", "output", "explain"};
  for (const Flag& flag : OverrideFlagTable()) names.push_back(flag.name);
  return RefuseBesideBatch(flags, names);
}

Result<int> RunOverride(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckFlags(flags));
  if (flags.On("batch")) return RunBatch(io, &Overridden);
  SMP_ASSIGN(const apply::Manifests manifests, ReadInput(flags, OddKeys::kWarn, io));
  if (manifests.items.empty()) return Error::InvalidArgument("no objects passed to override");
  if (flags.On("explain")) {
    PrintExplanation(manifests, flags.On("show-secrets") ? karmada::Secrets::kShow : karmada::Secrets::kMask, io);
  } else {
    PrintOverridden(flags, manifests, io);
  }
  int exit = kExitOk;
  for (const auto& item : manifests.items) {
    if (!item.ok()) exit = Fail(io, item.error(), kExitFailed);
  }
  return exit;
}

std::vector<Flag> OverrideFlags() {
  std::vector<Flag> flags = InputFlagTable();
  for (Flag& flag : OverrideFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(
      OutputFlag({"yaml", "kyaml", "json"}, "output format; in JSON, several objects are printed as a List", "yaml"));
  flags.push_back(
      In(FlagGroup::kOutput,
         Switch("explain", "print what each policy operation changed (before and after) instead of the objects")));
  flags.push_back(In(FlagGroup::kOutput, Switch("show-secrets", "show the values of Secrets with --explain")));
  flags.push_back(Switch("batch",
                         "read requests from standard input, one per line: a JSON object with id, object, policies "
                         "and cluster (name, labels, provider, region, zones)"));
  return Grouped(FlagGroup::kInput, std::move(flags));
}

}  // namespace

Command OverrideCommand() {
  return {
      .summary = "print manifests as Karmada overrides them for a member cluster",
      .description =
          "Print manifests as Karmada's override policies change them for a member cluster. No cluster is contacted.\n"
          "\n"
          "All overriders of OverridePolicy and ClusterOverridePolicy are supported, in Karmada's order. In a field "
          "that holds JSON\n"
          "or YAML text, everything that no operation touches is kept: comments, order, quotes, anchors, indentation. "
          "The data of\n"
          "Secrets is decoded first and encoded again afterwards.\n"
          "\n"
          "An object for which an operation fails is not printed; the others are, and the exit status is 1. A rule "
          "that depends on\n"
          "a property of the cluster that no flag describes is refused. Values of Secrets are masked with --explain, "
          "unless\n"
          "--show-secrets is set, and printed as they are without.\n"
          "\n"
          "With --batch, each line of standard input is a request (a JSON object), and each answer is a line: "
          "{\"id\",\"object\"} or\n"
          "{\"id\",\"error\":{\"code\",\"path\"?,\"message\"}}; members marked with ? are optional.",
      .usage = "override -f FILE --policy FILE [flags]",
      .examples =
          "  # for one member cluster\n"
          "  {program} override -f config.yaml --policy policy.yaml --member-cluster member1\n\n"
          "  # for a member cluster described by a Cluster object\n"
          "  {program} override -f config.yaml --policy policy.yaml --member-cluster-file cluster.yaml\n\n"
          "  # what each operation changes\n"
          "  {program} override -f config.yaml --policy policy.yaml --member-cluster member1 --explain\n\n"
          "  # many objects\n"
          "  {program} override --batch < requests.jsonl\n",
      .flags = OverrideFlags(),
      .run = RunOverride};
}

}  // namespace smp::cmd
