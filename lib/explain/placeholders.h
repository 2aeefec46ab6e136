// Values that somebody was meant to replace before the apply, such as "https://YOUR_CLUSTER.example.com": a manifest that a project
// publishes has them where the cluster has the real ones.
#pragma once

#include "base/name_some.h"
#include "explain/report.h"

namespace smp::explain {

// Adds "env API_TOKEN YOUR_API_TOKEN" for what a row sets, and live does not have; of Secrets only the key. Nothing of a CRD, whose
// descriptions may have such words.
void AddPlaceholders(const ReportRow& row, const ObjectReport& object, NamesOnce& out);

}  // namespace smp::explain
