// A change that was written, or why it was not.
#pragma once

#include <string>

namespace smp::pull {

struct Change;

struct Written {
  const Change* change = nullptr;
  int line = 0;     // of the old text, near which it is
  std::string why;  // ""; else why it was not written
};

}  // namespace smp::pull
