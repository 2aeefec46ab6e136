#include "cmd/refused_kinds.h"

#include <algorithm>

#include "apply/input_definitions.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "smp/foretell.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

bool IsServed(const Value& definition, const GroupVersionKind& kind) {
  return std::ranges::any_of(ItemsAt(definition, {"spec", "versions"}), [&](const Value& version) {
    return TextAt(version, {"name"}) == kind.version && IsTrueAt(version, {"served"});
  });
}

}  // namespace

void RefusedKinds::Note(const std::vector<GroupVersionKind>& brings, const explain::ObjectReport& report) {
  if (report.error && report.error->code == ErrorCode::kRefused) kinds_.insert(brings.begin(), brings.end());
}

std::optional<Error> RefusedKinds::ErrorOf(const Result<apply::Manifest>& manifest) const {
  if (!manifest.ok() || !kinds_.contains(manifest->gvk)) return std::nullopt;
  const GroupVersionKind& kind = manifest->gvk;
  Error error{ErrorCode::kNotFound, StrCat(kForetold, "its CRD will be refused: no matches for kind \"", kind.kind,
                                           "\" in version \"", kind.ApiVersion(), "\"")};
  error.source = manifest->source();
  return error;
}

std::vector<GroupVersionKind> KindsToCome(const Result<apply::Manifest>& manifest,
                                          const Result<apply::Prepared>& prepared) {
  if (!manifest.ok() || !prepared.ok() || !kube::IsDefinition(manifest->gvk)) return {};
  std::vector<GroupVersionKind> out = apply::KindsBroughtBy(*manifest);
  if (prepared->live) std::erase_if(out, [&](const auto& kind) { return IsServed(prepared->live->root(), kind); });
  return out;
}

apply::Manifests LateDefinitions(const apply::Manifests& manifests) {
  apply::Manifests out;
  std::set<GroupVersionKind> seen;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    const auto is_seen = [&](const GroupVersionKind& kind) { return seen.contains(kind); };
    const bool defines = kube::IsDefinition(manifest->gvk);
    if (defines && std::ranges::any_of(apply::KindsBroughtBy(*manifest), is_seen)) out.items.push_back(manifest);
    seen.insert(manifest->gvk);
  }
  return out;
}

}  // namespace smp::cmd
