// Runs every tests/cases/*.txtar. A case is one situation that a user could read:
//
//   modified, live, original?   the three objects, YAML
//   schema?                     an OpenAPI document of its own, with the component `Type`; else the built-in schema
//   ignore?                     an ignore file of explain-diff
//   patch?                      the body that is sent, as data
//   outcome?                    live as it shall be, as data
//   encoding?                   "plain", "guarded: WHY", …
//   explain?                    what explain-diff --show=all prints of it
//   json?                       and with -o json
//   summary?, yaml?, markdown?, github?   and with these
//   html?                       the data of the page
//   error?                      the error instead of all these
//   kubectl-patch?              the body under --compat=kubectl
//   kubectl-explain?            what explain-diff --show=all --compat=kubectl prints of it
//
// or one merge:
//
//   target, apply               an object and a patch for it
//   type?                       strategic (default) or merge (RFC 7386)
//   merged? | error?            what comes out; with the rules of the proposals
//   merged-by-server?           what an API server makes of it, where that is something else
//
// or one override:
//
//   object, policy              a manifest, and the policies (several documents)
//   cluster?                    {name, labels, provider, region, zones} of the member cluster
//   overridden? | error?        what comes out
//   notes?                      of what has no effect
//   steps?                      what override --explain prints of it
//
// SMP_REWRITE=1 writes what comes out into the sections that are there; look at the difference before you believe it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "apply/last_applied.h"
#include "apply/stored_form.h"
#include "base/strings.h"
#include "cases/case.h"
#include "compat/compat_patch.h"
#include "explain/github.h"
#include "explain/html.h"
#include "explain/ignore.h"
#include "explain/json.h"
#include "explain/markdown.h"
#include "explain/summary.h"
#include "explain/text.h"
#include "karmada/explanation.h"
#include "karmada/override.h"
#include "smp/dump_plan.h"
#include "smp/json_merge.h"
#include "smp/meaning.h"
#include "smp/merge.h"
#include "smp/outcome.h"
#include "smp/smp.h"
#include "value/json.h"
#include "yaml/read_yaml.h"
#include "yaml/write_yaml.h"

namespace smp {
namespace {

// "3d ago" in the sentences of cases: managedFields there are of the days before.
const explain::ReportOptions kReportOptions = {.now = std::chrono::sys_days(std::chrono::year(2026) / 1 / 4)};

// As with --show=all.
const explain::TextOptions kTextOptions = {.unchanged = true};

// What came out, section by section.
using Results = std::vector<std::pair<std::string, std::string>>;

std::string Encoding(const VerifiedPatch& patch) {
  const std::string why = patch.why.empty() ? "" : ": " + patch.why;
  return StrCat(EncodingName(patch.encoding), patch.guarded ? ", guarded" : "", why, "\n");
}

// --compat=kubectl, for the cases that ask for it.
void AddKubectlResults(const CaseFile& file, const DiffInput& input, const Document& modified, const Document& live,
                       Results& out) {
  if (!file.Find("kubectl-patch") && !file.Find("kubectl-explain")) return;
  auto made = compat::PlanKubectlPatch(input, compat::Overwrite::kYes);
  if (!made.ok()) return out.emplace_back("kubectl-patch", "error: " + ToString(made.error()) + "\n"), void();
  out.emplace_back("kubectl-patch", yaml::WriteYaml(made->patch.body.root()));
  explain::Report report;
  report.objects.push_back(made->refusal ? explain::ReportError(modified, *made->refusal)
                                         : explain::ReportChange(modified, live, std::move(made->patch),
                                                                 {input.schema, input.type}, kReportOptions));
  for (const Error& deviation : made->deviations) report.objects[0].warnings.push_back(ToString(deviation));
  out.emplace_back("kubectl-explain", explain::PrintText(report, kTextOptions));
}

// The objects as apply compares them: without what the server does not keep.
struct StoredObjects {
  Document modified, original;
};

Document ManifestIn(const CaseFile& file) { return apply::WithNullAnnotationsEmpty(Yaml(file, "modified")); }

StoredObjects StoredIn(const CaseFile& file, const SchemaAndType& type) {
  Document modified = ManifestIn(file), original = Yaml(file, "original");
  if (file.Find("schema")) return {modified, original};
  const Resource& resource = *type.schema->FindResource(*GvkOf(modified.root()));
  return {apply::StoredForm(modified, resource, *type.schema, apply::Existence::kExists),
          apply::StoredFormOfRecord(original, resource, *type.schema)};
}

Results PlanCase(const CaseFile& file) {
  const Document written = ManifestIn(file), live = Yaml(file, "live"), recorded = Yaml(file, "original");
  const SchemaAndType type = SchemaOf(file, written.root());
  DiffInput input = {
      .original = file.Find("original") ? &recorded.root() : nullptr,
      .modified = &written.root(),
      .live = &live.root(),
      .schema = type.schema.get(),
      .type = type.type,
  };
  Results out;
  AddKubectlResults(file, input, written, live, out);
  const auto [modified, original] = StoredIn(file, type);
  if (input.original != nullptr) input.original = &original.root();
  input.modified = &modified.root();
  auto patch = PlanPatch(input);
  if (!patch.ok()) {
    out.emplace_back("error", ToString(patch.error()) + "\n");
    return out;
  }
  const Results plan = {{"patch", yaml::WriteYaml(patch->body.root())},
                        {"outcome", yaml::WriteYaml(patch->outcome.root())},
                        {"encoding", Encoding(*patch)}};
  out.insert(out.end(), plan.begin(), plan.end());
  explain::Report report;
  report.objects.push_back(
      explain::ReportChange(modified, live, *std::move(patch), {input.schema, input.type}, kReportOptions));
  EXPECT_EQ(report.objects[0].differs(), !report.objects[0].rows.empty());
  const auto ignored = explain::ParseIgnoreFile(file.Find("ignore").value_or(""), "ignore");
  EXPECT_TRUE(ignored.ok());
  explain::TakeOutIgnored(*ignored, {live.root(), modified.root()}, report.objects[0]);
  out.emplace_back("explain", explain::PrintText(report, kTextOptions));
  out.emplace_back("summary", explain::PrintSummary(report));
  out.emplace_back("yaml", yaml::WriteVisibleYaml(explain::ToJson(report).root()));
  out.emplace_back("markdown", explain::PrintMarkdown(report));
  out.emplace_back("github", explain::PrintGithub(report));
  out.emplace_back("html", WriteIndentedJson(explain::HtmlData(report).root(), 1) + "\n");
  if (file.Find("json")) out.emplace_back("json", WriteIndentedJson(explain::ToJson(report).root(), 1) + "\n");
  return out;
}

std::string YamlOrError(const Result<Value>& result) {
  return result.ok() ? yaml::WriteYaml(*result) : "error: " + ToString(result.error()) + "\n";
}

Results MergeCase(const CaseFile& file) {
  const Document target = Yaml(file, "target"), patch = Yaml(file, "apply");
  Arena arena;
  if (file.Find("type").value_or("strategic\n") == "merge\n") {
    return {{"merged", yaml::WriteYaml(ApplyJsonMergePatch(target.root(), patch.root(), arena))}};
  }
  const SchemaAndType type = SchemaOf(file, target.root());
  const auto merge = [&](MergeRules rules) {
    return Merge(target.root(), patch.root(), *type.schema, type.type, arena, rules);
  };
  const auto merged = merge(MergeRules::kProposals);
  const std::string server = YamlOrError(merge(MergeRules::kServer));
  if (!merged.ok()) return {{"error", ToString(merged.error()) + "\n"}, {"merged-by-server", server}};
  return {{"merged", yaml::WriteYaml(*merged)}, {"merged-by-server", server}};
}

Result<karmada::Overridden> Override(const CaseFile& file, const Document& object, std::vector<Error>& notes) {
  std::vector<karmada::OverridePolicy> policies;
  for (const auto& item : yaml::ParseYamlFile(*file.Find("policy"), "policy.yaml").items) {
    SMP_ASSIGN(const Document document, item.document);
    SMP_ASSIGN(karmada::OverridePolicy policy, karmada::ReadOverridePolicy(document, document.root(), "default"));
    notes.insert(notes.end(), policy.notes.begin(), policy.notes.end());
    policies.push_back(std::move(policy));
  }
  const Document facts = Yaml(file, "cluster");
  SMP_ASSIGN(const karmada::MemberCluster cluster,
             facts.root().is_null() ? karmada::MemberCluster() : karmada::ReadClusterFacts(facts.root()));
  return karmada::ApplyPolicies(object, "default", policies, cluster, karmada::Record::kChanges);
}

Results OverrideCase(const CaseFile& file) {
  std::vector<Error> notes;
  const auto done = Override(file, Yaml(file, "object"), notes);
  if (!done.ok()) return {{"error", ToString(done.error()) + "\n"}};
  notes.insert(notes.end(), done->notes.begin(), done->notes.end());
  std::string noted;
  for (const Error& note : notes) noted += ToString(note) + "\n";
  return {{"overridden", yaml::WriteYaml(done->object.root())},
          {"steps", karmada::ExplainSteps(*done, karmada::Secrets::kMask)},
          {"notes", noted}};
}

bool IsPlan(const CaseFile& file) { return !file.Find("target") && !file.Find("policy"); }

class Case : public testing::TestWithParam<std::string> {};

TEST_P(Case, Holds) {
  CaseFile file = ReadCase(GetParam());
  const Results results = file.Find("policy")   ? OverrideCase(file)
                          : file.Find("target") ? MergeCase(file)
                                                : PlanCase(file);
  size_t checked = 0;
  for (const auto& [section, text] : results) {
    const auto expected = file.Find(section);
    if (!expected) continue;
    ++checked;
    EXPECT_EQ(text, *expected) << "section " << section;
    file.Set(section, text);
  }
  EXPECT_GT(checked, 0u) << "nothing to check; it came to:\n" << results[0].first << ": " << results[0].second;
  if (std::getenv("SMP_REWRITE") != nullptr) std::ofstream(CasePath(GetParam())) << PrintCaseFile(file);
}

// The law behind every case: planning again on the outcome finds nothing to do.
TEST_P(Case, HasNothingToDoOnItsOwnOutcome) {
  const CaseFile file = ReadCase(GetParam());
  if (file.Find("error") || !IsPlan(file)) return;
  const Document modified = Yaml(file, "modified"), live = Yaml(file, "live"), original = Yaml(file, "original");
  const SchemaAndType type = SchemaOf(file, modified.root());
  DiffInput input = {file.Find("original") ? &original.root() : nullptr, &modified.root(), &live.root(),
                     type.schema.get(), type.type};
  const auto first = PlanPatch(input);
  ASSERT_TRUE(first.ok()) << ToString(first.error());
  input.live = &first->outcome.root();
  input.original = &modified.root();
  const auto second = PlanPatch(input);
  ASSERT_TRUE(second.ok()) << ToString(second.error());
  EXPECT_FALSE(second->plan.changed()) << Dump(second->plan);
}

// --compat=kubectl explains what the body does, whatever the manifest says.
TEST_P(Case, ThePlanOfKubectlsPatchLeadsToItsOutcome) {
  const CaseFile file = ReadCase(GetParam());
  if (!IsPlan(file)) return;
  const Document modified = Yaml(file, "modified"), live = Yaml(file, "live"), original = Yaml(file, "original");
  const SchemaAndType type = SchemaOf(file, modified.root());
  const DiffInput input = {file.Find("original") ? &original.root() : nullptr, &modified.root(), &live.root(),
                           type.schema.get(), type.type};
  const auto made = compat::PlanKubectlPatch(input, compat::Overwrite::kYes);
  if (!made.ok() || made->refusal) return;
  Arena arena;
  const Value planned = Outcome(made->patch.plan, arena);
  const Value& outcome = made->patch.outcome.root();
  const auto difference = Diff({&planned, &outcome, &planned, input.schema, input.type});
  ASSERT_TRUE(difference.ok()) << ToString(difference.error());
  EXPECT_FALSE(difference->changed()) << Dump(*difference);
}

INSTANTIATE_TEST_SUITE_P(Cases, Case, testing::ValuesIn(CaseNames()), CaseTestName);

}  // namespace
}  // namespace smp
