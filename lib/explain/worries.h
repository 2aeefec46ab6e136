// What a person should look at before an apply: what it undoes, what it takes away, and what it leaves that is dangerous.
// The rows say it too, but among hundreds of others.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/name_some.h"
#include "explain/report.h"

namespace smp::explain {

// In the order in which they are told; the last are the first that a short screen only counts.
enum class Worry {
  kFailed,
  kRefused,
  kNotCreated,
  kInvalid,
  kReachesNothing,
  kDestroys,
  kClaimsGo,
  kLosesPods,  // of a Service
  kStops,
  kIsGoing,
  kStillNeeded,
  kKeysNeeded,
  kUndoes,
  kTakesOver,
  kRemovesTouched,
  kUnread,
  kOlderFile,
  kLeftWorkload,
  kNotCarried,
  kRolesOfRunning,
  kSharesHosts,
  kMissing,
  kMissingToday,
  kPodsRefused,
  kNoNode,
  kPortGone,
  kPortOfOthers,
  kTaskIsReached,
  kPlaceholder,
  kNoService,
  kNoCertificate,
  kNoClass,
  kOtherDefault,
  kScalesDown,
  kRunsAtOnce,
  kSeemsDeleted,
  kNewOrDeleted,
  kMayBeDeleted,
  kLaxer,
  kStricterPods,
  kPrivileges,
  kRightsOfNobody,  // of a new role
  kRightsGiven,
  kNodeRights,
  kWebhook,
  kVersionsGone,
  kOpens,  // from outside the cluster
  kCloses,
  kReach,
  kNamespaces,
  kHostsGone,
  kUnreadObjects,
  kOtherService,
  kOtherAddress,
  kOtherApp,
  kBreaksObjects,
  kValuesLost,
  kFieldsLost,
  kTypes,
  kFieldsGone,
  kDataInPods,
  kMovedVolumes,
  kGoneVolumes,
  kNewDatabase,
  kMajorVersion,
  kMajorVersionElsewhere,
  kOtherProgram,
  kOlderVersion,
  kMayBeOlder,
  kSafeguards,
  kSubjects,
  kRightsGone,
  kOtherAccount,
  kNodes,
  kStopsFirst,
  kPodsStay,
  kAggregates,
  kSwitches,
  kTraffic,
  kMoreTraffic,
  kOtherTraffic,
  kServerCalls,
  kMovingImage,
  kSkipsMinor,
  kOldValues,
  kDefaults,
  kMayRefuse,
  kFixedFields,
  kStorage,
  kOtherSettings,
  kImagePlace,
  kServerSide,
  kBecomesServerSide,
  kKeptByRefusal,
  kKeeps
};

// What it is about in an object: "replicas, image"; "" where the object says enough.
struct WorryWords {
  std::string all;
  std::string brief = all;              // where a screen is too short: fewer names, of rights only the resources
  std::vector<std::string> names = {};  // of which it is made, where nothing else is in it
  // Of a line, what starts again what somebody had stopped is told first, and what means the same last.
  enum class Rank { kFirst, kUsual, kHarmless } rank = Rank::kUsual;
};
using FoundWorries = std::map<Worry, WorryWords>;

// Returns what there is to worry about in an object. Of an object that is refused, returns why, in short.
FoundWorries WorriesOf(const ObjectReport& object);

// Returns at most `most` names, and few where a screen is too short.
WorryWords NameInBoth(const std::vector<std::string>& names, size_t most);
WorryWords NameInBoth(const NamesOnce& names, size_t most);

// Returns "kubectl-edit 5m ago", "kubectl (scale)".
std::string ManagerInWords(const FieldManager& manager, const ObjectReport& object);

// What somebody set, by who it was.
class FieldsByManagers {
 public:
  // `managers`: as ManagerInWords returns them; empty if nobody can tell.
  void Add(std::string field, const NamesOnce& managers);
  bool empty() const { return sets_.empty(); }
  // Returns "replicas: 3; by kubectl (scale); env A: 1, env B: 2; by kubectl-edit 5m ago".
  WorryWords Words() const;

 private:
  struct Set {
    std::string managers;
    NamesOnce fields = {};
  };
  std::string Some(size_t most) const;

  std::vector<Set> sets_;  // of different managers, in the order in which they are added
};

inline constexpr size_t kMostTold = 5;   // of an object
inline constexpr size_t kMostBrief = 2;  // names where a screen is too short

}  // namespace smp::explain
