// Who answers the requests that an object directs, who has the role that it binds, and what Pods may do in its namespace: a
// change of these is short, and what follows from it is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace smp::explain {

struct AccessFacts {
  std::vector<std::string> redirects;  // of an APIService or webhooks: "kube-system/a → monitoring/b"
  std::vector<std::string> lost_by;    // of a role: "ServiceAccount shop/web", "Group dev"
  std::vector<std::string> given_to;
  std::vector<std::string> lost_by_running;  // workloads of lost_by that go on as they are: "Deployment shop/web"
  std::string binds;                   // a role that reaches far, or everybody, anew: "cluster-admin to Group dev"
  std::vector<std::string> new_calls;  // of webhooks: NewCalls
  std::string stricter;                // likewise, where less is allowed than before: "no level → restricted"
  std::string laxer;  // what Pods are allowed in a namespace: "restricted → baseline"; "": not more than before
};

// Returns what changes between two states of an object. `before`: null if it is new.
AccessFacts AccessFactsOf(const Value& before, const Value& after);

std::string ReceiverOf(const Value& webhook);  // "shop/checker", or an URL

struct TrafficPolicy {
  std::string spec;         // as JSON, to tell equal ones; "": it is no NetworkPolicy
  bool allows_all = false;  // it has an empty rule for ingress and, if it is about egress, one for that
};
TrafficPolicy PolicyOf(const Value& object);

}  // namespace smp::explain
