// What the labels of an object say of its version: an image that is named by a digest tells none.
#pragma once

#include <string>

#include "explain/report.h"

namespace smp::explain {

// Returns "1.2 → 1.3" for a changed label or annotation such as app.kubernetes.io/version; "" if none changes.
std::string ChangeOfVersionLabel(const ObjectReport& object);

// Returns "app new digest, version label 1.2 → 1.3" for the words of an image of which only the digest changes; others as they are.
std::string WithVersionLabel(std::string image_words, const std::string& version);

}  // namespace smp::explain
