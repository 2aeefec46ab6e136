// Prints a report for people: one block per object, one entry per row. Everything from files and servers is escaped.
// Errors are only counted; the caller prints them.
#pragma once

#include <string>

#include "explain/report.h"

namespace smp::explain {

std::string PrintText(const Report& report);

}  // namespace smp::explain
