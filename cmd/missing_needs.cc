#include "cmd/missing_needs.h"

#include "base/strings.h"
#include "smp/managed_fields.h"

namespace smp::cmd {

namespace {

std::string GroupOf(const explain::NeededObject& needed) {
  return needed.kind == "PriorityClass"  ? "scheduling.k8s.io"
         : needed.kind == "RuntimeClass" ? "node.k8s.io"
         : needed.kind == "IngressClass" ? "networking.k8s.io"
         : needed.kind == "StorageClass" ? "storage.k8s.io"
                                         : "";
}

apply::Identity IdentityOfNeed(const explain::NeededObject& needed, const explain::ObjectReport& object) {
  return {GroupOf(needed), needed.kind, needed.has_namespace() ? object.name_space : "", needed.name};
}

// Returns the keys of a Secret or ConfigMap that managedFields name.
std::set<std::string> KeysIn(const Value& metadata_of_object) {
  std::set<std::string> out;
  for (const Value& entry : ManagedFields(metadata_of_object)) out.merge(DataKeysOf(entry));
  return out;
}

}  // namespace

kube::ObjectRef RefOf(const explain::NeededObject& needed, const std::string& name_space) {
  const std::string_view plural = needed.kind.ends_with('s') ? "es" : "s";
  const std::string where = needed.has_namespace() ? name_space : "";
  return {{GroupOf(needed), "v1", needed.kind}, StrCat(ToLower(needed.kind), plural), where, needed.name};
}

MissingNeeds::MissingNeeds(kube::Client& client, const apply::Manifests& manifests, const std::string& name_space)
    : client_(client), name_space_(name_space) {
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (manifest.ok()) exists_[IdentityOf(*manifest)] = true;
  }
}

apply::Identity MissingNeeds::IdentityOf(const apply::Manifest& manifest) const {
  const explain::NeededObject object = {manifest.gvk.kind, manifest.name};
  if (object.has_namespace()) return apply::IdentityOf(manifest, name_space_);
  return {manifest.gvk.group, manifest.gvk.kind, "", manifest.name};
}

void MissingNeeds::Ask(const explain::ObjectReport& object) {
  std::vector<kube::ObjectRef> refs;
  std::vector<apply::Identity> asked;
  for (const explain::NeededObject& needed : object.pods.needs) {
    kube::ObjectRef ref = RefOf(needed, object.name_space);
    if (exists_.contains(IdentityOfNeed(needed, object)) || !kube::CheckPathSegments(ref).ok()) continue;
    asked.push_back(IdentityOfNeed(needed, object));
    refs.push_back(std::move(ref));
  }
  if (refs.empty()) return;
  const std::vector<Result<Document>> answers = client_.GetAllMetadata(refs);
  for (size_t i = 0; i < answers.size(); ++i) {
    exists_[asked[i]] = answers[i].ok() || answers[i].error().code != ErrorCode::kNotFound;
    if (answers[i].ok()) keys_[asked[i]] = KeysIn(answers[i]->root());
  }
}

void MissingNeeds::AddTo(explain::ObjectReport& object) {
  const bool will_start = object.starts_pods() || !object.pods_stay.empty();
  if (!will_start || object.name_space.empty()) return;
  Ask(object);
  for (const explain::NeededObject& needed : object.pods.needs) {
    const auto at = exists_.find(IdentityOfNeed(needed, object));
    if (at != exists_.end() && !at->second) object.pods.missing.push_back(needed);
  }
  for (const explain::NeededObject& needed : object.keys_needed) {
    const auto at = keys_.find(IdentityOfNeed(needed, object));
    const bool is_known = at != keys_.end() && !at->second.empty();
    if (is_known && !at->second.contains(needed.key)) object.pods.missing.push_back(needed);
  }
}

}  // namespace smp::cmd
