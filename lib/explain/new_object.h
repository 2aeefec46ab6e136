// A new object as text: its manifest, once, and of a long one what matters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "explain/report.h"
#include "explain/text.h"

namespace smp::explain {

// Returns true for a row of a new object that PrintManifest includes.
bool IsPartOfManifest(const ReportRow& row);

// Returns the lines of a new object's manifest, without its metadata.name and namespace. Folded: long texts are only counted, and what
// is cut names its images. `own_name`: shown as a placeholder (own_name.h); "": none is.
std::string PrintManifest(const ObjectReport& object, std::string_view own_name, size_t indent,
                          const TextOptions& options);

}  // namespace smp::explain
