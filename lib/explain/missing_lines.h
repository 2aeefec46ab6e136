// What new Pods need, and nobody has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explain/object_names.h"

namespace smp::explain {

// Returns true if the Pods of now need it, too.
bool NeedsToday(const ObjectReport& object, const NeededObject& need);

// Returns a line for each object that new Pods miss, and Pods of today do not: who needs it, and what happens without it. More than
// `most` are only named.
std::vector<std::string> MissingLines(const Objects& objects, size_t most);

// The same in a few words: "missing, so that new Pods wait: Secret shop/tls, ConfigMap shop/settings (the input has it in blog)".
std::string MissingInShort(const Objects& all);

}  // namespace smp::explain
