#include "apply/new_kinds.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "base/fake_clock.h"
#include "net/fake_transport.h"
#include "value/json.h"

namespace smp::apply {
namespace {

constexpr char kNew[] = R"({"status": {}})";
constexpr char kEstablished[] =
    R"({"status": {"conditions": [{"type": "NamesAccepted", "status": "True"}, {"type": "Established", "status": "True"}]}})";
constexpr char kNamesRefused[] =
    R"({"kind": "CustomResourceDefinition", "status": {"conditions": [{"type": "NamesAccepted", "status": "False", "message": "taken"}]}})";

GroupVersionKind KindOf(const std::string& name) { return {"example.com", "v1", name}; }

// A server that has CRDs written to it, one after the other.
class NewKindsTest : public testing::Test {
 protected:
  void Write(const std::string& kind, const char* answer) {
    const Manifests crd = ParseManifests(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n"
        "spec: {group: example.com, names: {kind: " +
            kind + ", plural: x}, versions: [{name: v1, served: true}]}\n",
        "f");
    const Manifest& manifest = *crd.items[0];
    kinds_.Note(manifest, {manifest.gvk, "customresourcedefinitions", "", kind}, ParseJson(answer)->root());
  }

  // Returns when the objects of each kind were released, in milliseconds since the wait began.
  std::map<std::string, int64_t> Released(std::vector<GroupVersionKind> kinds) {
    std::mutex mutex;
    std::map<std::string, int64_t> out;
    const auto release = [&](const GroupVersionKind& kind) {
      const std::lock_guard lock(mutex);
      EXPECT_TRUE(out.emplace(kind.kind, clock_.now_ms).second) << kind.kind;
    };
    kinds_.Await(std::move(kinds), release, [](const kube::ObjectRef&) {});
    return out;
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  kube::SchemaSource schemas_{&client_};
  FakeClock clock_;
  NewKinds kinds_{client_, schemas_, clock_};
};

constexpr char kDiscovery[] = "GET /apis/example.com/v1";

net::HttpResponse Serving(const std::string& kinds) { return net::Json(200, R"({"resources":[)" + kinds + "]}"); }

TEST_F(NewKindsTest, ObjectsOfACreatedCrdAreReleasedWhenTheServerNoLongerHoldsThem) {
  Write("Widget", kNew);
  script_.On(kDiscovery, Serving(R"({"kind": "Widget"})"));
  EXPECT_TRUE(kinds_.IsToAwait(KindOf("Widget")));
  EXPECT_FALSE(kinds_.IsToAwait(KindOf("Gadget")));
  const auto released = Released({KindOf("Widget")});
  EXPECT_GE(released.at("Widget"), 2000);
  EXPECT_LT(released.at("Widget"), 2100);
  EXPECT_FALSE(kinds_.IsToAwait(KindOf("Widget")));
  EXPECT_TRUE(kinds_.Find(KindOf("Widget"))->served.ok());
}

TEST_F(NewKindsTest, ObjectsOfAChangedCrdNeedNotWait) {
  Write("Widget", kEstablished);
  script_.On(kDiscovery, Serving(R"({"kind": "Widget"})"));
  EXPECT_EQ(Released({KindOf("Widget")}).at("Widget"), 0);
}

TEST_F(NewKindsTest, AKindThatIsNeverServedDoesNotKeepTheOthersBack) {
  Write("Widget", kNew);
  Write("Gadget", kNew);
  script_.On(kDiscovery, Serving(R"({"kind": "Widget"})"));
  script_.On("GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/Gadget", net::Json(200, kNamesRefused));
  const auto released = Released({KindOf("Widget"), KindOf("Gadget")});
  EXPECT_GE(released.at("Widget"), 2000);  // no upper bound: two threads move the fake clock
  EXPECT_FALSE(kinds_.Find(KindOf("Gadget"))->served.ok());
}

TEST_F(NewKindsTest, CtrlCReleasesWhatIsHeld) {
  Write("Widget", kNew);
  script_.On(kDiscovery, Serving(R"({"kind": "Widget"})"));
  clock_.interrupted_at_ms = 100;
  EXPECT_LT(Released({KindOf("Widget")}).at("Widget"), 200);
}

}  // namespace
}  // namespace smp::apply
