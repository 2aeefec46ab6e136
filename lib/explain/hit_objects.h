// The objects that a new version of a CRD hurts: with their next write they lose fields, or the server refuses it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schema/schema.h"
#include "value/document.h"
#include "value/value.h"

namespace smp::explain {

struct HitObjects {
  std::vector<std::string> losing;   // "spec.tenantID of shop/account"
  std::vector<std::string> invalid;  // "shop/account: spec: the field tenantID is required"
  bool unchecked = false;            // the new schema has rules that this program cannot check (CEL)
  std::vector<std::string> writers =
      {};  // managers that wrote objects in a version that is no longer served; each once
};

// Returns the resource in which the objects are read before the change: the one in which they are stored, if it is served, else one that is
// served before and after it, best the one in which they will be stored. nullopt if there is none.
std::optional<Resource> ResourceToRead(const Value& before, const Value& after);

// `objects`: of the version, as the server has them before the change. What breaks the schema of `before`, too, is left out, and so is
// status, which controllers write anew. nullopt if a schema is malformed. Linear.
std::optional<HitObjects> FindHitObjects(const Value& before, const Value& after, const std::string& version,
                                         std::span<const Document> objects);

}  // namespace smp::explain
