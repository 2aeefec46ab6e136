// What a Service becomes as its type changes: each rule, and a near miss where it does not apply. tests/e2e/truth_test.py
// compares the same rules with a real server.
#include "smp/service.h"

#include <gtest/gtest.h>

#include <string>

#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

std::string Completed(const std::string& spec, const std::string& before) {
  const Document now = *yaml::ParseYaml(spec), then = *yaml::ParseYaml(before);
  Arena arena;
  return WriteJson(CompletedServiceSpec(now.root(), before.empty() ? nullptr : &then.root(), arena));
}

std::string AsJson(const std::string& yaml) { return WriteJson(yaml::ParseYaml(yaml)->root()); }

constexpr const char* kChosen = "(chosen by the server)";

TEST(Service, FollowsItsType) {
  const std::string address =
      "clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack";
  const std::string policy = "internalTrafficPolicy: Cluster";
  const std::string external = "externalTrafficPolicy: Cluster";
  const std::string chosen =
      std::string("clusterIP: ") + kChosen + ", clusterIPs: " + kChosen + ", ipFamilies: " + kChosen;
  const std::string cluster_ip = "type: ClusterIP, " + address + ", " + policy;
  const std::string node_port = "type: NodePort, " + address + ", " + policy + ", " + external;
  const std::string balancer =
      "type: LoadBalancer, allocateLoadBalancerNodePorts: true, " + address + ", " + policy + ", " + external;
  const struct {
    const char* behaviour;
    std::string before;  // members of the stored spec
    std::string spec;    // members that the patch leaves
    std::string completed;
  } rows[] = {
      {"an update keeps its address", cluster_ip, "type: ClusterIP, " + policy, cluster_ip},
      {"a node port is chosen", cluster_ip + ", ports: [{port: 80}]",
       "type: NodePort, " + address + ", ports: [{port: 80}]",
       node_port + ", ports: [{port: 80, nodePort: " + kChosen + "}]"},
      {"a node port is kept by its name", node_port + ", ports: [{name: a, port: 80, nodePort: 30001}]",
       "type: LoadBalancer, " + address + ", ports: [{name: a, port: 81}, {name: b, port: 82}]",
       balancer + ", ports: [{name: a, port: 81, nodePort: 30001}, {name: b, port: 82, nodePort: " + kChosen + "}]"},
      {"a node port that another port has now is not kept",
       node_port + ", ports: [{name: a, port: 80, nodePort: 30001}]",
       node_port + ", ports: [{name: b, port: 80, nodePort: 30001}, {name: a, port: 81}]",
       node_port + ", ports: [{name: b, port: 80, nodePort: 30001}, {name: a, port: 81, nodePort: " + kChosen + "}]"},
      {"node ports go", node_port + ", ports: [{port: 80, nodePort: 30001}]",
       "type: ClusterIP, " + address + ", " + policy + ", " + external + ", ports: [{port: 80, nodePort: 30001}]",
       cluster_ip + ", ports: [{port: 80}]"},
      {"a node port that is new stays, and the server refuses it", node_port + ", ports: [{port: 80, nodePort: 30001}]",
       cluster_ip + ", ports: [{port: 80, nodePort: 30002}]", cluster_ip + ", ports: [{port: 80, nodePort: 30002}]"},
      {"a load balancer without node ports gets none", cluster_ip + ", ports: [{port: 80}]",
       "type: LoadBalancer, allocateLoadBalancerNodePorts: false, " + address + ", ports: [{port: 80}]",
       "type: LoadBalancer, allocateLoadBalancerNodePorts: false, " + address + ", " + policy + ", " + external +
           ", ports: [{port: 80}]"},
      {"what only a load balancer has goes", balancer + ", loadBalancerClass: example.com/a",
       "type: NodePort, allocateLoadBalancerNodePorts: true, loadBalancerClass: example.com/a, " + address + ", " +
           external,
       node_port},
      {"external addresses keep the policy", cluster_ip + ", externalIPs: [1.2.3.4], " + external,
       cluster_ip + ", externalIPs: [1.2.3.4], " + external, cluster_ip + ", externalIPs: [1.2.3.4], " + external},
      {"an external name has no address", node_port,
       "type: ExternalName, externalName: a.example, " + address + ", " + policy + ", " + external,
       "type: ExternalName, externalName: a.example"},
      {"addresses are chosen", "type: ExternalName, externalName: a.example", "type: ClusterIP, selector: {a: b}",
       "type: ClusterIP, selector: {a: b}, ipFamilyPolicy: SingleStack, " + chosen + ", " + policy},
      {"a health check's port is chosen", balancer, "type: LoadBalancer, externalTrafficPolicy: Local, " + address,
       "type: LoadBalancer, allocateLoadBalancerNodePorts: true, externalTrafficPolicy: Local, healthCheckNodePort: " +
           std::string(kChosen) + ", " + address + ", " + policy},
      {"a health check's port goes", balancer + ", healthCheckNodePort: 30009, externalTrafficPolicy: Local",
       balancer + ", healthCheckNodePort: 30009", balancer},
      {"ClientIP has a timeout", cluster_ip, cluster_ip + ", sessionAffinity: ClientIP",
       cluster_ip + ", sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 10800}}"},
      {"another timeout stays", cluster_ip,
       cluster_ip + ", sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 7}}",
       cluster_ip + ", sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 7}}"},
      {"None has no timeout", cluster_ip,
       cluster_ip + ", sessionAffinity: None, sessionAffinityConfig: {clientIP: {timeoutSeconds: 7}}",
       cluster_ip + ", sessionAffinity: None"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Completed("{" + row.spec + "}", "{" + row.before + "}"), AsJson("{" + row.completed + "}"))
        << row.behaviour;
  }
}

TEST(Service, TellsAChosenValueFromOneThatReadsAlike) {
  const std::string same = kChosen;
  EXPECT_TRUE(IsChosenByServer(ChosenByServer()));
  EXPECT_FALSE(IsChosenByServer(Value::UnownedString(same)));
}

}  // namespace
}  // namespace smp
