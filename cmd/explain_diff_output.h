// What explain-diff prints, in each --output format, and the errors of objects beside it.
#pragma once

#include <string>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"
#include "explain/summary.h"
#include "explain/text.h"

namespace smp::cmd {

// Prints the report in the format of --output. Errors of objects go to io.err, unless the format includes them.
class ReportPrinter {
 public:
  // Keeps references to both.
  ReportPrinter(const ParsedFlags& flags, Io& io);

  // Frees what the format no longer needs of an object that was explained: most inputs have many. REQUIRES: it is called
  // for the first objects of the report, in order, or for none.
  void Take(explain::ObjectReport& object);

  Status Print(const explain::Report& report);

 private:
  std::string Printed(const explain::Report& report);

  const ParsedFlags& flags_;
  Io& io_;
  const std::string format_;
  explain::TextPrinter text_;
  explain::SummaryPrinter summary_;
};

// Prints the errors of the objects to io.err.
void TellErrors(const explain::Report& report, Io& io);

// Prints all reasons, each with an example.
void PrintReasons(const ParsedFlags& flags, Io& io);

}  // namespace smp::cmd
