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

// Returns what there is to worry about in an object, with the fields: {kUndoes, "replicas, image"}; "" where the
// object says enough. Of an object that is refused, returns why, in short.
std::map<Worry, std::string> WorriesOf(const ObjectReport& object);

// Returns "undoes changes that were made in live".
std::string_view WordsOf(Worry worry);

bool IsFailure(Worry worry);

struct WorriesOfObject {
  const ObjectReport* object = nullptr;
  const std::map<Worry, std::string>* worries = nullptr;
};

// Returns "undoes changes that were made in live: Deployment default/web, default/api (replicas); Service default/web (ports)"
// for each worry of the objects, worst first.
struct WorryLine {
  bool fails = false;
  std::string text;
  std::set<std::string> ways_out = {};  // what can be done about it; only of what fails
};
std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects);
std::vector<WorryLine> WorryLines(const Report& report);

inline constexpr std::string_view kLookAtThis = "look at this before you apply";

}  // namespace smp::explain
