// Which Pods a Service reaches, which labels the Pods of a workload have, and which hosts an Ingress serves: whether any is reached,
// only all of them tell.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::explain {

using Labels = std::map<std::string, std::string>;

inline constexpr std::string_view kEveryHost = "*";

struct ReachFacts {
  Labels selector;  // of a Service, as it will be; empty if it has none
  // Of the Pods that a workload starts; empty if it starts none.
  Labels pods_before, pods_after;
  bool selects_anew = false;                        // a Service that exists, and gets another selector
  std::set<std::string> backends_before, backends;  // the Services of an Ingress
  // The TLS Secrets that an Ingress names, and did not name before; none where its annotations let a controller make them.
  std::set<std::string> new_certificates;
  std::string new_class;  // the IngressClass that an Ingress names, and did not name before; ""
  Labels attached_to;     // the Pods that a NetworkPolicy or a PodDisruptionBudget is about, if labels say all
  std::string target;     // of an autoscaler: "Deployment web"
  std::set<std::string> hosts_before, hosts_after;  // of an Ingress; "*": without a host
  // How a Service, an Ingress or a workload newly lets requests in from outside the cluster: "type ClusterIP → LoadBalancer", "no host",
  // "hostPort 80"; "" if it does not, or only inside a network of its own.
  std::string opens;
  std::string closes;              // of a Service that loses such a way: "type NodePort → ClusterIP"
  std::set<std::string> settings;  // of an Ingress, as it will be: the names of its annotations without their prefixes
};

// Of a map of labels; `map` may be nullptr.
Labels LabelsIn(const Value* map);
// Of a selector with matchLabels alone; empty for others, of which labels do not say all. `selector` may be nullptr.
Labels LabelsOfSelector(const Value* selector);

// `before`: null if the object is new.
ReachFacts ReachFactsOf(const Value& before, const Value& after);

// Returns true if Pods with these labels are selected; an empty selector selects none.
bool Selects(const Labels& selector, const Labels& pods);

}  // namespace smp::explain
