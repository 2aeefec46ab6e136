// A report for people. One block an object, one entry a row; everything that came from files and servers is escaped.
// Errors are only counted here: the caller prints them where errors go.
#ifndef SMP_EXPLAIN_TEXT_H_
#define SMP_EXPLAIN_TEXT_H_

#include <string>

#include "explain/report.h"

namespace smp {

std::string PrintText(const Report& report);

}  // namespace smp

#endif  // SMP_EXPLAIN_TEXT_H_
