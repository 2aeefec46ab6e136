// All reasons for a change, each with an example: explain-diff --reasons, its manual page and the reference print them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/text.h"
#include "smp/plan.h"

namespace smp::explain {

// Three objects, and a row of what explain-diff prints for them. tests/cmd/reasons_test.cc runs each.
struct ReasonExample {
  Reason reason = Reason::kChanged;
  std::string_view api_version, kind;
  std::string_view flags = {};           // of explain-diff, beside those that name the objects
  std::string_view applied;              // YAML, without apiVersion, kind and name
  std::string_view manifest;             // likewise
  std::string_view live;                 // likewise
  std::string_view managed_fields = {};  // of live, YAML
  std::string_view owners = {};          // what they say
  std::string_view row;                  // without the reason
};

// In the order of the enumeration. Fields that are in sync are no row.
const std::vector<ReasonExample>& ReasonExamples();

// Returns the lines of an example: the objects and the row.
std::vector<std::string> LinesOf(const ReasonExample& example);

// Returns each reason with its meaning and example.
std::string PrintReasons(const TextOptions& options);

}  // namespace smp::explain
