// A planned ConfigMap "cfg" in the namespace default, for tests of what is sent.
#pragma once

#include <string>

#include "apply/last_applied.h"
#include "apply/prepare.h"
#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {

// `live`: the object as a first GET found it; empty: there was none.
inline Prepared PreparedConfigMap(const std::string& manifest, const std::string& live) {
  Prepared out;
  out.schema = BuiltinSchema();
  out.resource = *out.schema->FindResource({"", "v1", "ConfigMap"});
  out.manifest = *yaml::ParseYaml(manifest);
  out.desired = out.modified = WithLastApplied(out.manifest);
  out.ref = {out.resource.gvk, "configmaps", "default", "cfg"};
  if (live.empty()) return out;
  out.live = *ParseJson(live);
  out.patch = *PlanPatch({.modified = &out.desired.root(),
                          .live = &out.live->root(),
                          .schema = out.schema.get(),
                          .type = out.resource.type});
  return out;
}

}  // namespace smp::apply
