#include "apply/find_kind.h"

#include <gtest/gtest.h>

#include "net/fake_transport.h"

namespace smp::apply {
namespace {

const GroupVersionKind kWidget{"example.com", "v1", "Widget"};
constexpr char kCrd[] = "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";

// A server before 1.24, whose document has no fields of the widget's, as they are below a node that preserves unknown ones.
class FindingKindByV2 : public testing::Test {
 protected:
  FindingKindByV2() {
    script_.On("GET /openapi/v3", net::Json(404, "{}"));
    script_.On("GET /openapi/v2", net::Json(200, R"({"swagger":"2.0","paths":{
        "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}":{"patch":{
            "consumes":["application/merge-patch+json"],
            "x-kubernetes-group-version-kind":{"group":"example.com","kind":"Widget","version":"v1"}}}},
        "definitions":{"com.example.v1.Widget":{"type":"object","properties":{"spec":{"type":"object"}},
            "x-kubernetes-group-version-kind":[{"group":"example.com","kind":"Widget","version":"v1"}]}}})"));
  }

  Prepared Found() {
    Prepared out;
    const Status status = FindKind(kWidget, {.client = &client_, .schemas = &schemas_}, out);
    EXPECT_TRUE(status.ok()) << status.error().message;
    return out;
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  kube::SchemaSource schemas_{&client_};
};

TEST_F(FindingKindByV2, TheTypeOfACustomResourceIsThatOfItsCrd) {
  script_.On(kCrd,
             net::Json(200, R"({"kind":"CustomResourceDefinition","spec":{"group":"example.com","scope":"Namespaced",
      "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"schema":{"openAPIV3Schema":
      {"type":"object","properties":{"size":{"type":"integer"}}}}}]}})"));
  const Prepared found = Found();
  EXPECT_NE(found.schema->Find(found.resource.type, "size"), nullptr);
  EXPECT_EQ(found.resource.plural, "widgets");
}

// It may not be read, or the kind is of an aggregated server.
TEST_F(FindingKindByV2, WithoutACrdTheTypeIsThatOfTheDocument) {
  for (const int status : {403, 404}) {
    script_.answers[kCrd] = {net::Json(status, "{}")};
    schemas_.Forget("");
    const Prepared found = Found();
    EXPECT_NE(found.schema->Find(found.resource.type, "spec"), nullptr) << status;
  }
}

}  // namespace
}  // namespace smp::apply
