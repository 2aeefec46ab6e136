// The objects of a report as the text shows them: an object, with what is left of its rows.
#pragma once

#include <cstddef>
#include <vector>

#include "explain/about_rows.h"
#include "explain/object_names.h"
#include "explain/report.h"

namespace smp::explain {

// An object, with what is left of its rows.
struct Told {
  AboutRows about;
  size_t body = 0;  // index
};

struct ShownObject {
  const ObjectReport* object = nullptr;
  const Told* told = nullptr;
};

using ShownList = std::vector<ShownObject>;

Objects ReportsOf(const ShownList& objects);

inline constexpr size_t kNamed = 3;  // of objects with something in common; the end of the text names them all

// Returns true for an unchanged object without warnings, and without rows of what is kept.
bool IsQuiet(const ShownObject& shown);

// How much of a running cluster an object's change concerns, most first.
enum class Weight { kError, kPodsOrDeletion, kOther, kOnlyMetadata, kDefinition };

// Definitions come last: a new version of a project changes thousands of lines of their schemas, and a few of everything
// else.
Weight WeightOf(const ShownObject& shown);

}  // namespace smp::explain
