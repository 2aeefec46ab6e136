// Prints a report as one HTML file that needs no network: a summary, what to look at first, and the objects with their
// changes, which the page filters. Nothing from files and servers is markup or script there: it is in a block of JSON
// and, for readers without JavaScript, in an escaped text. The policy of the page (CSP) allows its own script only.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "explain/report.h"
#include "value/document.h"

namespace smp::explain {

struct HtmlOptions {
  std::string directory = {};                                      // as in TextOptions
  std::optional<std::chrono::sys_seconds> made_at = std::nullopt;  // shown if given
};

// With the errors of objects.
std::string PrintHtml(const Report& report, const HtmlOptions& options = {});

// Returns what the page shows, every text with its invisible characters escaped. html/page.js reads it.
Document HtmlData(const Report& report, const HtmlOptions& options = {});

}  // namespace smp::explain
