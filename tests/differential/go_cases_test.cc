// Go on every case of tests/cases: our patch merged into live is the outcome, the patch of --compat=kubectl is the one
// that Go makes, and a merge yields what the case says of the server.
#include <gtest/gtest.h>

#include "base/strings.h"
#include "cases/case.h"
#include "differential/oracle.h"
#include "differential/three_way_rule.h"
#include "smp/smp.h"
#include "value/json.h"
#include "yaml/write_yaml.h"

namespace smp {
namespace {

// What a request says of the schema, and the name of its patch type.
std::string SchemaMember(const CaseFile& file, const Document& schema, const Value& object) {
  if (file.Find("schema")) return StrCat(R"(,"schema":"Type","openapi":)", WriteJson(schema.root()));
  return StrCat(R"(,"gvk":")", object.StringOr("apiVersion"), "/", object.StringOr("kind"), "\"");
}

std::string_view FormatName(PatchFormat format) {
  return format == PatchFormat::kJson ? "json" : format == PatchFormat::kMerge ? "merge" : "strategic";
}

// As the proposal has them; Go takes "foo,bar" for the name of one field.
bool HasSeveralMergeKeys(const CaseFile& file) {
  return file.Find("schema").value_or("").find("x-kubernetes-patch-merge-key: foo,bar") != std::string::npos;
}

class GoCase : public testing::TestWithParam<std::string> {
 protected:
  const CaseFile file_ = ReadCase(GetParam());

  OracleAnswer Ask(std::string_view op, const Value& object, const std::string& members) {
    const std::string schema = SchemaMember(file_, Yaml(file_, "schema"), object);
    return std::move(AskOracle({StrCat(R"({"op":")", op, "\"", schema, members, "}")})[0]);
  }

  OracleAnswer Merge(std::string_view type, const Value& target, const Value& patch) {
    return Ask("merge", target,
               StrCat(R"(,"type":")", type, R"(","target":)", WriteJson(target), R"(,"patch":)", WriteJson(patch)));
  }

  static void ExpectRefusal(const OracleAnswer& answer) {
    EXPECT_EQ(answer.value, nullptr) << "Go does not refuse it: " << WriteJson(*answer.value);
  }

  // A section holds YAML, or "error: " and our words; Go has its own words.
  void ExpectSection(const OracleAnswer& answer, const std::string& section) {
    const std::string expected = *file_.Find(section);
    const bool refused = expected.starts_with("error: ") || section == "error" || HasSeveralMergeKeys(file_);
    if (refused) return ExpectRefusal(answer);
    ASSERT_NE(answer.value, nullptr) << answer.error;
    EXPECT_EQ(yaml::WriteYaml(*answer.value), expected) << "section " << section;
  }

  void ExpectOutcomeOfOurPatch();
  void ExpectKubectlsPatch();
  void ExpectMerged();
};

void GoCase::ExpectOutcomeOfOurPatch() {
  const Document modified = Yaml(file_, "modified"), live = Yaml(file_, "live"), original = Yaml(file_, "original");
  const SchemaAndType type = SchemaOf(file_, modified.root());
  const auto patch = PlanPatch({file_.Find("original") ? &original.root() : nullptr, &modified.root(), &live.root(),
                                type.schema.get(), type.type});
  if (!patch.ok() || patch->body.root().empty()) return;
  const OracleAnswer answer = Merge(FormatName(patch->format), live.root(), patch->body.root());
  if (HasSeveralMergeKeys(file_)) return ExpectRefusal(answer);
  ASSERT_NE(answer.value, nullptr) << answer.error;
  EXPECT_EQ(CanonicalText(*answer.value, *type.schema, type.type),
            CanonicalText(patch->outcome.root(), *type.schema, type.type));
}

void GoCase::ExpectKubectlsPatch() {
  const Document modified = Yaml(file_, "modified"), live = Yaml(file_, "live"), original = Yaml(file_, "original");
  const bool strategic = SchemaOf(file_, modified.root()).strategic();
  std::string objects = StrCat(R"(,"modified":)", WriteJson(modified.root()), R"(,"live":)", WriteJson(live.root()));
  if (file_.Find("original")) objects += StrCat(R"(,"original":)", WriteJson(original.root()));
  ExpectSection(Ask(strategic ? "three-way" : "json-merge", modified.root(), objects), "kubectl-patch");
}

void GoCase::ExpectMerged() {
  const Document target = Yaml(file_, "target"), patch = Yaml(file_, "apply");
  const std::string type(Trim(file_.Find("type").value_or("strategic")));
  const char* const section = file_.Find("merged-by-server") ? "merged-by-server"
                              : file_.Find("merged")         ? "merged"
                                                             : "error";
  ExpectSection(Merge(type, target.root(), patch.root()), section);
}

TEST_P(GoCase, GoAgrees) {
  if (file_.Find("modified")) ExpectOutcomeOfOurPatch();
  if (file_.Find("kubectl-patch")) ExpectKubectlsPatch();
  if (file_.Find("target")) ExpectMerged();
}

// Go knows no overrides.
std::vector<std::string> NamesOfPlansAndMerges() {
  std::vector<std::string> names = CaseNames();
  std::erase_if(names, [](const std::string& name) { return ReadCase(name).Find("policy").has_value(); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoCase, testing::ValuesIn(NamesOfPlansAndMerges()), CaseTestName);

}  // namespace
}  // namespace smp
