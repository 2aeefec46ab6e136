// What server-side apply does when the server refuses, and the arithmetic of managedFields. That the requests are
// kubectl's is tested beside it: tests/e2e/server_side.py.
#include "apply/server_side.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "net/fake_transport.h"
#include "smp/managed_fields.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp::apply {
namespace {

const kube::ObjectRef kRef = {{"", "v1", "ConfigMap"}, "configmaps", "default", "cfg"};
const std::string kObject = " /api/v1/namespaces/default/configmaps/cfg";
const std::string kApply = "PATCH" + kObject + "?fieldManager=kubectl&fieldValidation=Strict";
const std::string kAnnotate = "PATCH" + kObject + "?fieldManager=kubectl-last-applied&fieldValidation=Strict";

constexpr char kClientSide[] =
    R"({"manager":"client","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":
       {"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}},"f:data":{"f:a":{}}}})";
constexpr char kServerSide[] =
    R"({"manager":"kubectl","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:b":{}}}})";

std::string Object(const std::string& entries) {
  return StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","resourceVersion":"7","annotations":
      {"kubectl.kubernetes.io/last-applied-configuration":"{}"},"managedFields":[)",
                entries, "]}}");
}

net::HttpResponse Refusal(int code, const std::string& reason, const std::string& message) {
  return net::Json(code, StrCat(R"({"kind":"Status","status":"Failure","reason":")", reason, R"(","message":)",
                                WriteJson(Value::UnownedString(message)), R"(,"code":)", code, "}"));
}

class ServerSide : public testing::Test {
 protected:
  Result<Document> Apply(ServerSideOptions options = {}) {
    options.warn = [this](const std::string& text) { warnings_.push_back(text); };
    const Document manifest =
        *ParseJson(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg"},"data":{"b":"x"}})");
    return ApplyServerSide(client_, kRef, manifest, options);
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  std::vector<std::string> warnings_;
};

TEST_F(ServerSide, IsOneRequest) {
  script_.On(kApply + "&force=true", net::Json(200, R"({"kind":"ConfigMap"})"));
  EXPECT_TRUE(Apply({.force_conflicts = true}).ok());
  EXPECT_EQ(script_.requests.size(), 1u);
}

TEST_F(ServerSide, TriesAMigrationFiveTimes) {
  // With a manager of one's own nobody keeps the annotation.
  const std::string apply = "PATCH" + kObject + "?fieldManager=me&fieldValidation=Strict";
  script_.On(apply, net::Json(200, Object(kClientSide)));
  script_.On(apply, Refusal(409, "Conflict", "the object has been modified"));
  script_.On("GET" + kObject, net::Json(200, Object(kClientSide)));
  EXPECT_TRUE(Apply({.field_manager = "me"}).ok()) << "the object was applied; that is what counts";
  EXPECT_EQ(script_.Count(apply), 6u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_TRUE(
      warnings_[0].starts_with("server rejected managed fields migration to Server-Side Apply. This is "
                               "non-fatal and will be retried next time you apply. Error: "));
}

TEST_F(ServerSide, SaysWhenTheAnnotationCannotBeKept) {
  script_.On(kApply, net::Json(200, Object(kClientSide)));
  script_.On(kAnnotate, Refusal(403, "Forbidden", "no"));
  EXPECT_TRUE(Apply().ok());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_TRUE(warnings_[0].starts_with("failed to migrate kubectl.kubernetes.io/last-applied-configuration"));
  EXPECT_EQ(script_.requests.size(), 2u);
}

TEST_F(ServerSide, NamesAServerThatIsTooOld) {
  script_.On(kApply, Refusal(415, "UnsupportedMediaType", "what is that"));
  const Result<Document> done = Apply();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().message.starts_with("Server-side apply not available on the server: ("));
}

TEST_F(ServerSide, GivesAdviceWhereLiveCannotBeRead) {
  script_.On(kApply, Refusal(409, "Conflict", "Apply failed with 1 conflict: conflict with \"x\": .data.b"));
  script_.On("GET" + kObject, Refusal(403, "Forbidden", "no"));
  const Result<Document> done = Apply();
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find(".data.b\nPlease review the fields above"), std::string::npos);
}

// Quadratic, this took minutes.
TEST(ExplainConflicts, NamesTheFirstHundredOfManyConflicts) {
  std::string data, owned, said = "Apply failed with 100000 conflicts:";
  for (int i = 100'000; i < 200'000; ++i) {
    data += StrCat(data.empty() ? "" : ",", "\"k", i, "\":\"v\"");
    owned += StrCat(owned.empty() ? "" : ",", "\"f:k", i, "\":{}");
    said += StrCat("\n- .data.k", i);
  }
  const Document live =
      *ParseJson(StrCat(R"({"metadata":{"managedFields":[{"manager":"x","operation":"Update","fieldsV1":{"f:data":{)",
                        owned, "}}}]},\"data\":{", data, "}}"));
  const auto lines = ExplainConflicts(said, Document().root(), live.root(), "me");
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_EQ(lines.front(), "data.k100000: \"me\" applies nothing; live has \"v\", owned by x (Update; time unknown)");
  EXPECT_EQ(lines.back(), "and 99900 more");
}

TEST(ExplainConflicts, CutsALongValueBetweenCharacters) {
  const auto object = [](const std::string& text, const std::string& entries) {
    return *ParseJson(R"({"metadata":{"managedFields":[)" + entries + R"(]},"data":{"b":")" + text + "\"}}");
  };
  const std::string euros = [] {
    std::string out;
    for (int i = 0; i < 40; ++i) out += "\u20ac";
    return out;
  }();
  const std::string entry = R"({"manager":"x","operation":"Update","fieldsV1":{"f:data":{"f:b":{}}}})";
  const auto lines = ExplainConflicts("conflict with \"x\": .data.b", object(euros, "").root(),
                                      object("a" + euros, entry).root(), "me");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(IsValidUtf8(lines[0])) << lines[0];
  EXPECT_NE(lines[0].find("\u20ac…; live has \"a\u20ac"), std::string::npos) << lines[0];
}

struct UnionRow {
  const char *a, *b, *both;
};

TEST(ManagedFieldsUnion, KeepsWhatIsOwnedItself) {
  const UnionRow rows[] = {
      {"{}", "{}", "{}"},
      {"{}", R"({"f:a":{}})", R"({"f:a":{}})"},
      {R"({"f:a":{}})", R"({"f:b":{}})", R"({"f:a":{},"f:b":{}})"},
      {R"({"f:a":{}})", R"({"f:a":{"f:b":{}}})", R"({"f:a":{".":{},"f:b":{}}})"},
      {R"({"f:a":{"f:b":{}}})", R"({"f:a":{"f:c":{}}})", R"({"f:a":{"f:b":{},"f:c":{}}})"},
      {R"({"f:a":{".":{},"f:b":{}}})", R"({"f:a":{"f:c":{}}})", R"({"f:a":{".":{},"f:b":{},"f:c":{}}})"},
      {R"({"f:a":{".":{}}})", R"({"f:a":{}})", R"({"f:a":{}})"},
  };
  for (const auto& [a, b, both] : rows) {
    const Document left = *ParseJson(a), right = *ParseJson(b);
    Arena arena;
    EXPECT_EQ(WriteJson(UnionOfFields(left.root(), right.root(), arena)), both) << a << " " << b;
    EXPECT_EQ(WriteJson(UnionOfFields(right.root(), left.root(), arena)), both) << b << " " << a;
  }
}

std::string Migrated(const std::string& entries, const std::set<std::string>& from) {
  const Document object = *ParseJson(Object(entries));
  Arena arena;
  const auto out = MigratedToServerSide(ManagedFields(object.root()), from, "kubectl", arena);
  if (!out) return "nothing to do";
  std::string text;
  for (const Value& entry : *out) {
    text += StrCat(entry.StringOr("manager"), " ", entry.StringOr("operation"), " ",
                   WriteJson(*entry.FindPath({"fieldsV1", "f:data"})), "\n");
  }
  return text;
}

TEST(ManagedFieldsMigration, GivesFieldsOver) {
  EXPECT_EQ(Migrated(kServerSide, {}), "nothing to do");
  EXPECT_EQ(Migrated(kServerSide, {"client"}), "nothing to do");
  EXPECT_EQ(Migrated(kClientSide, {"client"}), "kubectl Apply {\"f:a\":{}}\n");
  EXPECT_EQ(Migrated(StrCat(kServerSide, ",", kClientSide), {"client"}), "kubectl Apply {\"f:a\":{},\"f:b\":{}}\n");
}

TEST(ManagedFieldsPaths, AreTheServersAndOurs) {
  const Document entry = *ParseJson(R"({"fieldsV1":{"f:spec":{"f:ports":{".":{},"k:{\"port\":80,\"protocol\":\"TCP\"}":
      {".":{},"f:name":{}}}},"f:metadata":{"f:finalizers":{"v:\"a/b\"":{}},"f:annotations":{"f:a.b/c":{}}},
      "i:3":{},"broken":{},"k:[]":{},"k:{":{}}})");
  std::string out;
  ForEachOwnedField(entry.root(), [&](const std::string& server_path, const FieldPath& path) {
    out += StrCat(server_path, "  ", ToString(path), "\n");
  });
  EXPECT_EQ(out,
            ".metadata.annotations.a.b/c  metadata.annotations[\"a.b/c\"]\n"
            ".metadata.finalizers[=\"a/b\"]  metadata.finalizers[\"a/b\"]\n"
            ".spec.ports  spec.ports\n"
            ".spec.ports[port=80,protocol=\"TCP\"]  spec.ports[port=80,protocol=TCP]\n"
            ".spec.ports[port=80,protocol=\"TCP\"].name  spec.ports[port=80,protocol=TCP].name\n"
            "[3]  [3]\n");
}

}  // namespace
}  // namespace smp::apply
