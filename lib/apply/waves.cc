#include "apply/waves.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

namespace smp::apply {

namespace {

struct Place {
  std::string_view group;
  std::string_view kind;
  int wave;
};

constexpr int kEverythingElse = 3;

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
    Place{"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", 4},
    Place{"admissionregistration.k8s.io", "MutatingWebhookConfiguration", 4},
    Place{"apiregistration.k8s.io", "APIService", 4},
};

// Identifies an object regardless of the API version that the manifest uses.
using Identity = std::tuple<std::string, std::string, std::string, std::string>;

Identity IdentityOf(const Manifest& manifest, const std::string& name_space) {
  return {manifest.gvk.group, manifest.gvk.kind, manifest.name_space.empty() ? name_space : manifest.name_space,
          manifest.name};
}

}  // namespace

int WaveOf(const GroupVersionKind& gvk) {
  const auto at = std::find_if(kPlaces.begin(), kPlaces.end(),
                               [&](const Place& place) { return place.group == gvk.group && place.kind == gvk.kind; });
  return at == kPlaces.end() ? kEverythingElse : at->wave;
}

std::vector<Step> StepsOf(const Manifests& manifests, Order order, const std::string& name_space) {
  std::map<std::pair<int, int>, Step> steps;  // by wave and number of earlier occurrences
  std::map<Identity, int> seen;
  for (size_t i = 0; i < manifests.items.size(); ++i) {
    const Result<Manifest>& manifest = manifests.items[i];
    if (!manifest.ok()) continue;
    const bool by_wave = order == Order::kWaves;
    const int wave = by_wave ? WaveOf(manifest->gvk) : static_cast<int>(i);
    const int times = by_wave ? seen[IdentityOf(*manifest, name_space)]++ : 0;
    steps[{wave, times}].push_back(i);
  }
  std::vector<Step> out;
  for (auto& [place, step] : steps) out.push_back(std::move(step));
  return out;
}

}  // namespace smp::apply
