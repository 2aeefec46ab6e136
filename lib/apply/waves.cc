#include "apply/waves.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "apply/copies.h"

namespace smp::apply {

namespace {

struct Place {
  std::string_view group;
  std::string_view kind;
  int wave;
};

constexpr int kEverythingElse = 3, kOfDefinitions = 4, kCalledByServer = 5, kOfApiServices = 6;

constexpr std::array kPlaces = {
    Place{"", "Namespace", 0},
    Place{"apiextensions.k8s.io", "CustomResourceDefinition", 0},
    Place{"scheduling.k8s.io", "PriorityClass", 0},
    Place{"node.k8s.io", "RuntimeClass", 0},
    Place{"storage.k8s.io", "StorageClass", 0},
    Place{"networking.k8s.io", "IngressClass", 0},
    Place{"", "ServiceAccount", 1},
    Place{"", "Secret", 1},
    Place{"", "ConfigMap", 1},
    Place{"", "LimitRange", 1},
    Place{"", "ResourceQuota", 1},
    Place{"", "PersistentVolume", 1},
    Place{"", "PersistentVolumeClaim", 1},
    Place{"rbac.authorization.k8s.io", "Role", 1},
    Place{"rbac.authorization.k8s.io", "ClusterRole", 1},
    Place{"rbac.authorization.k8s.io", "RoleBinding", 2},
    Place{"rbac.authorization.k8s.io", "ClusterRoleBinding", 2},
    Place{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", kCalledByServer},
    Place{"admissionregistration.k8s.io", "MutatingWebhookConfiguration", kCalledByServer},
    Place{"apiregistration.k8s.io", "APIService", kCalledByServer},
};

}  // namespace

int WaveOf(const GroupVersionKind& gvk, const InputDefinitions& definitions) {
  if (definitions.kinds.contains(gvk)) return kOfDefinitions;
  if (definitions.api_services.contains({gvk.group, gvk.version, ""})) return kOfApiServices;
  const auto at = std::find_if(kPlaces.begin(), kPlaces.end(),
                               [&](const Place& place) { return place.group == gvk.group && place.kind == gvk.kind; });
  return at == kPlaces.end() ? kEverythingElse : at->wave;
}

std::vector<Step> StepsOf(const Manifests& manifests, Order order, const std::string& name_space,
                          const InputDefinitions& definitions) {
  std::map<std::pair<int, int>, Step> steps;  // by wave and number of earlier occurrences
  std::map<Identity, int> seen;
  for (size_t i = 0; i < manifests.items.size(); ++i) {
    const Result<Manifest>& manifest = manifests.items[i];
    if (!manifest.ok()) continue;
    const bool by_wave = order == Order::kWaves;
    const int wave = by_wave ? WaveOf(manifest->gvk, definitions) : static_cast<int>(i);
    const int times = by_wave ? seen[IdentityOf(*manifest, name_space)]++ : 0;
    steps[{wave, times}].push_back(i);
  }
  std::vector<Step> out;
  for (auto& [place, step] : steps) out.push_back(std::move(step));
  return out;
}

}  // namespace smp::apply
