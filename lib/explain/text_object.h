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

// Returns the changes, and why the patch is not the plain one.
std::string PrintBody(const ObjectReport& object, Places places, const TextOptions& options);

// Returns the lines about what other managers set in the objects, which have the same body, and who applied them last if
// that matters for their changes.
std::string PrintManagers(const std::vector<const ObjectReport*>& objects, const TextOptions& options);

// Returns true if PrintManagers says who applied the object last.
bool SaysWhoApplied(const ObjectReport& object);

// Returns "last applied by kubectl-client-side-apply (Update; last write 3d ago)": the newest write of each manager. ""
// if none is known. REQUIRES: !objects.empty().
std::string LastApplied(const std::vector<const ObjectReport*>& objects);

// Returns the warnings, and why the server could not be asked.
std::vector<std::string> Remarks(const ObjectReport& object);

}  // namespace smp::explain
