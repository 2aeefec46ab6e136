// What a fuzz target asserts: a violated law is a finding, as a crash is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "value/value.h"

namespace smp {

inline void Check(bool holds, std::string_view law, std::string_view shown = {}) {
  if (holds) return;
  std::cerr << "violated: " << law << "\n" << shown << std::endl;
  std::abort();
}

inline std::string_view TextOf(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// Go writes -0 for -0.0 and reads that as the integer 0, and so do we: the one value that does not survive.
inline bool HoldsNegativeZero(const Value& value) {
  if (value.is_double()) return value.AsDouble() == 0 && std::signbit(value.AsDouble());
  if (value.is_array()) return std::any_of(value.Items().begin(), value.Items().end(), HoldsNegativeZero);
  return value.is_object() && std::any_of(value.Members().begin(), value.Members().end(),
                                          [](const Member& member) { return HoldsNegativeZero(member.value); });
}

}  // namespace smp
