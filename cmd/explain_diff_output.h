// What explain-diff prints, in each --output format, and the errors of objects beside it.
#pragma once

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

// Prints the report in the format of --output. Errors of objects go to io.err, unless the format includes them.
Status PrintReport(const explain::Report& report, const ParsedFlags& flags, Io& io);

// Prints all reasons, each with an example.
void PrintReasons(const ParsedFlags& flags, Io& io);

}  // namespace smp::cmd
