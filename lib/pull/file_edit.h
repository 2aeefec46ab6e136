// FileEdit: the changes of objects, written into the text of the file that has their manifests. Everything else stays byte
// for byte. The new text is read again: it says exactly what the old one said and the changes, or the file is refused.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apply/manifests.h"
#include "base/result.h"
#include "pull/choice.h"

namespace smp::pull {

// The changes of one object of a file. Not owned, and must outlive the call.
struct ObjectChanges {
  const apply::Manifest* manifest = nullptr;  // as it was read from the file
  std::vector<const Change*> changes;
};

// A change that was written, or why it was not.
struct Written {
  const Change* change = nullptr;
  int line = 0;     // of the old text, near which it is
  std::string why;  // ""; else why it was not written
};

struct EditedText {
  std::string text;
  std::vector<Written> written;  // of each change
};

// Error: refused, if the text no longer has an object as it was read, or if the new text fails its proof; parse.
Result<EditedText> EditFileText(std::string_view text, const std::string& source_name,
                                std::span<const ObjectChanges> objects);

}  // namespace smp::pull
