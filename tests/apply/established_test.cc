#include "apply/established.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/fake_clock.h"
#include "net/fake_transport.h"

namespace smp::apply {
namespace {

const kube::ObjectRef kRef = {
    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}, "customresourcedefinitions", "", "widgets.example.com"};
constexpr char kGet[] = "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";

net::HttpResponse Definition(const std::string& conditions) {
  return net::Json(200, StrCat(R"({"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
      "metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","versions":[{"name":"v1"}]},
      "status":{"conditions":[)",
                               conditions, "]}}"));
}

constexpr char kAccepted[] = R"({"type":"NamesAccepted","status":"True"})";
constexpr char kEstablished[] = R"({"type":"NamesAccepted","status":"True"},{"type":"Established","status":"True"})";

struct Outcome {
  Status status;
  int64_t slept_ms;
};

Outcome Await(net::FakeScript& script) {
  kube::Client client(std::make_unique<net::FakeTransport>(&script));
  kube::SchemaSource schemas(&client);
  FakeClock clock;
  Status status = AwaitEstablished(client, schemas, kRef, clock);
  return {std::move(status), clock.now_ms};
}

TEST(AwaitEstablished, WaitsUntilTheServerSaysSo) {
  net::FakeScript script;
  script.On(kGet, Definition(""));
  script.On(kGet, Definition(kAccepted));
  script.On(kGet, Definition(kEstablished));
  const Outcome outcome = Await(script);
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.slept_ms, 150);
}

TEST(AwaitEstablished, RefusedNamesAreAnError) {
  net::FakeScript script;
  script.On(kGet, Definition(R"({"type":"NamesAccepted","status":"False","message":"\"Widget\" is already in use"})"));
  EXPECT_EQ(Await(script).status.error().message, "the server does not serve this CRD: \"Widget\" is already in use");
}

TEST(AwaitEstablished, GivesUpAfterAWhile) {
  net::FakeScript script;
  script.On(kGet, Definition(kAccepted));
  const Outcome outcome = Await(script);
  EXPECT_EQ(outcome.status.error().message, "the server does not serve this CRD after 30 s: it is not established");
  EXPECT_EQ(outcome.slept_ms, 30550);
}

}  // namespace
}  // namespace smp::apply
