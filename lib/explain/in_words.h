// What all formats for people say of an object and a row, in a few words. Nothing is escaped here: each format does that
// in its own way.
#pragma once

#include <string>
#include <string_view>

#include "explain/report.h"

namespace smp::explain {

std::string NameOf(const ObjectReport& object);            // "Deployment default/web"; "?" for what could not be read
std::string_view ActionWords(const ObjectReport& object);  // "will change"
std::string FileAndLine(const Source& source);             // "web.yaml:7"; "" without a line
std::string CountObjects(const Report& report);            // "3 objects: 1 to change, 2 unchanged"

char Sign(const ReportRow& row);  // + added, - deleted, ~ changed, > moved, = kept

// The values to show, nullptr: there is none. REQUIRES: !row.masked.
const Value* ValueBefore(const ReportRow& row);
const Value* ValueAfter(const ReportRow& row);

}  // namespace smp::explain
