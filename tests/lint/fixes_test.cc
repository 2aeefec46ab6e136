// Fixes: what is safe is written, and nothing else changes.
#include "lint/fixes.h"

#include "lint/testing.h"
#include "yaml/read_yaml.h"

namespace smp::lint {
namespace {

// Returns the fixed text; the text itself if nothing is fixed.
std::string Fixed(std::string text) {
  Report report = Linted({{"f.yaml", text}});
  const std::vector<FixedFile> files = Fix(report);
  return files.empty() ? text : files[0].text;
}

TEST(Fixes, PutTextIntoQuotes) {
  EXPECT_EQ(
      Fixed(StrCat(kConfigMap, "data:\n  # why\n  a: 03788745  # as it is\n  b: yes\n  \"c\": 1.10\n  d: [1]\n")),
      StrCat(kConfigMap, "data:\n  # why\n  a: \"03788745\"  # as it is\n  b: \"yes\"\n  \"c\": \"1.10\"\n  d: [1]\n"));
  EXPECT_EQ(Fixed("{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}, \"data\": "
                  "{\"a\": 1.50}}"),
            "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}, \"data\": {\"a\": "
            "\"1.50\"}}");
}

TEST(Fixes, NoNumberBecomesBase64) {
  constexpr std::string_view kSecret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n";
  const std::string data = StrCat(kSecret, "data: {port: 5432}\n");
  EXPECT_EQ(Fixed(data), data) << "in quotes it would be that of other bytes";
  EXPECT_EQ(Fixed(StrCat(kSecret, "stringData: {port: 5432}\n")), StrCat(kSecret, "stringData: {port: \"5432\"}\n"));
}

TEST(Fixes, TakeNumbersOutOfQuotes) {
  EXPECT_EQ(Fixed(StrCat(kPod,
                         "spec:\n  hostNetwork: 'true'\n  priority: \"5\" # five\n  containers: [{name: a, image: i, "
                         "ports: [{containerPort: '80'}]}]\n")),
            StrCat(kPod,
                   "spec:\n  hostNetwork: true\n  priority: 5 # five\n  containers: [{name: a, image: i, ports: "
                   "[{containerPort: 80}]}]\n"));
}

TEST(Fixes, NoNumberThatMayBeOctal) {
  const std::string pod = StrCat(kPod, "spec: {priority: \"010\", containers: [{name: a, image: i}]}\n");
  EXPECT_EQ(Fixed(pod), pod);
}

TEST(Fixes, WriteWhatAllReadersReadAlike) {
  EXPECT_EQ(Fixed("apiVersion: example.com/v1\nkind: W\nmetadata: {name: w}\nspec: {a: on, b: 0644, c: 1:30, d: 1_000, "
                  "e: 12e345678}\n"),
            "apiVersion: example.com/v1\nkind: W\nmetadata: {name: w}\nspec: {a: true, b: 420, c: \"1:30\", d: 1000, "
            "e: \"12e345678\"}\n");
}

TEST(Fixes, RemoveCopies) {
  EXPECT_EQ(Fixed(StrCat(kConfigMap, "data:\n  a: x\n  # a comment\n  b: z\n  a: x  # last\n")),
            StrCat(kConfigMap, "data:\n  # a comment\n  b: z\n  a: x  # last\n"));
  EXPECT_EQ(Fixed(StrCat(kPod,
                         "spec:\n  containers:\n  - name: a\n    image: i\n    env:\n    - {name: A, value: b}\n"
                         "    - {name: B}\n    - {name: A, value: b}  # again\n    tty: true\n")),
            StrCat(kPod,
                   "spec:\n  containers:\n  - name: a\n    image: i\n    env:\n    - {name: A, value: b}\n"
                   "    - {name: B}\n    tty: true\n"));
}

TEST(Fixes, RemoveWhatTheServerDoesNotKeep) {
  EXPECT_EQ(Fixed("apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  creationTimestamp: null\n  uid: x\nspec: "
                  "{ports: [{port: 80}]}\n"
                  "status:\n  loadBalancer: {}\n"),
            "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  uid: x\nspec: {ports: [{port: 80}]}\n");
}

TEST(Fixes, LeaveWhatIsNotCertain) {
  for (const std::string_view data : {
           "data:\n  y: a\n",                     // the key "true" may be meant
           "data:\n  a: x\n  a: z\n",             // which one?
           "data: &d\n  a: x\nbinaryData: {}\n",  // nothing is wrong
           "data: {a: x, a: x}\n",                // not on lines of their own
           "data:\n  a: &n 1\n  b: *n\n",         // shared
           "data:\n  a: !!int 1\n",               // with a tag
           "dataa: {b: c}\n",                     // a guess
       }) {
    SCOPED_TRACE(data);
    const std::string text = StrCat(kConfigMap, data);
    EXPECT_EQ(Fixed(text), text);
  }
}

TEST(Fixes, AreOfOneDocumentOfSeveral) {
  EXPECT_EQ(Fixed(StrCat("# head\n---\n", kConfigMap, "data: {a: b}\n--- # two\n",
                         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {a: 1}\n---\na: [\n")),
            StrCat("# head\n---\n", kConfigMap, "data: {a: b}\n--- # two\n",
                   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {a: \"1\"}\n---\na: [\n"));
  EXPECT_EQ(
      Fixed(StrCat(
          "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: 1}}\n"
          "- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: 2}}\n")),
      StrCat("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "
             "\"1\"}}\n"
             "- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {a: \"2\"}}\n"));
}

TEST(Fixes, AreMarked) {
  Report report = Linted(StrCat(kConfigMap, "data: {a: 1, \"b c\": d}\n"));
  EXPECT_EQ(Fix(report).size(), 1u);
  EXPECT_EQ(report.Count(Severity::kError), 1u);
  EXPECT_TRUE(report.findings[0].fixed);
  EXPECT_FALSE(report.findings[1].fixed);
}

// After a fix nothing is left to fix.
TEST(Fixes, AreDone) {
  const std::string text = StrCat(kPod,
                                  "spec:\n  hostNetwork: on\n  priority: '5'\n  containers:\n  - name: a\n    image: "
                                  "1.10\n    env: [{name: A}, {name: A}]\nstatus: {}\n");
  const std::string fixed = Fixed(text);
  EXPECT_NE(fixed, text);
  EXPECT_EQ(Fixed(fixed), fixed);
  EXPECT_EQ(Short(Linted(fixed), Severity::kInfo), Lines());
}

}  // namespace
}  // namespace smp::lint
