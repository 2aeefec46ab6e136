// A report for programs: the explain-diff JSON, version 1. tests/explain/explain-diff.schema.json is its JSON Schema.
#ifndef SMP_EXPLAIN_JSON_H_
#define SMP_EXPLAIN_JSON_H_

#include "explain/report.h"
#include "value/document.h"

namespace smp {

// {"version":1,"context"?,"objects":[…],"summary":{…}}. The document shares the report's memory; the report must
// outlive it.
Document ToJson(const Report& report);

}  // namespace smp

#endif  // SMP_EXPLAIN_JSON_H_
