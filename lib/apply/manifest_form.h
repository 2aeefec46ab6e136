// The manifest of a live object: what somebody could have written to get it.
#pragma once

#include <string>
#include <vector>

#include "schema/schema.h"
#include "value/document.h"

namespace smp::apply {

// Returns the object without the status, what the server and controllers set in metadata (uid, managedFields, owner
// references, the last-applied annotation, …), and what the server allocates for each object (IPs of a Service, node
// ports, the node of a Pod, the volume of a claim). Values that anybody may choose stay, also where the server has a default.
// Shares memory.
Document ManifestForm(const Document& live, const Schema& schema, TypeId type);

// Returns the names of the fields that people may set, too, which ManifestForm leaves out and in which the two differ, sorted:
// "finalizers", "nodePort".
std::vector<std::string> DifferencesLeftOut(const Document& a, const Document& b, const Schema& schema, TypeId type);

}  // namespace smp::apply
