// Hosts in settings that change: in variables, and in the keys of ConfigMaps.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/report.h"

namespace smp::explain {

struct ChangedHost {
  std::string before, after;
  std::string field;  // in words: "env DB_URL", "app.yaml spring.datasource.url"
  const ReportRow* row = nullptr;
  bool is_undone = false;  // of a value in a text: live had changed it
};

// Returns those of values that are a URL, or a host and a port, also in texts that are documents.
std::vector<ChangedHost> ChangedHosts(const ObjectReport& object);

// Returns namespace and name of the Service that a host in a cluster means: "db", "db.shop.svc", "db.shop.svc.cluster.local"; "" and
// "" for other hosts. `name_space`: of who asks.
std::pair<std::string, std::string> ServiceOf(std::string_view host, const std::string& name_space);

// Returns the Services among the hosts after the change.
std::vector<NamedObject> NamedServices(const ObjectReport& object);

// Returns the Services that the arguments and variables of Pods name as NAME.NAMESPACE.svc, and did not name before; `before`: a null,
// of a new object. Not those of NamedServices.
std::vector<NamedObject> ServicesOfNewPods(const Value& before, const Value& after,
                                           const std::vector<NamedObject>& known);

}  // namespace smp::explain
