// The directives of strategic merge patches that a field takes, each with a patch that the server carries out.
#pragma once

#include <string>
#include <vector>

#include "lint/schema_place.h"
#include "value/document.h"

namespace smp::lint {

struct PatchExample {
  std::string directive;  // "$patch: delete"; "" for a patch without one
  std::string meaning;
  Value patch;  // of the whole object
};

// Returns none for the object itself and what names it, for custom resources (of which the server takes JSON merge patches), and inside what is
// replaced as a whole. Items are named by sample keys: name=web.
std::vector<PatchExample> ExamplesFor(const SchemaPlace& place, Arena& arena);

// Returns the outermost list or map on the way to the place that a patch replaces as a whole; "" if there is none.
std::string ReplacedAbove(const SchemaPlace& place);

}  // namespace smp::lint
