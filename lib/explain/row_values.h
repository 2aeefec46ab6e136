// What a row changes: its sign, and the values to show. Nothing is escaped here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "explain/report.h"
#include "value/value.h"

namespace smp::explain {

char Sign(const ReportRow& row);  // + added, - deleted, ~ changed, > moved, = kept

// The values to show, nullptr: there is none. REQUIRES: !row.masked.
const Value* ValueBefore(const ReportRow& row);
const Value* ValueAfter(const ReportRow& row);

// Returns the images before and after a row that changes one.
std::optional<std::pair<std::string_view, std::string_view>> ChangedImage(const ReportRow& row);

// The values as JSON on one line; "" if there is none. Masked values are "***". Of more than `longest` columns, those are
// shown in which the two differ.
std::string ValueBefore(const ReportRow& row, size_t longest);
std::string ValueAfter(const ReportRow& row, size_t longest);

// Returns true if the reason needs its sentence: more happens than that the manifest changed.
bool IsSurprise(Reason reason);

}  // namespace smp::explain
