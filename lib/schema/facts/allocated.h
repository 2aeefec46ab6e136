// Fields that the server sets in an object that somebody creates (allocated.txt).
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace smp {

// The label that the server gives every Namespace.
inline constexpr std::string_view kNameLabelOfNamespaces = "kubernetes.io/metadata.name";

bool IsAllocated(const Schema& schema, TypeId type, std::string_view field);

}  // namespace smp
