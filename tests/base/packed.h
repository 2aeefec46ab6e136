// A text and its gzip stream.
#pragma once

#include <string>

namespace smp {

inline const std::string kText = "a: 1\na: 1\na: 1\na: 1\nb: 22\n";
inline const std::string kPacked(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xb4\x52\x30\xe4\x4a\x44\x25\x92\xac\x14\x8c\x8c\xb8\x00\xaa\xb5\xcd"
    "\x1b\x1a\x00\x00"
    "\x00",
    33);

}  // namespace smp
