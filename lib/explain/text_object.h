// The parts of one object's block in the text for people.
#pragma once

#include <string>
#include <vector>

#include "explain/report.h"
#include "explain/text.h"

namespace smp::explain {

// Returns "Deployment default/web: will change (web.yaml:1)" and a newline.
std::string PrintHead(const ObjectReport& object, const TextOptions& options);

// Where the manifest sets a value: kHide for a body that several objects share.
enum class Places { kShow, kHide };

// Returns the lines below the head but for Remarks: the changes, and who applied the object if that matters for them.
std::string PrintBody(const ObjectReport& object, Places places, const TextOptions& options);

// Returns the warnings, and why the server could not be asked.
std::vector<std::string> Remarks(const ObjectReport& object);

// Returns true if a row needs a sentence: something else than the manifest decides what happens, or somebody else wrote
// what is in live.
bool HasSurprise(const ObjectReport& object);

}  // namespace smp::explain
