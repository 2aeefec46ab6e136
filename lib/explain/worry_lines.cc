#include "explain/worry_lines.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/cross_worries.h"
#include "explain/missing_lines.h"
#include "explain/object_names.h"

namespace smp::explain {

namespace {

// How a worry is told.
enum Manner : unsigned {
  kOwnLine = 1,         // never only counted
  kWholeIfRoom = 2,     // shortened only if nothing else helps
  kWhole = 4,           // never shortened
  kFails = 8,           // nothing is written: has a line for each way out, and is shortened only if nothing else helps
  kCounts = 16,         // where a screen is too short, the fields and how many objects have them
  kCountsInShort = 32,  // only where it is very short
  kOfImages = 64,       // as kCounts, with how many objects have which image
  kApart = 128,         // each group of objects has a line of its own, where there is room
  kGrave = 256          // something stops, does not start or loses data: told with the mark of refusals
};

struct ToldWorry {
  Worry worry;
  std::string_view words;
  unsigned manner = 0;
};

constexpr ToldWorry kWorries[] = {
    {Worry::kFailed, "cannot be explained, and will not be sent", kFails},
    {Worry::kRefused, "will be refused, and stays as it is", kFails | kApart},
    {Worry::kNotCreated, "does not exist, and will not be created", kFails},
    {Worry::kInvalid, "is not valid, and will be refused by the server unless a webhook mends it",
     kWholeIfRoom | kOwnLine | kGrave},
    {Worry::kReachesNothing, "reaches no Pods, as their workload is refused", kOwnLine | kGrave},
    {Worry::kDestroys, "is deleted with what it holds", kOwnLine | kGrave},
    {Worry::kClaimsGo, "deletes the claims of the Pods that go, with what they hold (whenScaled is Delete)",
     kOwnLine | kGrave},
    {Worry::kLosesPods, "reaches no Pods of the input any more, as these get other labels", kOwnLine | kGrave},
    {Worry::kStops, "stops all of its Pods", kOwnLine | kGrave},
    {Worry::kIsGoing, "is being deleted: what is applied will be lost", kOwnLine | kGrave},
    {Worry::kStillNeeded, "is deleted, though Pods of the input need it", kOwnLine | kGrave},
    {Worry::kKeysNeeded, "loses keys that Pods need", kOwnLine | kGrave},
    {Worry::kUndoes, "undoes changes made in the cluster (live → after apply)", kWhole | kOwnLine | kApart},
    {Worry::kTakesOver, "was not made by apply, and is taken over (live → after apply)", kWhole | kOwnLine | kApart},
    {Worry::kRemovesTouched, "removes what others have changed", kWhole | kOwnLine | kApart},
    {Worry::kUnread, "no longer reads what others have changed (last applied → live)", kWhole | kOwnLine | kApart},
    {Worry::kOlderFile, "another manifest was applied since this file was written", kOwnLine},
    {Worry::kLeftWorkload, "runs beside a workload that the input does not have, and that apply does not delete",
     kOwnLine},
    {Worry::kNotCarried, "comes without what others have set in the one that stays (that one → the new one)",
     kWhole | kOwnLine | kApart},
    {Worry::kRolesOfRunning, "takes a role from workloads that go on running as they are", kOwnLine | kGrave},
    {Worry::kSharesHosts, "serves hosts that an Ingress serves, too, which apply does not delete", kOwnLine},
    {Worry::kMissing, "needs what is missing in the input and on the server", kOwnLine | kGrave},
    {Worry::kMissingToday, "new Pods do not start, as those of today would not again: what they need is missing",
     kOwnLine},
    {Worry::kPodsRefused, "new Pods will be refused by admission", kOwnLine | kGrave},
    {Worry::kNoNode, "new Pods need a label that no node has now", kCounts | kOwnLine | kGrave},
    {Worry::kPortGone, "names a port that nothing has after the apply", kOwnLine | kGrave},
    {Worry::kPortOfOthers, "loses a port that objects outside of the input name", kOwnLine | kGrave},
    {Worry::kTaskIsReached, "a Service selects Pods that run to an end", kOwnLine},
    {Worry::kPlaceholder, "sets what looks like a placeholder, not a value", kOwnLine | kGrave},
    {Worry::kNoService, "names a Service that neither the input nor the server has", kOwnLine | kGrave},
    {Worry::kNoCertificate,
     "names a TLS Secret that neither the input nor the server has: no HTTPS, or with another certificate", kOwnLine},
    {Worry::kNoClass, "names an IngressClass that neither the input nor the server has: no controller may serve it",
     kOwnLine | kGrave},
    {Worry::kOtherDefault, "becomes a default class beside another one", kOwnLine},
    {Worry::kScalesDown, "allows fewer Pods than there are (now → at most)", kOwnLine},
    {Worry::kRunsAtOnce, "runs as soon as it is created"},
    {Worry::kSeemsDeleted, "seems to have been deleted in the cluster, and comes back", kWholeIfRoom | kOwnLine},
    {Worry::kNewOrDeleted, "is new, or was deleted in the cluster and comes back", kWholeIfRoom | kOwnLine},
    {Worry::kMayBeDeleted, "not in the cluster: new, or somebody deleted it", kWholeIfRoom},
    {Worry::kLaxer, "allows Pods more (label pod-security.kubernetes.io/enforce)", kWholeIfRoom | kOwnLine},
    {Worry::kStricterPods, "refuses Pods that were allowed (label pod-security.kubernetes.io/enforce)", kOwnLine},
    {Worry::kPrivileges, "keeps privileges that others added", kWholeIfRoom | kOwnLine},
    {Worry::kRightsOfNobody, "is a new role, and what gives it to somebody is refused", kOwnLine},
    {Worry::kRightsGiven, "gives far-reaching rights"},
    {Worry::kNodeRights, "gives Pods access to their nodes", kCountsInShort},
    {Worry::kWebhook, "requests are refused while a webhook does not answer", kOwnLine},
    {Worry::kVersionsGone, "stops serving API versions", kCounts | kOwnLine},
    {Worry::kOpens, "can newly be reached from outside the cluster", kOwnLine},
    {Worry::kCloses, "loses a way in from outside the cluster", kOwnLine},
    {Worry::kReach, "is reached in another way"},
    {Worry::kNamespaces, "looks after other namespaces than before", kOwnLine},
    {Worry::kHostsGone, "hosts that no Ingress of the input serves any more", kOwnLine},
    {Worry::kUnreadObjects, "may no longer read custom resources that exist", kOwnLine},
    {Worry::kOtherService, "sends requests to another service"},
    {Worry::kOtherAddress, "settings name another address", kOwnLine},
    {Worry::kOtherApp, "takes objects from another application"},
    {Worry::kBreaksObjects,
     "existing objects break the new schema: a change of these fields is refused (before Kubernetes 1.30 any change)",
     kOwnLine},
    {Worry::kValuesLost,
     "existing objects lose fields: the new schema, or the version that will be stored, has no place for them",
     kOwnLine | kGrave},
    {Worry::kFieldsLost, "fields are lost: its version, or that in which it is stored, has no place for them",
     kOwnLine | kGrave},
    {Worry::kTypes, "changes the type of fields: existing values are refused at the next write", kCounts},
    {Worry::kFieldsGone, "drops fields of a schema: existing values are no longer served, and lost at the next write",
     kCounts},
    {Worry::kDataInPods, "loses stored data: its Pods have no volume that outlives them", kOwnLine | kGrave},
    {Worry::kMovedVolumes, "mounts what is stored at another place, where its programs may not look for it", kOwnLine},
    {Worry::kGoneVolumes, "no longer uses a volume: what is stored there stays behind", kOwnLine | kGrave},
    {Worry::kNewDatabase, "starts as an empty database", kOwnLine},
    {Worry::kMajorVersion, "runs another major version on existing data", kOfImages},
    {Worry::kMajorVersionElsewhere, "runs another major version", kOfImages},
    {Worry::kOtherProgram, "runs another image", kOfImages},
    {Worry::kOlderVersion, "goes back to an older version", kOfImages},
    {Worry::kMayBeOlder, "may run an older version: the tag before moved", kOfImages},
    {Worry::kSafeguards, "removes safeguards"},
    {Worry::kSubjects, "changes who has a role", kWholeIfRoom},
    {Worry::kRightsGone, "takes rights away"},
    {Worry::kOtherAccount, "runs as another ServiceAccount"},
    {Worry::kNodes, "new Pods need nodes with a label", kCounts},
    {Worry::kStopsFirst, "stops before its new Pods start"},
    {Worry::kPodsStay, "stores new Pods, but does not start them"},
    {Worry::kAggregates, "collects the rights of other ClusterRoles than before"},
    {Worry::kSwitches, "turns settings on or off"},
    {Worry::kTraffic, "limits the traffic of Pods"},
    {Worry::kMoreTraffic, "allows more traffic than before"},
    {Worry::kOtherTraffic, "allows other traffic than before, more or less"},
    {Worry::kServerCalls, "changes what the API server asks webhooks or policies, or what it does if they fail"},
    {Worry::kMovingImage, "images whose tags move: Pods run what the tag points to when it is pulled", kOfImages},
    {Worry::kSkipsMinor, "skips minor versions", kOfImages},
    {Worry::kOldValues, "running Pods keep the old values until somebody restarts them"},
    {Worry::kDefaults, "changes defaults of a schema: what objects without the field get", kCounts},
    {Worry::kMayRefuse,
     "stricter schema: existing objects that break the new rules may be refused at their next change", kCounts},
    {Worry::kFixedFields, "fields whose values can no longer be changed", kCounts},
    {Worry::kStorage, "stores objects as another API version"},
    {Worry::kOtherSettings, "reads other Secrets or ConfigMaps than before"},
    {Worry::kImagePlace, "takes images from another place", kOfImages},
    {Worry::kServerSide, "too large for last-applied, applied server-side", kCounts},
    {Worry::kBecomesServerSide, "is applied server-side from now on: its fields get another manager", kCounts},
    {Worry::kKeptByRefusal, "keeps what others set only while it is refused", kOwnLine | kApart},
    {Worry::kKeeps, "keeps what others set in the cluster", kOwnLine | kApart},
};

constexpr bool IsInOrder() {
  for (size_t i = 0; i < std::size(kWorries); ++i) {
    if (static_cast<size_t>(kWorries[i].worry) != i) return false;
  }
  return std::size(kWorries) == static_cast<size_t>(Worry::kKeeps) + 1;
}
static_assert(IsInOrder());

const ToldWorry& ToldOf(Worry worry) { return kWorries[static_cast<size_t>(worry)]; }

bool Is(Worry worry, unsigned manner) { return (ToldOf(worry).manner & manner) != 0; }

constexpr size_t kMostWorries = 12;  // objects, or groups of them
constexpr size_t kMostOfAWorry = 6;  // objects with the same fields

// Objects about which the same is said.
struct SameFields {
  std::string_view fields;
  std::vector<std::string> names;  // in the fields
  WorryWords::Rank rank = WorryWords::Rank::kUsual;
  Objects objects = {};
};
using ByFields = std::vector<SameFields>;

// How many objects, or groups of them, a line names.
size_t MostNamed(WorryLength length, size_t most) {
  return length == WorryLength::kAll ? most : length == WorryLength::kShort ? 1 : kMostBrief;
}

// What people set is seldom much, and nothing else tells it.
size_t MostGroups(Worry worry, WorryLength length) {
  constexpr size_t kMostKept = 4;
  const size_t most = MostNamed(length, kMostWorries);
  return worry == Worry::kKeeps || worry == Worry::kKeptByRefusal ? std::max(most, kMostKept) : most;
}

// Returns "Deployment default/web, default/api (replicas, image)" and "Service default/web".
std::vector<std::string> NamesWithFields(Worry worry, const ByFields& by_fields, WorryLength length) {
  constexpr size_t kMostNew = 8;  // a name often tells whether it is new
  // The lines above name new workloads, too.
  const bool may_be_new = worry == Worry::kMayBeDeleted && length == WorryLength::kShort;
  const size_t most = may_be_new ? kMostNew : MostNamed(length, kMostOfAWorry);
  std::vector<std::string> names;
  for (const SameFields& same : by_fields) {
    const bool counted = (may_be_new || IsFailure(worry)) && same.objects.size() > most + 1;
    names.push_back(StrCat(counted ? CountByKind(same.objects) : NamesByKind(same.objects, most),
                           same.fields.empty() ? "" : StrCat(" (", same.fields, ")")));
  }
  return names;
}

// Returns "Deployment a (image); Deployment b (args) and 3 more": what is more are objects, not groups of them.
std::string SomeGroups(std::vector<std::string> names, const ByFields& by_fields, size_t most) {
  if (names.size() <= most + 1) return Join(names, "; ");
  size_t more = 0;
  for (size_t i = most; i < by_fields.size(); ++i) more += by_fields[i].objects.size();
  names.resize(most);
  return StrCat(Join(names, "; "), " and ", more, " more");
}

WorryLine LineOf(Worry worry, const ByFields& by_fields, WorryLength length) {
  std::vector<std::string> names = NamesWithFields(worry, by_fields, length);
  const size_t most = MostGroups(worry, length);
  const bool apart = Is(worry, kApart) && names.size() > 1 && names.size() <= most;
  return {.worry = worry,
          .fails = Is(worry, kFails),
          .text = StrCat(WordsOf(worry), ": ", SomeGroups(names, by_fields, most)),
          .items = apart ? std::move(names) : std::vector<std::string>()};
}

WorryLength LengthOf(Worry worry, WorryLength length) {
  if (Is(worry, kWhole)) return WorryLength::kAll;
  if (!Is(worry, kWholeIfRoom | kFails)) return length;
  if (length != WorryLength::kShort) return WorryLength::kAll;
  return Is(worry, kFails) ? WorryLength::kBrief : length;
}

// Returns "3 CRDs, 1 ClusterRole", or the name of a single object.
std::string CountInShort(const Objects& objects) {
  constexpr std::string_view kLong = "CustomResourceDefinition";
  constexpr size_t kLongestName = 40;
  const bool is_named = objects.size() == 1 && objects.front()->name.size() <= kLongestName;
  std::string out = is_named ? StrCat(objects.front()->kind, " ", objects.front()->name) : CountByKind(objects);
  if (const size_t at = out.find(kLong); at != std::string::npos) out.replace(at, kLong.size(), "CRD");
  return out;
}

// Returns what is said before a colon, after which some say what follows from it.
std::string_view WithoutMeaning(Worry worry) {
  const std::string_view words = WordsOf(worry);
  return worry == Worry::kMayBeDeleted ? words : words.substr(0, words.find(':'));
}

// Returns true if the fields say more than the objects, whose own lines have the rest.
bool CanBeNumbers(Worry worry, WorryLength length) {
  return Is(worry, kCounts | kOfImages) || (length == WorryLength::kShort && Is(worry, kCountsInShort));
}

Objects AllOf(const ByFields& by_fields) {
  Objects out;
  for (const SameFields& same : by_fields) out.insert(out.end(), same.objects.begin(), same.objects.end());
  return out;
}

// What is said of objects, those with the same words together.
using ObjectsByName = std::vector<std::pair<std::string, Objects>>;

ObjectsByName ByName(const ByFields& by_fields) {
  ObjectsByName out;
  std::map<std::string, size_t> places;
  for (const SameFields& same : by_fields) {
    for (const std::string& name : same.names) {
      const auto [at, is_new] = places.try_emplace(name, out.size());
      if (is_new) out.push_back({name, {}});
      Objects& objects = out[at->second].second;
      objects.insert(objects.end(), same.objects.begin(), same.objects.end());
    }
  }
  return out;
}

// Returns "argocd v3.1.0 → v3.5.1 (6 Deployments), dex v2.43.0 → v2.45.0": one count of all would seem to be that of each image.
std::string ImagesWithCounts(const ByFields& by_fields) {
  std::vector<std::string> words;
  for (const auto& [name, objects] : ByName(by_fields)) {
    words.push_back(objects.size() == 1 ? name : StrCat(name, " (", CountByKind(objects), ")"));
  }
  return NameSome(std::move(words), kMostBrief);
}

// Returns "argocd v3.1.0 → v3.5.1 (6 Deployments, 1 StatefulSet)", or "2 CustomResourceDefinitions".
std::string NumbersWithFields(Worry worry, const ByFields& by_fields) {
  if (Is(worry, kOfImages) && by_fields.size() > 1) return ImagesWithCounts(by_fields);
  NamesOnce fields;
  for (const SameFields& same : by_fields) {
    for (const std::string& name : same.names) fields.Add(name);
    if (same.names.empty() && !same.fields.empty()) fields.Add(std::string(same.fields));
  }
  const std::string count = CountByKind(AllOf(by_fields));
  return fields.empty() ? count : StrCat(fields.Some(kMostBrief), " (", count, ")");
}

// Returns what a folded line says of a worry: "dex v2.43.0 → v2.45.0 and 3 more", "Role a (get secrets)", or "3 Roles".
std::string InShort(Worry worry, const ByFields& by_fields) {
  constexpr size_t kMostNew = 3;                                 // names
  const size_t kLongest = worry == Worry::kSubjects ? 120 : 60;  // bytes of fields: nothing else says who gets a role
  const Objects objects = AllOf(by_fields);
  if (worry == Worry::kMayBeDeleted && objects.size() <= kMostNew) return NamesByKind(objects, kMostNew);
  NamesOnce names;
  for (const SameFields& same : by_fields) {
    for (const std::string& name : same.names) names.Add(name);
  }
  const std::string some = names.Some(kMostBrief);
  if (Is(worry, kOfImages) && !names.empty()) return some;
  if (objects.size() > 1 && !some.empty() && some.size() <= kLongest) return StrCat(some, "; ", CountInShort(objects));
  const std::string_view fields = by_fields.size() == 1 ? by_fields.front().fields : "";
  const bool says_fields = objects.size() == 1 && !fields.empty() && fields.size() <= kLongest;
  return says_fields ? StrCat(CountInShort(objects), ": ", fields) : CountInShort(objects);
}

constexpr size_t kMostCrdsWithRules = 3;  // their blocks have the rules of more

ByFields WithoutFields(const ByFields& by_fields) {
  return {{"each with rules of its own", {}, WorryWords::Rank::kUsual, AllOf(by_fields)}};
}

// Divides objects that fail by what can be done about it.
std::map<std::string, ByFields> ByWayOut(const ByFields& by_fields) {
  std::map<std::string, ByFields> out;
  for (const SameFields& same : by_fields) {
    std::map<std::string, Objects> objects;
    for (const ObjectReport* object : same.objects) objects[object->way_out].push_back(object);
    for (auto& [way_out, some] : objects) out[way_out].push_back({same.fields, same.names, same.rank, std::move(some)});
  }
  return out;
}

void AddFailures(Worry worry, const ByFields& by_fields, WorryLength length, std::vector<WorryLine>& out) {
  for (const auto& [way_out, some] : ByWayOut(by_fields)) {
    out.push_back(LineOf(worry, some, length));
    out.back().way_out = way_out;
  }
}

}  // namespace

bool IsFailure(Worry worry) { return Is(worry, kFails); }

bool IsGrave(const WorryLine& line) { return !line.is_rest && Is(line.worry, kFails | kGrave); }

std::string_view WordsOf(Worry worry) { return ToldOf(worry).words; }

std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects, WorryLength length) {
  std::map<Worry, ByFields> by_worry;
  std::map<std::pair<Worry, std::string_view>, size_t> places;
  const auto add = [&](const ObjectReport* object, const FoundWorries& worries) {
    for (const auto& [worry, words] : worries) {
      const bool brief = LengthOf(worry, length) != WorryLength::kAll;
      const std::string_view fields = brief ? words.brief : words.all;
      ByFields& by_fields = by_worry[worry];
      const auto [at, is_new] = places.try_emplace({worry, fields}, by_fields.size());
      if (is_new) by_fields.push_back({fields, words.names, words.rank});
      by_fields[at->second].objects.push_back(object);
    }
  };
  Objects all;
  for (const auto& [object, worries] : objects) all.push_back(object);
  const std::vector<FoundWorries> cross = CrossWorries(all);
  for (size_t i = 0; i < objects.size(); ++i) {
    add(all[i], *objects[i].worries);
    add(all[i], cross[i]);
  }
  std::vector<WorryLine> out;
  for (auto& [worry, by_fields] : by_worry) {
    std::ranges::stable_sort(by_fields, {}, &SameFields::rank);
    if (worry == Worry::kMissing && length == WorryLength::kShort) {
      out.push_back({worry, false, MissingInShort(all)});
      continue;
    }
    if (worry == Worry::kMissing) {
      for (std::string& line : MissingLines(all, MostNamed(length, kMostOfAWorry)))
        out.push_back({worry, false, std::move(line)});
      continue;
    }
    const WorryLength shown = LengthOf(worry, length);
    if (IsFailure(worry)) {
      AddFailures(worry, by_fields, shown, out);
      continue;
    }
    if (worry == Worry::kMayRefuse && by_fields.size() > kMostCrdsWithRules) by_fields = WithoutFields(by_fields);
    const bool numbers = shown >= WorryLength::kNumbers && CanBeNumbers(worry, shown);
    const std::string_view first = WithoutMeaning(worry);
    out.push_back(LineOf(worry, by_fields, shown));
    if (numbers) out.back().text = StrCat(first, ": ", NumbersWithFields(worry, by_fields));
    if (Is(worry, kOwnLine)) continue;
    out.back().in_short = StrCat(first, " (", InShort(worry, by_fields), ")");
    out.back().in_fewest = StrCat(first, " (", CountInShort(AllOf(by_fields)), ")");
  }
  return out;
}

std::vector<WorryLine> WorryLines(const Report& report) {
  std::vector<FoundWorries> found;
  for (const ObjectReport& object : report.objects) found.push_back(WorriesOf(object));
  std::vector<WorriesOfObject> objects;
  for (size_t i = 0; i < found.size(); ++i) objects.push_back({&report.objects[i], &found[i]});
  return WorryLines(objects, WorryLength::kAll);
}

}  // namespace smp::explain
