#include "apply/await_served.h"

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
constexpr char kList[] = "GET /apis/example.com/v1";

net::HttpResponse Serving(const std::string& kind) {
  return net::Json(200, StrCat(R"({"resources":[{"name":"x","kind":")", kind, R"("}]})"));
}

struct Outcome {
  Status status;
  int64_t slept_ms;
};

Outcome Await(net::FakeScript& script) {
  kube::Client client(std::make_unique<net::FakeTransport>(&script));
  kube::SchemaSource schemas(&client);
  FakeClock clock;
  Status status = AwaitServed(client, schemas, {"example.com", "v1", "Widget"}, kRef, clock);
  return {std::move(status), clock.now_ms};
}

// The definition itself, which may be large, is not read.
TEST(AwaitServed, WaitsUntilDiscoveryListsTheKind) {
  net::FakeScript script;
  script.On(kList, net::Json(404, "{}"));
  script.On(kList, Serving("Gadget"));
  script.On(kList, Serving("Widget"));
  const Outcome outcome = Await(script);
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.slept_ms, 75);
  EXPECT_EQ(script.requests.size(), 3u);
}

TEST(AwaitServed, RefusedNamesAreAnError) {
  net::FakeScript script;
  script.On(kList, Serving("Gadget"));
  script.On(kGet, Definition(R"({"type":"NamesAccepted","status":"False","message":"\"Widget\" is already in use"})"));
  const Outcome outcome = Await(script);
  EXPECT_EQ(outcome.status.error().message,
            "the server does not serve Widget of example.com/v1, which the input brings: \"Widget\" is already in use");
  EXPECT_LT(outcome.slept_ms, 6000);
}

TEST(AwaitServed, GivesUpAfterAWhile) {
  net::FakeScript script;
  script.On(kList, Serving("Gadget"));
  script.On(kGet, Definition(kAccepted));
  const Outcome outcome = Await(script);
  EXPECT_EQ(outcome.status.error().message,
            "the server does not serve Widget of example.com/v1, which the input brings, after 30 s");
  EXPECT_LT(outcome.slept_ms, 31'000);
  EXPECT_EQ(script.Count(kGet), 1u);
}

}  // namespace
}  // namespace smp::apply
