#include "smp/adopt.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr std::string_view kHead = "apiVersion: v1\nkind: Service\n";

Document Read(const std::string& text) { return *yaml::ParseYaml(StrCat(kHead, text)); }

std::string Live(const std::string& entry, const std::string& metadata, const std::string& spec) {
  return StrCat("metadata: {name: a, managedFields: [{manager: m, operation: Update, apiVersion: v1, fieldsV1: ", entry,
                "}]", metadata, "}\nspec: ", spec, "\n");
}

// "ORIGINAL, with DESIRED" without what identifies the object.
std::string AdoptedOf(const std::string& desired, const std::string& live,
                      const std::vector<std::string>& managers = {"m"}, EntriesOf entries = EntriesOf::kAnyOperation) {
  const auto schema = BuiltinSchema();
  const Document wanted = Read(desired), stored = Read(live);
  const Adopted adopted = Adopt(wanted, stored, managers, entries, *schema, schema->FindType({"", "v1", "Service"}));
  const Value* metadata = adopted.desired.root().Find("metadata");
  return StrCat(WriteJson(adopted.original.root()), ", with ", WriteJson(*metadata));
}

TEST(Adopt, TakesWhatTheManifestLacks) {
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {selector: {a: b}}\n",
                      Live("{'f:metadata': {'f:labels': {'f:x': {}}}, 'f:spec': {'f:externalName': {}}}",
                           ", labels: {x: '1'}", "{selector: {a: b}, externalName: q}")),
            R"({"metadata":{"labels":{"x":"1"}},"spec":{"externalName":"q"}}, with {"name":"a"})");
}

TEST(Adopt, TakesOnlyWhatWasAppliedIfAsked) {
  const std::string wanted = "metadata: {name: a}\nspec: {}\n",
                    live = Live("{'f:spec': {'f:externalName': {}}}", "", "{externalName: q}");
  EXPECT_EQ(AdoptedOf(wanted, live, {"m"}, EntriesOf::kApply), R"(null, with {"name":"a"})");
}

// Otherwise the plan would delete the whole map.
TEST(Adopt, LeavesAMapOfWhichOthersOwnAPart) {
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {}\n",
                      Live("{'f:metadata': {'f:labels': {'f:x': {}}}}", ", labels: {x: '1', theirs: '2'}", "{}")),
            R"({"metadata":{"labels":{"x":"1"}}}, with {"labels":{},"name":"a"})");
}

// A selector is one value to managedFields, although apply merges its members.
TEST(Adopt, TakesMembersOfAMapThatIsOwnedAsAWhole) {
  const std::string live = Live("{'f:spec': {'f:selector': {}}}", "", "{selector: {a: b, c: d}}");
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {selector: {a: z}}\n", live),
            R"({"spec":{"selector":{"c":"d"}}}, with {"name":"a"})");
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {selector: {a: b, c: d}}\n", live), R"(null, with {"name":"a"})");
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {selector: {a: b}}\n", live, {"other"}),
            R"(null, with {"name":"a"})");
}

// Of a map whose members others changed, managedFields leave its creator the same entry as of an atomic map.
TEST(Adopt, TakesNoMembersThatOthersOwnOfAMapThatAManagerCreated) {
  const std::string others =
      "}, {manager: o, operation: Update, apiVersion: v1, fieldsV1: {'f:metadata': {'f:labels': {'f:x': {}}}}";
  const std::string both = Live(StrCat("{'f:metadata': {'f:labels': {}}}", others), ", labels: {x: theirs}", "{}");
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {}\n", both), R"(null, with {"name":"a"})");
  EXPECT_EQ(AdoptedOf("metadata: {name: a, labels: {own: z}}\nspec: {}\n", both),
            R"(null, with {"labels":{"own":"z"},"name":"a"})");
}

TEST(Adopt, TakesNoDefaultAndNoAllocation) {
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {}\n",
                      Live("{'f:spec': {'f:sessionAffinity': {}, 'f:clusterIP': {}, 'f:type': {}}}", "",
                           "{sessionAffinity: None, clusterIP: 10.0.0.1, type: ClusterIP}")),
            R"(null, with {"name":"a"})");
}

TEST(Adopt, TakesNothingOfOthersAndNothingThatGuardsTheObject) {
  const std::string entry = "{'f:metadata': {'f:finalizers': {'v:\"x.io/y\"': {}}, 'f:labels': {'f:x': {}}}}";
  const std::string live = Live(entry, ", labels: {x: '1'}, finalizers: [x.io/y]", "{}");
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {}\n", live, {"other"}), R"(null, with {"name":"a"})");
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {}\n", live),
            R"({"metadata":{"labels":{"x":"1"}}}, with {"name":"a"})");
}

// Versions of an API mostly have the same names.
TEST(Adopt, TakesWhatWasSetThroughAnotherVersionUnlessItHasOtherNamesThere) {
  std::string live = Live("{'f:spec': {'f:externalName': {}}}", "", "{selector: {a: b}, externalName: q}");
  live.replace(live.find("apiVersion: v1"), 14, "apiVersion: v0");
  const std::string wanted = "metadata: {name: a}\nspec: {selector: {a: b}}\n";
  EXPECT_EQ(AdoptedOf(wanted, live), R"({"spec":{"externalName":"q"}}, with {"name":"a"})");
  live.replace(live.find("f:externalName"), 14, "f:oldName");
  EXPECT_EQ(AdoptedOf(wanted, live), R"(null, with {"name":"a"})");
}

// The server counts it, and writes it again.
TEST(Adopt, LeavesTheGenerationOfADaemonSet) {
  const std::string name = "deprecated.daemonset.template.generation";
  EXPECT_EQ(AdoptedOf("metadata: {name: a}\nspec: {}\n",
                      Live(StrCat("{'f:metadata': {'f:annotations': {'.': {}, 'f:", name, "': {}, 'f:x': {}}}}"),
                           StrCat(", annotations: {", name, ": '1', x: '2'}"), "{}")),
            R"({"metadata":{"annotations":{"x":"2"}}}, with {"name":"a"})");
}

TEST(Adopt, KnowsManagersByTheirEntries) {
  const Document live = Read(Live("{}", "", "{}"));
  EXPECT_EQ(UnknownManagers(live.root(), {"m", "n"}), std::vector<std::string>({"n"}));
}

// The tolerations and the account of a Pod are often the server's; those of a template are what somebody wrote.
TEST(Adopt, TakesFromATemplateWhatIsAllocatedInAPod) {
  const auto adopted = [](std::string_view kind, std::string_view version, const std::string& fields,
                          const std::string& spec, const std::string& wanted) {
    const std::string head = StrCat("apiVersion: ", version, "\nkind: ", kind, "\n");
    const Document desired = *yaml::ParseYaml(StrCat(head, "metadata: {name: a}\nspec: ", wanted));
    const Document live = *yaml::ParseYaml(
        StrCat(head, "metadata: {name: a, managedFields: [{manager: m, operation: Update, apiVersion: ", version,
               ", fieldsV1: {'f:spec': ", fields, "}}]}\nspec: ", spec));
    const auto schema = BuiltinSchema();
    const Adopted out =
        Adopt(desired, live, {"m"}, EntriesOf::kAnyOperation, *schema, schema->FindType(*GvkOf(live.root())));
    return WriteJson(out.original.root());
  };
  const std::string fields = "{'f:serviceAccountName': {}, 'f:tolerations': {}}";
  const std::string pod = "{serviceAccountName: old, tolerations: [{key: a}]}";
  EXPECT_EQ(adopted("Pod", "v1", fields, pod, "{}"), "null");
  EXPECT_EQ(adopted("Deployment", "apps/v1", StrCat("{'f:template': {'f:spec': ", fields, "}}"),
                    StrCat("{template: {spec: ", pod, "}}"), "{template: {spec: {}}}"),
            R"({"spec":{"template":{"spec":{"serviceAccountName":"old","tolerations":[{"key":"a"}]}}}})");
}

}  // namespace
}  // namespace smp
