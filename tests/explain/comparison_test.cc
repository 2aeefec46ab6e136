#include "explain/comparison.h"

#include <gtest/gtest.h>

#include "explain/json.h"
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
  EXPECT_EQ(PrintText(Both()), R"(there: context staging, server https://s, user u, namespace there-ns
here:  context prod, server https://p\x1b[31m, user u, namespace here-ns
lines lead from there to here: ~ there → here, + only here, - only there

ConfigMap a: differs
  + data.a: x          added :4
  ~ data.b: "2" → "1"  changed :4
  - data.c: why        removed

ConfigMap there-ns/c: only there

  ~ ConfigMap a: a, b, c
  - ConfigMap there-ns/c: only there
3 objects: 1 different, 1 equal, 1 only there
)");
}

TEST(Comparison, HasASummary) {
  const std::string text = PrintSummary(Both());
  EXPECT_NE(text.find("differs    ConfigMap a: a, b, c (3 changes)\nonly there ConfigMap there-ns/c\n"), text.npos)
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

}  // namespace
}  // namespace smp::explain
