// Changed YAML documents: block collections, and what replaces a value in them.
#pragma once

#include <string>

#include "edit/draft.h"

namespace smp::edit {

// Returns the first document of a YAML text, to where the next one begins.
std::string WriteYamlDocument(DraftDocument& document);

}  // namespace smp::edit
