// A report to the formats of explain-diff -o, and to its exit status.
#ifndef SMP_CMD_REPORT_OUTPUT_H_
#define SMP_CMD_REPORT_OUTPUT_H_

#include <string>

#include "cmd/command.h"
#include "explain/report.h"

namespace smp {

// `format`: text, json or patch. Errors of objects go to io.err, unless the format has a place for them.
std::string PrintReport(const Report& report, const std::string& format, Io& io);

// `mode`: --exit-code (normal, never, detailed).
int ExitStatus(const Report& report, const std::string& mode);

}  // namespace smp

#endif  // SMP_CMD_REPORT_OUTPUT_H_
