// MaskedText: the lines of a file with manifests, as they may be shown: without the values of Secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp::pull {

// Returns each line without its end. Of a Secret, only keys and what is harmless (apiVersion, kind, type, names, labels) are
// shown.
std::vector<std::string> MaskedLines(std::string_view text);

// Returns true if a document of the file has a Secret.
bool HasSecret(std::string_view text);

}  // namespace smp::pull
