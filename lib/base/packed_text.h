// Texts that are a part of the program, packed: smp_embed of CMakeLists.txt makes a function of each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smp {

// Returns the text of `size` bytes that was packed as `deflated` (RFC 1951). REQUIRES: it was.
std::string Unpacked(std::string_view deflated, size_t size);

}  // namespace smp
