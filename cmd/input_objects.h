// The objects of an input, by their names.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "apply/manifests.h"
#include "explain/object_names.h"
#include "explain/report.h"
#include "kube/client.h"

namespace smp::cmd {

// The names point into the report.
std::set<explain::ObjectName> NamesOf(const explain::Report& report);

// In the connection's namespace, if the manifest has none.
explain::ObjectName NameOf(const apply::Manifest& manifest, const explain::Report& report);

// The manifests of the input, by what they are about.
using ManifestsByName = std::map<explain::ObjectName, const Value*>;
ManifestsByName ByName(const apply::Manifests& manifests, const explain::Report& report);

// Returns the `ref` of each.
std::vector<kube::ObjectRef> RefsOf(const auto& with_refs) {
  std::vector<kube::ObjectRef> out;
  for (const auto& one : with_refs) out.push_back(one.ref);
  return out;
}

// Returns true for a Deployment, DaemonSet or StatefulSet that will be created.
bool IsNewWorkload(const explain::ObjectReport& object);

}  // namespace smp::cmd
