#include "cmd/input_objects.h"

#include <string_view>

namespace smp::cmd {

std::set<explain::ObjectName> NamesOf(const explain::Report& report) {
  std::set<explain::ObjectName> out;
  for (const explain::ObjectReport& object : report.objects)
    out.insert({explain::OwnKind(object), object.name_space, object.name});
  return out;
}

explain::ObjectName NameOf(const apply::Manifest& manifest, const explain::Report& report) {
  const bool names_it = !manifest.name_space.empty() || !report.context;
  const std::string_view in = names_it ? manifest.name_space : report.context->name_space;
  return {manifest.gvk.kind, in, manifest.name};
}

ManifestsByName ByName(const apply::Manifests& manifests, const explain::Report& report) {
  ManifestsByName out;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (manifest.ok()) out.emplace(NameOf(*manifest, report), &manifest->document.root());
  }
  return out;
}

bool IsNewWorkload(const explain::ObjectReport& object) {
  return object.action == explain::Action::kCreate && explain::Serves(object.kind) && object.api_version == "apps/v1";
}

}  // namespace smp::cmd
