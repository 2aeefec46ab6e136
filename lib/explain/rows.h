// The rows of a report, made from the nodes of a plan.
#pragma once

#include <vector>

#include "explain/report.h"
#include "smp/keep_live.h"
#include "smp/managed_fields.h"
#include "smp/plan.h"
#include "value/document.h"

namespace smp::explain {

// What is known about live beside the plan.
struct LiveFacts {
  const FieldOwners& owners;
  const Schema* schema;      // nullptr: the object does not exist
  bool last_applied = true;  // nothing is called unrecorded of an object that does not exist
  bool answered = false;     // the server said in a dry run what it will store
  bool recreated = false;    // the object is deleted and created again
  SentAs sent_as = SentAs::kClientSide;
};

// Adds the rows of a plan to `report`, then those of what is kept; also its hidden rows, the fields of others and the
// warnings of privileges. `report.action` must be set. `modified` is the manifest that was planned.
void AddRows(const Plan& plan, const std::vector<KeptField>& kept, const Document& modified, const LiveFacts& live,
             const ReportOptions& options, ObjectReport& report);

}  // namespace smp::explain
