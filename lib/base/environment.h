// Environment variables.
#pragma once

#include <cstdlib>
#include <string>

namespace smp {

// Returns the variable's value; `fallback` if it is not set, or empty.
inline std::string Environment(const char* name, const std::string& fallback = {}) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : value;
}

}  // namespace smp
