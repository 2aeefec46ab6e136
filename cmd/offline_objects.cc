#include "cmd/offline_objects.h"

#include "value/redact.h"

namespace smp {

Result<OfflineObjects> ReadOfflineObjects(const std::string& file) {
  OfflineObjects out;
  if (file.empty()) return out;
  SMP_ASSIGN(Manifests manifests, ReadManifests({.files = {file}}));
  for (auto& item : manifests.items) {
    SMP_ASSIGN(Manifest object, std::move(item));
    SecretRegistry::Instance().Remember(object.document.root());
    out.push_back(std::move(object));
  }
  return out;
}

std::optional<Document> FindObject(const OfflineObjects& objects, const Manifest& wanted) {
  for (const Manifest& object : objects) {
    const bool same_place =
        wanted.name_space.empty() || object.name_space.empty() || object.name_space == wanted.name_space;
    if (object.gvk.group == wanted.gvk.group && object.gvk.kind == wanted.gvk.kind && object.name == wanted.name &&
        same_place) {
      return object.document;
    }
  }
  return std::nullopt;
}

}  // namespace smp
