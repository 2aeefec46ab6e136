// Prints a report for people: one block per object, one entry per row. Everything from files and servers is escaped.
// Errors are only counted; the caller prints them.
#ifndef SMP_EXPLAIN_TEXT_H_
#define SMP_EXPLAIN_TEXT_H_

#include <string>

#include "explain/report.h"

namespace smp {

std::string PrintText(const Report& report);

}  // namespace smp

#endif  // SMP_EXPLAIN_TEXT_H_
