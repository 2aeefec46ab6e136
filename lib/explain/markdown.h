// Prints a report as Markdown for a pull request: a short table first, the details of each object folded below it.
// Nothing from files and servers is Markdown or HTML there, mentions nobody and links nothing.
#pragma once

#include <cstddef>
#include <string>

#include "explain/report.h"

namespace smp::explain {

// GitHub takes 65,536 characters.
inline constexpr size_t kMostMarkdownBytes = 60'000;

// Has at most that many bytes; the last sentence counts what was left out. With the errors of objects, which come first.
std::string PrintMarkdown(const Report& report);

}  // namespace smp::explain
