// What the server's validation refuses in an object of a built-in kind, by the rules of lint: explain-diff tells it without asking.
#pragma once

#include <vector>

#include "lint/finding.h"
#include "schema/release.h"
#include "value/document.h"

namespace smp::lint {

// Returns the findings about values that are missing, or that the server does not take. Empty for custom resources. Admission webhooks
// come before the validation, and may mend such a value. `release`: of the server.
std::vector<Finding> InvalidValues(const Document& object, const Release& release);

}  // namespace smp::lint
