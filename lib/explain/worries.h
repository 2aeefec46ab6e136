// What a person should look at before an apply: what it undoes, what it takes away, and what it leaves that is dangerous.
// The rows say it too, but among hundreds of others.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "explain/report.h"

namespace smp::explain {

// In the order in which they are told.
enum class Worry {
  kFailed,
  kRefused,
  kNotCreated,
  kUndoes,
  kPrivileges,
  kMissing,
  kRightsGone,
  kRightsGiven,
  kNodeRights,
  kImagePlace,
  kMovingImage,
  kMajorVersion,
  kMajorVersionElsewhere,
  kRunsAtOnce,
  kTraffic,
  kSafeguards,
  kMayRefuse,
  kFieldsGone,
  kServerSide,
  kKeeps
};

// What it is about in an object: "replicas, image"; "" where the object says enough.
struct WorryWords {
  std::string all;
  std::string brief = all;  // where a screen is too short: fewer names, of rights only the resources
};
using FoundWorries = std::map<Worry, WorryWords>;

// Returns what there is to worry about in an object. Of an object that is refused, returns why, in short.
FoundWorries WorriesOf(const ObjectReport& object);

// Returns "undoes changes that were made in live".
std::string_view WordsOf(Worry worry);

bool IsFailure(Worry worry);

struct WorriesOfObject {
  const ObjectReport* object = nullptr;
  const FoundWorries* worries = nullptr;
};

// Returns "undoes changes that were made in live: Deployment default/web, default/api (replicas); Service default/web (ports)"
// for each worry of the objects, worst first.
struct WorryLine {
  bool fails = false;
  std::string text;
  std::set<std::string> ways_out = {};  // what can be done about it; only of what fails
};
enum class WorryLength {
  kAll,
  kBrief
};  // kBrief: two objects each; but all that are refused, or in which something is undone
std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects, WorryLength length);
std::vector<WorryLine> WorryLines(const Report& report);

inline constexpr std::string_view kLookAtThis = "look at this before you apply";

}  // namespace smp::explain
