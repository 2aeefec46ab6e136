#include "explain/comparison.h"

#include <gtest/gtest.h>

#include "explain/github.h"
#include "explain/json.h"
#include "explain/markdown.h"
#include "explain/summary.h"
#include "explain/text.h"
#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

ObjectReport Compared(const std::string& here, const std::string& there) {
  const Document h = *yaml::ParseYaml(here), t = *yaml::ParseYaml(there);
  const auto schema = BuiltinSchema();
  const TypeId type = schema->FindType(*GvkOf(h.root()));
  const auto patch = PlanPatch(
      {.original = &t.root(), .modified = &h.root(), .live = &t.root(), .schema = schema.get(), .type = type});
  ObjectReport report = ReportChange(h, t, *patch, {schema.get(), type}, {});
  ToComparison(report);
  report.keep_alive.push_back(t);
  return report;
}

std::string Map(const std::string& data) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {" + data + "}\n";
}

Report Both() {
  Report report;
  report.context = ReportContext{"staging", "s", "https://s", "u", "there-ns"};
  report.here = ReportContext{"prod", "p", "https://p\x1b[31m", "u", "here-ns"};
  report.objects.push_back(Compared(Map("a: x, b: '1', same: z"), Map("b: '2', c: why, same: z")));
  report.objects.push_back(Compared(Map("a: x"), Map("a: x")));
  report.objects.push_back(ReportOnlyThere({"", "v1", "ConfigMap"}, "there-ns", "c"));
  return report;
}

TEST(Comparison, LeadsFromThereToHere) {
  EXPECT_EQ(PrintText(Both()),
            R"(there: context staging, server https://s, user u, namespace there-ns (where a manifest names none)
here:  context prod, server https://p\x1b[31m, user u, namespace here-ns (where a manifest names none)
lines lead from there to here: ~ there → here, + only here, - only there

ConfigMap a: differs
  + data.a: x          added, line 4
  ~ data.b: "2" → "1"  changed, line 4
  - data.c: why        removed

ConfigMap there-ns/c: only there

  ~ ConfigMap a: -c, b (2 → 1), +a: x
  - ConfigMap there-ns/c: only there
3 objects: 1 different, 1 equal, 1 only there
)");
}

TEST(Comparison, HasASummary) {
  const std::string text = PrintSummary(Both());
  EXPECT_NE(text.find("differs    ConfigMap a: -c, b (2 → 1), +a: x (3 changes)\nonly there ConfigMap there-ns/c\n"),
            text.npos)
      << text;
}

TEST(Comparison, SaysNothingOfAnApply) {
  const Report report = Both();
  const std::string json = WriteJson(ToJson(report).root());
  EXPECT_EQ(json.find("\"patch\""), json.npos) << json;
  EXPECT_NE(json.find(R"("manifest-context":{"cluster":"p","name":"prod")"), json.npos) << json;
  std::vector<std::string> messages;
  for (const ReportRow& row : report.objects[0].rows) messages.push_back(row.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"only here", "differs", "only there"}));
  EXPECT_EQ(report.objects[1].action, Action::kUnchanged);
}

// Found by reading: -o json said that objects were to be created, pruned and taken over.
TEST(Comparison, HasNoWordsOfAnApply) {
  Report report = Both();
  report.objects.push_back(Compared(Map("a: x"), Map("a: y")));
  report.objects.back().action = Action::kCreate;
  const std::string json = WriteJson(ToJson(report).root());
  for (const char* word : {"\"create\"", "\"prune\"", "\"unchanged\"", "\"recreate\"", "\"original\"", "\"owned\""}) {
    EXPECT_EQ(json.find(word), json.npos) << word << "\n" << json;
  }
  EXPECT_NE(json.find(R"("summary":{"different":1,"equal":1,"error":0,"only-here":1,"only-there":1})"), json.npos)
      << json;
  EXPECT_NE(PrintMarkdown(report).find("| only-there | <code>ConfigMap there-ns/c"), std::string::npos);
  EXPECT_NE(PrintGithub(report).find("::notice title=ConfigMap there-ns/c::only there"), std::string::npos)
      << PrintGithub(report);
}

TEST(Comparison, GivesOnlyReasonsThatTellADifference) {
  const std::string head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: ";
  const ObjectReport report = Compared(head + "{strategy: {type: Recreate}}\n",
                                       head + "{strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}\n");
  std::vector<std::string_view> reasons;
  for (const ReportRow& row : report.rows) reasons.push_back(ReasonName(row.reason));
  EXPECT_EQ(reasons, (std::vector<std::string_view>{"removed", "changed"}));
}

TEST(Comparison, SaysWhatItDoesNotCompare) {
  Report report = Both();
  report.objects[0].not_compared = {"nodePort"};
  report.objects[1].not_compared = {"finalizers", "nodePort"};
  const std::string line = "not compared, though different: finalizers, nodePort\n";
  for (const std::string& text : {PrintText(report), PrintSummary(report)}) {
    EXPECT_NE(text.find(line), text.npos) << text;
  }
  EXPECT_NE(PrintMarkdown(report).find("Not compared, though different: finalizers, nodePort."), std::string::npos);
  EXPECT_NE(WriteJson(ToJson(report).root()).find(R"("not-compared":["finalizers","nodePort"])"), std::string::npos);
}

}  // namespace
}  // namespace smp::explain
