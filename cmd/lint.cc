#include "lint/lint.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apply/await_served.h"
#include "apply/input_definitions.h"
#include "apply/pipeline.h"
#include "apply/type_source.h"
#include "base/strings.h"
#include "cmd/color.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/exit_code.h"
#include "cmd/input.h"
#include "cmd/offline_objects.h"
#include "cmd/schema_flags.h"
#include "cmd/schema_sources.h"
#include "cmd/version.h"
#include "cmd/write_file.h"
#include "explain/style.h"
#include "lint/fixes.h"
#include "lint/print.h"
#include "lint/rules.h"
#include "pull/git.h"
#include "pull/masked_text.h"
#include "pull/unified_diff.h"
#include "schema/builtin.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp::cmd {

namespace {

constexpr char kLive[] = "live";
constexpr char kOfCluster[] = "cluster";  // a bare --live

// --- flags

Result<lint::Options> ToOptions(const ParsedFlags& flags) {
  lint::Options out;
  out.name_space = flags.Text("namespace");
  for (const std::string& text : flags.List("rule")) {
    const size_t equals = text.find('=');
    const std::string code = text.substr(0, equals);
    const std::string level = equals == text.npos ? "" : text.substr(equals + 1);
    const auto severity = lint::ParseSeverity(level);
    if (lint::FindRule(code) == nullptr) {
      return Error::InvalidArgument(StrCat("--rule: there is no rule \"", code, "\"; lint --rules prints all"));
    }
    if (!severity && level != "off") {
      return Error::InvalidArgument(StrCat("--rule: say ", code, "=error, warning, info or off"));
    }
    out.severities[code] = severity;
  }
  return out;
}

lint::Severity Least(const ParsedFlags& flags) {
  const std::string show = flags.Text("show");
  return show == "errors" ? lint::Severity::kError : show == "all" ? lint::Severity::kInfo : lint::Severity::kWarning;
}

Status CheckPatchFlags(const ParsedFlags& flags) {
  if (!flags.Given("patch")) {
    return flags.Given("gvk") ? Status(Error::InvalidArgument("--gvk is the kind that --patch is for")) : Ok();
  }
  if (!flags.Given("gvk")) return Error::InvalidArgument("--patch needs --gvk: the kind of the object to be patched");
  for (const char* name : {"filename", "kustomize", "recursive", kLive, "fix"}) {
    if (flags.Given(name)) return Error::InvalidArgument(StrCat("--", name, " cannot be used with --patch"));
  }
  return Ok();
}

Status CheckLintFlags(const ParsedFlags& flags) {
  SMP_TRY(CheckPatchFlags(flags));
  if (!flags.Given("fix")) return Ok();
  const auto& files = flags.List("filename");
  const bool only_files = std::ranges::none_of(
      files, [](const std::string& file) { return file == "-" || file.find("://") != std::string::npos; });
  if (flags.Given("kustomize") || !only_files) {
    return Error::InvalidArgument("--fix changes files: it cannot be used with -k, standard input and URLs");
  }
  return Ok();
}

// --- schemas

Result<SchemaSources> FindSchemas(const ParsedFlags& flags, const lint::Linter& linter, Io& io) {
  const bool from_server = flags.On("from-server");
  const bool connects = from_server || flags.Text(kLive) == kOfCluster;
  SMP_ASSIGN(SchemaSources out, OpenSchemas(flags, connects, [&] { return Connect(flags, io); }));
  if (!from_server) return out;
  std::set<GroupVersionKind> kinds;
  for (const lint::Object& object : linter.objects()) kinds.insert(object.gvk);
  SMP_TRY(UseServersSchemas(kinds, out));
  return out;
}

// Returns the release that the manifests are for: of the flag, of the server, of the built-in schema.
Result<Release> ToRelease(const ParsedFlags& flags, const SchemaSources& sources) {
  if (flags.Given("kube-version")) {
    const auto release = ParseRelease(flags.Text("kube-version"));
    if (!release) return Error::InvalidArgument("--kube-version: say it like 1.36");
    return *release;
  }
  if (flags.On("from-server")) {
    SMP_ASSIGN(const Document version, sources.connection->client->GetRaw("/version"));
    if (const auto release = ParseRelease(version.root().StringOr("gitVersion"))) return *release;
  }
  return BuiltinRelease();
}

// --- live objects

struct ForLive {
  std::vector<size_t> objects;          // their indices
  apply::Manifests manifests;           // of the objects, in the same order
  apply::InputDefinitions definitions;  // of the whole input
};

Status CheckWithFile(const ParsedFlags& flags, const ForLive& input, lint::Linter& linter) {
  SMP_ASSIGN(const OfflineObjects live, OfflineObjects::Read(flags, kLive));
  const std::string name_space = flags.Text("namespace");
  for (size_t i = 0; i < input.objects.size(); ++i) {
    const apply::Manifest& manifest = *input.manifests.items[i];
    SMP_ASSIGN(const std::optional<Document> there, live.Find(manifest, name_space, input.definitions));
    const auto prepared =
        apply::PrepareOffline(manifest, {there, {}, name_space, {}, &input.definitions}, BuiltinSchema());
    if (prepared.ok()) linter.CheckLive(input.objects[i], *prepared);
  }
  return Ok();
}

// Returns how many objects could not be read.
Result<size_t> CheckWithCluster(const ParsedFlags& flags, const ForLive& input, const Connection& connection,
                                lint::Linter& linter, Io& io) {
  SMP_ASSIGN(const int parallel, ToParallel(flags));
  apply::Target target = connection.target();
  target.definitions = &input.definitions;
  size_t next = 0, failed = 0;
  SMP_TRY(apply::PrepareAll(input.manifests, target, {.parallel = parallel},
                            [&](const Result<apply::Manifest>&, Result<apply::Prepared> prepared) {
                              const size_t object = input.objects[next++];
                              if (prepared.ok()) return linter.CheckLive(object, *prepared);
                              ++failed;
                              (void)Fail(io, prepared.error(), kExitDiffError);
                            }));
  return failed;
}

Result<size_t> CheckWithLive(const ParsedFlags& flags, const SchemaSources& sources, lint::Linter& linter, Io& io) {
  ForLive input;
  apply::Manifests all;
  for (const lint::Object& object : linter.objects()) {
    if (object.manifest) all.items.emplace_back(*object.manifest);
  }
  input.definitions = apply::DefinitionsOf(all);
  input.objects = linter.WithoutErrors();
  for (const size_t index : input.objects) input.manifests.items.emplace_back(*linter.objects()[index].manifest);
  if (flags.Text(kLive) == kOfCluster) return CheckWithCluster(flags, input, *sources.connection, linter, io);
  SMP_TRY(CheckWithFile(flags, input, linter));
  return size_t{0};
}

// --- fixes

// Masked as the diff of pull is: the lines around a change may have values of a Secret, too.
std::string DiffOf(const lint::SourceFile& file, const std::string& fixed) {
  return pull::VisibleDiff(
      pull::UnifiedDiff({file.name(), file.text(), fixed, pull::MaskedLines(file.text()), pull::MaskedLines(fixed)}));
}

// Error: also refused, if the name leads to a file that the repository does not have.
Status WriteFix(const lint::SourceFile& file, const std::string& fixed) {
  const Status within = pull::CheckLeadsNotOut(file.name());
  if (!within.ok())
    return Error::Refused(StrCat(within.error().message, "; it was not written; fix that file by its own name"));
  return WriteIfUnchanged(file.name(), file.text(), fixed);
}

// Returns how many files could not be written.
size_t WriteFixes(const ParsedFlags& flags, lint::Report& report, Io& io) {
  size_t failed = 0;
  for (const lint::FixedFile& fixed : lint::Fix(report)) {
    const lint::SourceFile& file = report.files[fixed.file];
    if (flags.Text("fix") == "diff") {
      Print(io, DiffOf(file, fixed.text));
      continue;
    }
    const Status written = WriteFix(file, fixed.text);
    if (written.ok()) continue;
    ++failed;
    (void)Fail(io, written.error(), kExitDiffError);
    for (lint::Finding& finding : report.findings) finding.fixed &= finding.file != fixed.file;
  }
  return failed;
}

// --- output

std::string InColor(lint::Severity severity, std::string_view text) {
  using explain::Role;
  const Role role = severity == lint::Severity::kError     ? Role::kError
                    : severity == lint::Severity::kWarning ? Role::kWarning
                                                           : Role::kDim;
  return explain::Rendered(explain::As(role, text), explain::Color::kYes);
}

void PrintReport(const ParsedFlags& flags, const lint::Report& report, Io& io) {
  const std::string format = flags.Text("output");
  if (format == "text") {
    lint::TextStyle style = {.least = Least(flags), .fold = flags.Text("show") != "all"};
    if (ToColor(flags) == explain::Color::kYes) style.color = InColor;
    Print(io, lint::PrintText(report, style));
    return Tell(io, lint::Summary(report, style.least));
  }
  if (format == "github") return Print(io, lint::PrintGithub(report, Least(flags)));
  const Document document = format == "json" ? lint::ToJson(report) : lint::ToSarif(report, ClientVersion());
  Print(io, VisibleJson(WriteIndentedJson(document.root(), 2)) + "\n");
}

void PrintRules(Io& io) {
  for (const lint::Rule& rule : lint::Rules()) {
    Print(io, StrCat(rule.code, " (", lint::SeverityName(rule.severity), ")\n  ", rule.meaning, "\n"));
    for (const std::string& line : lint::LinesOfExample(rule)) Print(io, StrCat("    ", line, "\n"));
    Print(io, "\n");
  }
}

// --- the command

Result<apply::InputTexts> ReadLintTexts(const ParsedFlags& flags, Io& io) {
  return flags.Given("patch") ? apply::ReadTexts({.files = {flags.Text("patch")}, .standard_input = &io.in})
                              : ReadInputTexts(flags, io);
}

// Returns how many texts could not be read.
Result<size_t> AddTexts(const ParsedFlags& flags, lint::Linter& linter, Io& io) {
  SMP_ASSIGN(apply::InputTexts input, ReadLintTexts(flags, io));
  for (const std::string& warning : input.warnings) Warn(io, warning);
  size_t failed = 0;
  for (apply::InputText& text : input.texts) {
    if (text.text.ok()) {
      linter.Add(std::move(text.name), *std::move(text.text));
    } else {
      ++failed;
      (void)Fail(io, text.text.error(), kExitDiffError);
    }
  }
  return failed;
}

// Returns true if the input has nothing that could be checked: often what was to write it has failed (helm template | lint -f -).
bool IsOfNothing(const lint::Report& report) {
  return report.objects.empty() && report.findings.empty() && report.suppressed.empty();
}

Result<int> LintManifests(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckLintFlags(flags));
  SMP_ASSIGN(lint::Options options, ToOptions(flags));
  lint::Linter linter(std::move(options));
  SMP_ASSIGN(size_t failed, AddTexts(flags, linter, io));
  SMP_ASSIGN(const SchemaSources sources, FindSchemas(flags, linter, io));
  SMP_ASSIGN(const Release release, ToRelease(flags, sources));
  if (flags.Given("patch")) {
    SMP_ASSIGN(const GroupVersionKind gvk, ParseGvk(flags.Text("gvk")));
    SMP_TRY(linter.CheckAsPatch(sources.schemas, release, gvk));
  } else {
    SMP_TRY(linter.Check(sources.schemas, release));
  }
  if (flags.Given(kLive)) {
    SMP_ASSIGN(const size_t unread, CheckWithLive(flags, sources, linter, io));
    failed += unread;
  }
  lint::Report report = std::move(linter).Finish();
  if (failed == 0 && IsOfNothing(report)) return Error::InvalidArgument("no objects passed to lint");
  if (flags.Given("fix")) failed += WriteFixes(flags, report, io);
  PrintReport(flags, report, io);
  if (failed > 0) return kExitDiffError;
  return report.Count(lint::Severity::kError) > 0 ? kExitFailed : kExitOk;
}

Result<int> RunLint(const ParsedFlags& flags, Io& io) {
  if (!flags.On("rules")) return LintManifests(flags, io);
  PrintRules(io);
  return kExitOk;
}

std::vector<Flag> LintFlags() {
  std::vector<Flag> flags = InputFlagTable();
  for (Flag& flag : SchemaFlagTable()) {
    if (flag.name == "schema") {
      flag.help =
          "CRDs of custom resources, or an OpenAPI document, v3 or v2 (JSON or YAML): a file or a directory; "
          "can be repeated";
    }
    if (flag.name == "from-server") flag.help = "use the cluster's schema and CRDs instead of the built-in schema";
    if (flag.name == "gvk") {
      flag.help = "with --patch: the kind of the object to be patched (VERSION/KIND for the core group)";
    }
    flags.push_back(std::move(flag));
  }
  flags.push_back(
      In(FlagGroup::kInput, DocumentFlag("patch", "a strategic merge patch, instead of manifests; needs --gvk")));
  flags.push_back({.name = "kube-version",
                   .placeholder = "VERSION",
                   .help = "the release of Kubernetes that the manifests are for; by default that of the built-in "
                           "schema, or of the server with --from-server",
                   .group = FlagGroup::kSchema});
  flags.push_back({.name = kLive,
                   .placeholder = "FILE",
                   .help = "also compare with the live objects: changes that the server refuses, and what others would "
                           "lose; with =FILE the objects in this file instead of the cluster's",
                   .bare = kOfCluster,
                   .hint = Hint::kJsonOrYaml});
  flags.push_back({.name = "fix",
                   .placeholder = "write|diff",
                   .help = "write the fixes that are safe into the files; with =diff, show them as a diff and write "
                           "nothing",
                   .bare = "write",
                   .choices = {"write", "diff"}});
  flags.push_back({.name = "rule",
                   .kind = FlagKind::kList,
                   .placeholder = "CODE=LEVEL",
                   .help = "severity of a rule: error, warning, info or off; may be repeated"});
  flags.push_back(In(FlagGroup::kOutput, Switch("rules", "print all rules, each with an example, and nothing else")));
  flags.push_back(In(FlagGroup::kOutput, Choice("show", {"errors", "warnings", "all"},
                                                "the least severe findings of -o text and github; all: also infos, "
                                                "and every finding of a rule that has many in a file",
                                                "warnings")));
  flags.push_back(OutputFlag({"text", "json", "sarif", "github"},
                             "text: for people; json: for programs; sarif: for code scanning; github: annotations of "
                             "a workflow",
                             "text"));
  flags.push_back(ColorFlag());
  for (Flag& flag : PaceFlags()) flags.push_back(std::move(flag));
  return Grouped(FlagGroup::kChanges, std::move(flags));
}

std::vector<Term> RuleTerms() {
  std::vector<Term> out;
  for (const lint::Rule& rule : lint::Rules()) {
    out.push_back({std::string(rule.code), StrCat(lint::SeverityName(rule.severity), ": ", rule.meaning),
                   lint::LinesOfExample(rule)});
  }
  return out;
}

}  // namespace

Command LintCommand() {
  return {.summary = "find mistakes in manifests before any request",
          .description =
              "Find mistakes in manifests before anything is sent.\n"
              "\n"
              "Errors are what the server would refuse, and what kubectl would make something else of; warnings are "
              "what may not do\n"
              "what it seems to. Every finding has the code of its rule: --rules explains them.\n"
              "\n"
              "Nothing is sent, unless --from-server or a bare --live is given. Known are the kinds of Kubernetes and "
              "those of the CRDs\n"
              "in the input and in --schema.\n"
              "\n"
              "A comment `# smp:ignore CODE, CODE: why` suppresses findings in its line or, on a line of its own, in "
              "what is below it;\n"
              "`# smp:ignore-object CODE` does in the object, and `# smp:ignore-file CODE` in the file.\n"
              "\n"
              "Exit status: 0 no errors found, 1 errors found, 2 the input could not be checked.",
          .usage = "lint -f FILE [flags]",
          .examples =
              "  # all manifests of a directory\n"
              "  {program} lint -R -f manifests/\n\n"
              "  # with the schemas of custom resources\n"
              "  {program} lint -f app.yaml --schema crds/\n\n"
              "  # write what is safe to fix\n"
              "  {program} lint -R -f manifests/ --fix\n\n"
              "  # also what the live objects make impossible\n"
              "  {program} lint -f app.yaml --live\n\n"
              "  # a strategic merge patch\n"
              "  {program} lint --patch patch.yaml --gvk apps/v1/Deployment\n\n"
              "  # annotations in a workflow; a report for code scanning\n"
              "  {program} lint -R -f manifests/ -o github\n"
              "  {program} lint -R -f manifests/ -o sarif > lint.sarif\n",
          .flags = LintFlags(),
          .run = RunLint,
          .usage_error = kExitDiffError,
          .terms = RuleTerms(),
          .terms_title = "Rules",
          .terms_flag = "--rules",
          .suggest_for = {"check", "validate"}};
}

}  // namespace smp::cmd
