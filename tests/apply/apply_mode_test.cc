// Whether an object is applied client-side or server-side, and what becomes of its managedFields. That the server takes
// it so is tested in tests/e2e/apply_mode.py.
#include "apply/apply_mode.h"

#include <gtest/gtest.h>

#include "apply/prepared_config_map.h"
#include "base/strings.h"
#include "value/at.h"

namespace smp::apply {
namespace {

constexpr char kManifest[] =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default}\ndata: {a: x}\n";
constexpr char kApplied[] =
    R"({"manager":"kubectl","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}}}})";
constexpr char kUpdated[] =
    R"({"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{".":{},"f:a":{},"f:b":{}},
       "f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},"f:labels":{".":{},"f:l":{}}}}})";
constexpr char kCreated[] =
    R"({"manager":"kubectl-create","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}}}})";
constexpr char kAnnotating[] =
    R"({"manager":"kubectl-last-applied","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:metadata":{"f:annotations":
       {"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}})";

std::string Live(const std::string& record, const std::string& entries) {
  const std::string annotation = record.empty() ? ""
                                                : StrCat(R"("kubectl.kubernetes.io/last-applied-configuration":)",
                                                         WriteJson(Value::UnownedString(record)));
  return StrCat(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","resourceVersion":"7","annotations":{)",
      annotation, R"(},"managedFields":[)", entries, R"(]},"data":{"a":"x","b":"y"}})");
}

std::string Manifest(size_t annotation_bytes) {
  return StrCat("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default, annotations: {k: '",
                std::string(annotation_bytes, 'x'), "'}}\ndata: {a: x}\n");
}

Prepared WithOriginal(const std::string& manifest, const std::string& live) {
  Prepared out = PreparedConfigMap(manifest, live);
  if (out.live) out.original = *ReadLastApplied(out.live->root());
  return out;
}

// "client", "server", or "server, migrates …, removes annotation".
std::string Mode(const std::string& manifest, const std::string& live, const Planning& planning = {}) {
  const ApplyMode mode = ModeOf(WithOriginal(manifest, live), planning);
  std::string out = mode.server_side ? "server" : "client";
  for (const std::string& manager : mode.migrates) out += StrCat(", migrates ", manager);
  if (mode.removes_annotation) out += ", removes annotation";
  if (mode.goes_back) out += ", goes back";
  if (mode.too_large) out += ", too large";
  return out;
}

const std::string kLarge = Manifest(140'000);  // twice, as the annotation has it, too
constexpr char kRecord[] = R"({"metadata":{"annotations":{}},"data":{"a":"x"}})";

TEST(ApplyMode, FollowsTheTable) {
  const std::string all = StrCat(kApplied, ",", kUpdated, ",", kCreated);
  EXPECT_EQ(Mode(kManifest, ""), "client");
  EXPECT_EQ(Mode(kLarge, ""), "server, too large");
  EXPECT_EQ(Mode(kManifest, Live(kRecord, all)), "client");
  EXPECT_EQ(Mode(kLarge, Live(kRecord, all)),
            "server, migrates kubectl-client-side-apply, removes annotation, too large");
  EXPECT_EQ(Mode(kManifest, Live("", all)), "server");
  EXPECT_EQ(Mode(kLarge, Live("", all)), "server, too large");
  EXPECT_EQ(Mode(kManifest, Live("", kCreated)), "client");
  EXPECT_EQ(Mode(kLarge, Live("", kCreated)), "server, migrates kubectl-create, too large");
}

TEST(ApplyMode, CountsTheApplyEntryOfOurManagerAlone) {
  EXPECT_EQ(Mode(kManifest, Live("", kApplied), {.server_side_manager = "me"}), "client");
  const std::string scaled =
      R"({"manager":"kubectl","operation":"Apply","subresource":"scale","apiVersion":"v1","fieldsV1":{}})";
  EXPECT_EQ(Mode(kManifest, Live("", scaled)), "client");
}

TEST(ApplyMode, IsKubectlsWithItsDialect) {
  const Planning as_kubectl = {.dialect = compat::Dialect::kKubectl};
  EXPECT_EQ(Mode(kLarge, "", as_kubectl), "client");
  EXPECT_EQ(Mode(kManifest, Live("", kApplied), as_kubectl), "client");
}

TEST(ApplyMode, StaysClientSideWhereTheAnnotationIsAskedFor) {
  const Planning annotation = {.record_in = RecordIn::kAnnotation};
  EXPECT_EQ(Mode(kManifest, Live("", kApplied), annotation), "client, goes back");
  EXPECT_EQ(Mode(kManifest, Live(kRecord, kApplied), annotation), "client");
  EXPECT_EQ(Mode(kLarge, Live("", kApplied), annotation), "client, goes back, too large");
  EXPECT_TRUE(CheckFits(ModeOf(PreparedConfigMap(kManifest, ""), annotation), annotation).ok());
  const Status refused = CheckFits(ModeOf(PreparedConfigMap(kLarge, ""), annotation), annotation);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
}

TEST(ApplyMode, StaysClientSideForAnAdoption) {
  EXPECT_EQ(Mode(kManifest, Live("", kApplied), {.adopt = {"kubectl"}}), "client");
  EXPECT_EQ(Mode(kLarge, Live("", StrCat(kApplied, ",", kCreated)), {.adopt = {"kubectl-create"}}),
            "server, migrates kubectl-create, too large");
}

// The server sums up keys and values, and takes exactly 262,144 bytes.
TEST(ApplyMode, CountsLikeTheServer) {
  EXPECT_EQ(AnnotationBytes(ParseJson(R"({"metadata":{"annotations":{"ab":"cde","ü":""}}})")->root()), 7u);
  EXPECT_EQ(AnnotationBytes(ParseJson(R"({"metadata":{"annotations":null}})")->root()), 0u);
  const size_t without = AnnotationBytes(PreparedConfigMap(Manifest(0), "").modified.root());
  ASSERT_EQ((kMaxAnnotationBytes - without) % 2, 0u);
  const size_t most = (kMaxAnnotationBytes - without) / 2;
  EXPECT_EQ(Mode(Manifest(most), ""), "client");
  EXPECT_EQ(Mode(Manifest(most + 1), ""), "server, too large");
}

TEST(ApplyMode, CountsAnnotationsOfOthers) {
  const std::string live = Live(kRecord, kUpdated);
  const std::string theirs = StrCat(R"("annotations":{"theirs":")", std::string(kMaxAnnotationBytes, 'x'), "\",");
  const std::string large =
      StrCat(live.substr(0, live.find("\"annotations\":{")), theirs,
             live.substr(live.find("\"annotations\":{") + std::string("\"annotations\":{").size()));
  EXPECT_EQ(Mode(kManifest, large), "server, migrates kubectl-client-side-apply, removes annotation, too large");
}

std::string Text(const std::vector<Value>& entries) {
  std::string out;
  for (const Value& entry : entries) {
    out += StrCat(entry.StringOr("manager"), " ", entry.StringOr("operation"), " ", WriteJson(*entry.Find("fieldsV1")),
                  "\n");
  }
  return out;
}

constexpr char kOfNothing[] =
    "kubectl Apply {\"f:metadata\":{\"f:annotations\":{\"f:smp.io/applied-server-side\":{}}}}\n";

std::string AfterMigration(const std::string& record, const std::string& entries) {
  const Prepared prepared = WithOriginal(kLarge, Live(record, entries));
  Arena arena;
  return Text(EntriesAfterMigration(prepared, ModeOf(prepared, {}), "kubectl", arena));
}

constexpr char kAnnotation[] = R"("f:kubectl.kubernetes.io/last-applied-configuration":{})";

TEST(EntriesAfterMigration, HaveWhatTheRecordNames) {
  EXPECT_EQ(AfterMigration(kRecord, kUpdated), StrCat("kubectl Apply {\"f:data\":{\".\":{},\"f:a\":{}},",
                                                      "\"f:metadata\":{\"f:annotations\":{", kAnnotation, "}}}\n"));
  EXPECT_EQ(
      AfterMigration(R"({"metadata":{"annotations":{},"labels":{"l":"1"}}})", kUpdated),
      StrCat("kubectl Apply {\"f:metadata\":{\"f:annotations\":{", kAnnotation, "},\"f:labels\":{\"f:l\":{}}}}\n"))
      << "the maps themselves stay nobody's";
}

TEST(EntriesAfterMigration, LoseTheEntryOfTheAnnotation) {
  EXPECT_EQ(AfterMigration(kRecord, StrCat(kAnnotating, ",", kApplied)),
            StrCat("kubectl Apply {\"f:data\":{\"f:a\":{}},\"f:metadata\":{\"f:annotations\":{", kAnnotation, "}}}\n"));
}

TEST(EntriesAfterMigration, HaveNothingWithoutRecord) {
  EXPECT_EQ(AfterMigration("", kCreated), kOfNothing);
  EXPECT_EQ(AfterMigration("{}", ""), StrCat("kubectl Apply {\"f:metadata\":{\"f:annotations\":{", kAnnotation,
                                             ",\"f:smp.io/applied-server-side\":{}}}}\n"));
  const std::string other =
      R"({"manager":"other","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{"f:b":{}}}})";
  EXPECT_EQ(AfterMigration("", StrCat(kCreated, ",", other)),
            StrCat("other Update {\"f:data\":{\"f:b\":{}}}\n", kOfNothing));
}

TEST(EntriesAfterReturn, GiveOurFieldsToTheClientSideManager) {
  const auto after = [](const std::string& entries) {
    const Document live = *ParseJson(Live("", entries));
    Arena arena;
    return Text(EntriesAfterReturn(live.root(), "kubectl", "kubectl-client-side-apply", arena));
  };
  EXPECT_EQ(after(kApplied), "kubectl-client-side-apply Update {\"f:data\":{\"f:a\":{}}}\n");
  const std::string mine =
      R"({"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{"f:b":{}}}})";
  EXPECT_EQ(after(StrCat(kApplied, ",", mine)),
            "kubectl-client-side-apply Update {\"f:data\":{\"f:a\":{},\"f:b\":{}}}\n");
  EXPECT_EQ(after(mine), "kubectl-client-side-apply Update {\"f:data\":{\"f:b\":{}}}\n");
}

}  // namespace
}  // namespace smp::apply
