// What matters of the Pods that an object starts, beyond the fields that change.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explain/pod_security.h"
#include "explain/stored_data.h"
#include "smp/managed_fields.h"
#include "value/value.h"

namespace smp::explain {

// A Secret, ConfigMap, ServiceAccount or PersistentVolumeClaim in the object's namespace; a PriorityClass or RuntimeClass.
struct NeededObject {
  std::string kind, name;
  std::string key = {};  // of a Secret or ConfigMap, without which a Pod does not start; "": the object
  bool as_file =
      false;  // the key is mounted alone (subPath): without it, Pods start, with an empty folder in its place
  auto operator<=>(const NeededObject&) const = default;
  bool has_namespace() const { return !kind.ends_with("Class"); }
};

struct LostProtection {
  std::string container, what;  // "web", "runAsNonRoot"; container "": of the whole Pod
};

struct PodFacts {
  std::vector<std::string>
      node_rights;  // which the Pods newly get: "hostNetwork", "privileged", "hostPath /dev", "SYS_ADMIN"
  std::vector<Forbidden> forbidden;        // ForbiddenIn
  std::set<std::string> unstated;          // resources that some container does not state: "limits.memory"
  std::vector<std::string> moving_images;  // without a fixed version: "app:latest"
  std::vector<std::string> images;         // "app:1.2", each once
  std::vector<std::string> new_images;     // with registry, of an object that is new
  std::vector<std::string> gone_images;    // likewise, of repositories that the Pods no longer use
  std::vector<LostProtection>
      lost_protection;        // of the Pod and of containers that stay: "runAsNonRoot", "readOnlyRootFilesystem"
  size_t containers = 0;      // also those that end before the others start
  std::string other_account;  // "old → new": the ServiceAccount, where it changes
  std::vector<std::string> lost_probes;   // that name a port which their container does not have
  bool same_images = false;               // as before
  bool keeps_data = false;                // in claims: a hostPath may be any folder of the node
  std::vector<std::string> gone_volumes;  // that the Pods no longer use: "data → data-2", "data", "hostPath /srv/data"
  std::vector<std::string> moved_volumes;  // mounted at another place: "data /data → /var/lib/data"
  std::vector<std::string> loses_data;     // databases that keep it in the Pods: "redis:5"
  std::vector<Database> new_databases;     // that come
  bool stops_first = false;                // the old Pods stop before the new ones start
  bool recreates = false;                  // by the strategy Recreate
  std::vector<std::string> nodes;          // labels that a node newly needs: "disk=ssd"; of new Pods, all of them
  std::vector<std::string> no_node;        // those of them that no node has; empty if nobody looked
  std::string runs;                        // what their first container runs: "certgen:v1.6 create --host=a"
  std::vector<NeededObject> needs;         // NeedsOf
  std::vector<NeededObject> missing;       // those of them, and of the keys they need, that are nowhere
};

// What Pods read now, and will not, and who changed it; nobody where nobody looked.
struct UnreadSetting {
  NeededObject object;
  std::set<std::string> keys;  // that they read; empty: all
  std::vector<FieldManager> changed_by;
  std::string changes = {};  // of a ConfigMap: "app.conf mode encap → noEncap", as far as that is short
};
// Returns the Secrets and ConfigMaps that a Pod template refers to, and will not.
std::vector<UnreadSetting> UnreadSettings(const Value& before, const Value& after);

// Returns what Pods of the object do not start without.
std::vector<NeededObject> NeedsOf(const Value& object);

// Returns the keys of ConfigMaps and Secrets without which they do not start, or not as they should.
std::vector<NeededObject> KeysNeededBy(const Value& object);

// The lists of a Pod's containers.
inline constexpr std::string_view kContainerLists[] = {"containers", "initContainers"};

// Returns a Pod, or the template that an object has of one; nullptr for other objects.
const Value* PodTemplateOf(const Value& object);
const Value* PodSpecOf(const Value& object);  // the spec of that

// Returns the image of each container; empty if the object starts no Pods.
std::vector<std::string> ImagesOf(const Value& object);

// A ConfigMap or Secret from which a container has variables.
struct VariableSource {
  std::string_view kind, name, key;  // key "": all of its keys
  bool optional = false;
};
std::vector<VariableSource> VariableSourcesOf(const Value& container);

// Returns the ServiceAccount that the Pods run as; "": the default one, or the object starts no Pods.
std::string AccountOf(const Value& object);

// `before`: null if the object is new. Objects that start no Pods have no facts.
PodFacts PodFactsOf(const Value& before, const Value& after);

}  // namespace smp::explain
