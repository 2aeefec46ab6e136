// Fields that the server sets in an object that somebody creates (allocated.txt).
#pragma once

#include <string_view>

#include "schema/schema.h"

namespace smp {

bool IsAllocated(const Schema& schema, TypeId type, std::string_view field);

}  // namespace smp
