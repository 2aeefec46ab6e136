#include "cmd/refused_kinds.h"

#include <algorithm>
#include <set>

#include "apply/input_definitions.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "smp/foretell.h"

namespace smp::cmd {

void RefusedKinds::Note(const apply::Manifest& manifest, const explain::ObjectReport& report) {
  if (!report.error || !kube::IsDefinition(manifest.gvk)) return;
  const bool refused = report.error->code == ErrorCode::kRefused;
  for (const GroupVersionKind& kind : apply::KindsBroughtBy(manifest)) {
    why_[{kind.group, kind.kind}] = refused ? "its CRD will be refused" : "its CRD is not sent";
  }
}

Error RefusedKinds::Explained(Error error, const GroupVersionKind& kind) const {
  const std::string unknown = StrCat("no matches for kind \"", kind.kind, "\" in version \"", kind.ApiVersion(), "\"");
  if (!error.message.starts_with(unknown)) return error;
  error.code = ErrorCode::kNotFound;
  error.message =
      StrCat(kForetold, why_.at({kind.group, kind.kind}), ": ", unknown);  // and not which other kinds there are
  return error;
}

apply::Manifests LateDefinitions(const apply::Manifests& manifests, const std::string& name_space) {
  apply::Manifests out;
  std::set<GroupVersionKind> seen;
  std::set<std::string> namespaces;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    const auto is_seen = [&](const GroupVersionKind& kind) { return seen.contains(kind); };
    const bool is_late = kube::IsDefinition(manifest->gvk)
                             ? std::ranges::any_of(apply::KindsBroughtBy(*manifest), is_seen)
                             : kube::IsNamespace(manifest->gvk) && namespaces.contains(manifest->name);
    if (is_late) out.items.push_back(manifest);
    seen.insert(manifest->gvk);
    namespaces.insert(manifest->name_space.empty() ? name_space : manifest->name_space);
  }
  return out;
}

}  // namespace smp::cmd
