// What a person should look at before an apply: what it undoes, what it takes away, and what it leaves that is dangerous.
// The rows say it too, but among hundreds of others.
#pragma once

#include <map>
#include <string>
#include <string_view>

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

// Returns "undoes changes in live".
std::string_view WordsOf(Worry worry);

}  // namespace smp::explain
