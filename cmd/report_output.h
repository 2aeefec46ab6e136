// Prints a report in the formats of explain-diff -o, and returns its exit status.
#ifndef SMP_CMD_REPORT_OUTPUT_H_
#define SMP_CMD_REPORT_OUTPUT_H_

#include <string>

#include "cmd/command.h"
#include "explain/report.h"

namespace smp {

// `format`: text, json or patch. Errors of objects go to io.err, unless the format includes them.
std::string PrintReport(const Report& report, const std::string& format, Io& io);

// `mode`: value of --exit-code (normal, never, detailed).
int ExitStatus(const Report& report, const std::string& mode);

}  // namespace smp

#endif  // SMP_CMD_REPORT_OUTPUT_H_
