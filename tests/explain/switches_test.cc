#include "explain/switches.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "explain/testing.h"

namespace smp::explain {
namespace {

// Returns "suspend false → true, …" of all rows.
std::string In(const ObjectReport& object) {
  NamesOnce switches;
  for (const ReportRow& row : object.rows) AddSwitches(row, switches);
  return Join(switches.all(), ", ");
}

std::string CronJob(std::string_view spec) {
  return StrCat("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec: {", spec, "}\n");
}

std::string InContainer(std::string_view before, std::string_view after) {
  const auto pod = [](std::string_view container) {
    return StrCat(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, ",
        container, "}]}}}\n");
  };
  return In(Change(pod(before), pod(after)));
}

TEST(Switches, Fields) {
  EXPECT_EQ(In(Change(CronJob("suspend: false"), CronJob("suspend: true"))), "suspend false → true");
  EXPECT_EQ(In(Change(CronJob("suspend: true"), CronJob("suspend: true"))), "");
}

TEST(Switches, WordsInEveryCase) {
  EXPECT_EQ(In(Change(Map("m", "{a: 'On', c: Enabled}"), Map("m", "{a: 'off', c: disabled}"))),
            "a On → off, c Enabled → disabled");
}

TEST(Switches, NoSwitches) {
  EXPECT_EQ(In(Change(Map("m", "{a: 'true', b: '1', c: info}"), Map("m", "{a: 'on', b: '0', c: debug}"))), "")
      << "other words for the same, numbers, and other values";
  EXPECT_EQ(In(Change(Map("m", "{a: 'true'}"), Map("m", "{b: 'false'}"))), "") << "removed and added";
}

TEST(Switches, VariablesAndArguments) {
  EXPECT_EQ(InContainer("env: [{name: DEBUG, value: 'off'}]", "env: [{name: DEBUG, value: 'on'}]"),
            "env DEBUG off → on");
  EXPECT_EQ(InContainer("args: [--a=1, --leader-elect=false, -x]", "args: [--leader-elect=true, --a=2, --new=true]"),
            "args --leader-elect false → true");
}

TEST(Switches, ProgramsThatTakeAnyCertificate) {
  const std::string told = "env NODE_TLS_REJECT_UNAUTHORIZED: 0 (takes any certificate)";
  EXPECT_EQ(InContainer("env: [{name: A, value: b}]",
                        "env: [{name: A, value: b}, {name: NODE_TLS_REJECT_UNAUTHORIZED, value: '0'}]"),
            told);
  EXPECT_EQ(InContainer("env: [{name: NODE_TLS_REJECT_UNAUTHORIZED, value: '1'}]",
                        "env: [{name: NODE_TLS_REJECT_UNAUTHORIZED, value: '0'}]"),
            told);
  EXPECT_EQ(InContainer("env: [{name: NODE_TLS_REJECT_UNAUTHORIZED, value: '0'}]",
                        "env: [{name: NODE_TLS_REJECT_UNAUTHORIZED, value: '1'}]"),
            "");
}

TEST(Switches, WhereAVariableHasItsValueFromIsNotItsValue) {
  EXPECT_EQ(InContainer("env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}]",
                        "env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k, optional: false}}}]"),
            "");
}

TEST(Switches, TheLastOfRepeatedArgumentsCounts) {
  EXPECT_EQ(InContainer("args: [--x=true, --x=false]", "args: [--x=false, --x=true]"), "args --x false → true");
}

TEST(Switches, InsideFiles) {
  EXPECT_EQ(In(Change(Map("m", "{c.yaml: \"a: 1\\ntracing: {enabled: false}\\n\"}"),
                      Map("m", "{c.yaml: \"a: 2\\ntracing: {enabled: true}\\n\"}"))),
            "c.yaml tracing.enabled false → true");
}

TEST(Switches, ValuesOfSecretsAreNotTold) {
  const auto secret = [](std::string_view value) {
    return StrCat("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: '", value, "'}\n");
  };
  EXPECT_EQ(In(Change(secret("true"), secret("false"))), "");
}

}  // namespace
}  // namespace smp::explain
