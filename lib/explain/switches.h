// Settings that are on or off: booleans in fields, in variables, in arguments of programs, and in documents that are texts.
#pragma once

#include "base/name_some.h"
#include "explain/report.h"

namespace smp::explain {

// Adds what a row turns on or off: "suspend false → true", "env DEBUG off → on", "args --leader-elect false → true", or of a
// file in a ConfigMap "config.yaml tracing.enabled false → true".
void AddSwitches(const ReportRow& row, NamesOnce& out);

}  // namespace smp::explain
