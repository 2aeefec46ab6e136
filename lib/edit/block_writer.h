// Writes an edited YAML document: its block collections, and the new values in them.
#pragma once

#include <string>

#include "edit/draft.h"

namespace smp::edit {

// Returns the edited text of the first YAML document, up to the start of the next one.
std::string WriteYamlDocument(DraftDocument& document);

}  // namespace smp::edit
