// The ports that a Service or the Pods of a workload have, and the ports that other objects name: a port that is renamed on
// one side only is reached no more, and the server accepts that.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explain/reach_facts.h"
#include "value/value.h"

namespace smp::explain {

// A port that an object names.
struct NamedPort {
  enum class Of { kService, kPods } of = Of::kService;
  std::string port;          // a name, or a number
  std::string service = {};  // the name of the Service; "": it is selected by its labels
  Labels selector = {};      // of Services, or of Pods
  bool everywhere = false;   // in each namespace
  std::set<std::string> namespaces = {};
};

struct PortFacts {
  std::string name, name_space;
  Labels labels;                  // of a Service, or of the Pods of a workload
  std::set<std::string> ports;    // names and numbers, of Pods those that they declare
  std::vector<NamedPort> needed;  // that the object names
};

// Of a Service, a workload, or what sends requests to them: Ingress, routes of the Gateway API, ServiceMonitor, PodMonitor,
// APIService, webhooks. `object`: null if it does not exist. Linear.
PortFacts PortFactsOf(const Value& object);

}  // namespace smp::explain
