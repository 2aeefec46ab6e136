// Fields that the server sets in an object that somebody creates (allocated.txt).
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace smp {

// The label that the server gives every Namespace.
inline constexpr std::string_view kNameLabelOfNamespaces = "kubernetes.io/metadata.name";

bool IsAllocated(const Schema& schema, TypeId type, std::string_view field);

// Returns true if the type is the spec of a Pod or a claim in a template, as in a Deployment (`kind`: of the object). There a person
// chooses what is allocated in a Pod or a claim itself.
bool IsOfTemplate(const Type& type, std::string_view kind);

}  // namespace smp
