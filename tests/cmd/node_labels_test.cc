#include "cmd/node_labels.h"

#include <gtest/gtest.h>

#include <memory>

#include "net/fake_transport.h"

namespace smp::cmd {
namespace {

using Names = std::vector<std::string>;

class NodeLabelsTest : public testing::Test {
 protected:
  void Answer(const std::string& label, const net::HttpResponse& answer) {
    script_.On("GET /api/v1/nodes?labelSelector=" + label + "&limit=1", answer);
  }

  // Returns the facts of a workload that newly needs these labels.
  explain::PodFacts Found(Names nodes, bool new_pods = true) {
    explain::Report report;
    report.objects.emplace_back();
    report.objects.front().new_pods = new_pods;
    report.objects.front().pods.nodes = std::move(nodes);
    FindNodes(client_, report);
    return report.objects.front().pods;
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
};

TEST_F(NodeLabelsTest, OnlyLabelsThatNoNodeHasAreLeft) {
  Answer("disk%3Dssd", net::Json(200, R"({"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]})"));
  Answer("gpu", net::Json(200, R"({"kind":"NodeList","apiVersion":"v1","items":[]})"));
  Answer("pool%3Da", net::Json(403, R"({"kind":"Status","code":403,"reason":"Forbidden"})"));
  const explain::PodFacts found = Found({"disk=ssd", "gpu", "pool=a"});
  EXPECT_EQ(found.no_node, Names{"gpu"});
  EXPECT_EQ(found.nodes, Names{"pool=a"}) << "nodes may not be listed";
}

TEST_F(NodeLabelsTest, NobodyIsAskedWithoutNewPods) {
  EXPECT_EQ(Found({"gpu"}, false).nodes, Names{"gpu"});
  EXPECT_TRUE(script_.requests.empty());
}

}  // namespace
}  // namespace smp::cmd
