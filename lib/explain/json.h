// Prints a report for programs: explain-diff JSON, version 1. Its JSON Schema is
// tests/explain/explain-diff.schema.json.
#pragma once

#include "explain/report.h"
#include "value/document.h"

namespace smp::explain {

// Returns {"version":1,"context"?,"objects":[…],"summary":{…}}. The document shares the report's memory; the report
// must outlive it.
Document ToJson(const Report& report);

}  // namespace smp::explain
