// FileEdit: the changes of objects, written into the text of the file that has their manifests. Everything else stays byte
// for byte. What is written is proved twice: the new text reads as the old one and the changes, and each object that is read
// from it is planned again, so that its changes are gone from the plan and nothing else is in it (replan.h).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apply/manifests.h"
#include "base/result.h"
#include "explain/report.h"
#include "pull/choice.h"
#include "pull/written.h"

namespace smp::pull {

// The changes of one object of a file. Not owned, and must outlive the call.
struct ObjectChanges {
  const apply::Manifest* manifest = nullptr;  // as it was read from the file
  explain::KindOfObject kind = {};
  std::vector<const Change*> changes = {};
  // Returns why the manifest, with these of the changes written into it, does not say what live is; "" if it does. May be
  // empty.
  std::function<std::string(const apply::Manifest& edited, const std::vector<const Change*>& written)> prove = {};
};

struct EditedText {
  std::string text;
  std::vector<Written> written;  // of each change
};

// Error: refused, if the text no longer has an object as it was read, or if the new text fails its proof; parse.
Result<EditedText> EditFileText(std::string_view text, const std::string& source_name,
                                std::span<const ObjectChanges> objects);

}  // namespace smp::pull
