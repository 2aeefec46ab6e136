#include "cmd/offline_objects.h"

#include <utility>
#include <vector>

#include "apply/last_applied.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "schema/builtin.h"

namespace smp::cmd {

namespace {

bool IsNamespaced(const GroupVersionKind& gvk, const apply::InputDefinitions& definitions) {
  const auto defined = definitions.kinds.find(gvk);
  if (defined != definitions.kinds.end()) return defined->second.resource.namespaced;
  const Resource* resource = BuiltinSchema()->FindResource(gvk);
  return resource == nullptr || resource->namespaced;
}

Error Ambiguous(const std::string& flag, const apply::Manifest& wanted,
                const std::map<std::string, Document>& by_namespace) {
  constexpr size_t kNamed = 3;
  std::vector<std::string> names;
  for (const auto& [name_space, object] : by_namespace) names.push_back(name_space);
  Error error = Error::InvalidArgument(StrCat("the --", flag, " file has ", wanted.gvk.kind, " ", wanted.name,
                                              " in several namespaces (", NameSome(std::move(names), kNamed),
                                              "); say with -n which is meant"));
  error.source = wanted.source();
  return error;
}

}  // namespace

Result<OfflineObjects> OfflineObjects::Read(const ParsedFlags& flags, const std::string& flag) {
  OfflineObjects out;
  out.flag_ = flag;
  const std::string file = flags.Text(flag);
  if (file.empty()) return out;
  SMP_ASSIGN(apply::Manifests manifests, apply::ReadManifests({.files = {file}, .recursive = flags.On("recursive")}));
  for (auto& item : manifests.items) {
    SMP_ASSIGN(apply::Manifest object, std::move(item));
    out.objects_[{object.gvk.group, object.gvk.kind, object.name}].try_emplace(object.name_space, object.document);
  }
  return out;
}

Result<std::optional<Document>> OfflineObjects::Find(const apply::Manifest& wanted, const std::string& name_space,
                                                     const apply::InputDefinitions& definitions) const {
  const auto found = objects_.find({wanted.gvk.group, wanted.gvk.kind, wanted.name});
  if (found == objects_.end()) return std::optional<Document>();
  const std::map<std::string, Document>& by_namespace = found->second;
  const std::string& in = wanted.name_space.empty() ? name_space : wanted.name_space;
  if (const auto same = by_namespace.find(in); same != by_namespace.end()) return std::optional(same->second);
  if (const auto bare = by_namespace.find(""); bare != by_namespace.end()) {
    return std::optional(IsNamespaced(wanted.gvk, definitions) ? apply::WithNamespace(bare->second, in) : bare->second);
  }
  if (!in.empty()) return std::optional<Document>();
  if (by_namespace.size() > 1) return Ambiguous(flag_, wanted, by_namespace);
  return std::optional(by_namespace.begin()->second);
}

}  // namespace smp::cmd
