// Prints a report in the formats of explain-diff -o, and returns its exit status.
#pragma once

#include <string>

#include "cmd/command.h"
#include "explain/report.h"

namespace smp::cmd {

// `format`: text, json or patch. Errors of objects go to io.err, unless the format includes them.
std::string PrintReport(const explain::Report& report, const std::string& format, Io& io);

// `mode`: value of --exit-code (normal, never, detailed).
int ExitStatus(const explain::Report& report, const std::string& mode);

}  // namespace smp::cmd
