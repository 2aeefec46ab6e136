// What there is to worry about in several objects, in a line for each worry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// Returns "undoes changes made in the cluster".
std::string_view WordsOf(Worry worry);

bool IsFailure(Worry worry);

struct WorriesOfObject {
  const ObjectReport* object = nullptr;
  const FoundWorries* worries = nullptr;
};

// Returns "undoes changes made in the cluster: Deployment shop/web, shop/api (replicas); Service shop/web (ports)" for
// each worry of the objects, worst first.
struct WorryLine {
  Worry worry = {};
  bool fails = false;
  std::string text;
  std::string way_out = {};    // what can be done about it; only of what fails
  std::string in_short = {};   // "skips minor versions (dex 2.1 → 2.3)"; "" for what no screen may leave out
  std::string in_fewest = {};  // "skips minor versions (3 Deployments)"
  bool is_rest = false;        // "also (--wide): …": several worries in short
  // What the text has after its colon, where each deserves a line of its own; empty for other lines.
  std::vector<std::string> items = {};
};

// Returns true if something is refused, stops, does not start or loses data.
bool IsGrave(const WorryLine& line);
// What is undone is the same in each length; what is refused or may be unsafe, in each but the last.
enum class WorryLength {
  kAll,
  kBrief,    // two objects each
  kNumbers,  // of what the lines above say, too: only the versions or fields, and the number of objects
  kShort
};
std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects, WorryLength length);
std::vector<WorryLine> WorryLines(const Report& report);

inline constexpr std::string_view kLookAtThis = "look at this before you apply";

}  // namespace smp::explain
