#include "explain/worry_lines.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/cross_worries.h"
#include "explain/missing_lines.h"
#include "explain/object_names.h"

namespace smp::explain {

namespace {

constexpr size_t kMostWorries = 12;  // objects, or groups of them
constexpr size_t kMostOfAWorry = 6;  // objects with the same fields

// Objects about which the same is said.
struct SameFields {
  std::string_view fields;
  std::vector<std::string> names;  // in the fields
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

// Returns "Deployment default/web, default/api (replicas, image); Service default/web".
std::string NamesWithFields(Worry worry, const ByFields& by_fields, WorryLength length) {
  constexpr size_t kMostNew = 8;  // a name often tells whether it is new
  // The lines above name new workloads, too.
  const bool may_be_new = worry == Worry::kMayBeDeleted && length == WorryLength::kShort;
  const size_t most = may_be_new ? kMostNew : MostNamed(length, kMostOfAWorry);
  std::vector<std::string> names;
  for (const auto& [fields, in_fields, objects] : by_fields) {
    const bool counted = (may_be_new || IsFailure(worry)) && objects.size() > most + 1;
    names.push_back(StrCat(counted ? CountByKind(objects) : NamesByKind(objects, most),
                           fields.empty() ? "" : StrCat(" (", fields, ")")));
  }
  return NameSome(std::move(names), MostGroups(worry, length), "; ");
}

// What an apply undoes is not shortened, and what it refuses or leaves open only if nothing else helps.
WorryLength LengthOf(Worry worry, WorryLength length) {
  const bool undoes = worry == Worry::kUndoes || worry == Worry::kRemovesTouched || worry == Worry::kUnread;
  const bool is_told = undoes || IsFailure(worry) || worry == Worry::kMayBeDeleted || worry == Worry::kSeemsDeleted ||
                       worry == Worry::kLaxer || worry == Worry::kPrivileges;
  if (!is_told) return length;
  return length != WorryLength::kShort || undoes ? WorryLength::kAll : IsFailure(worry) ? WorryLength::kBrief : length;
}

// Returns "3 CRDs, 1 ClusterRole".
std::string CountInShort(const Objects& objects) {
  constexpr std::string_view kLong = "CustomResourceDefinition";
  std::string out = CountByKind(objects);
  if (const size_t at = out.find(kLong); at != std::string::npos) out.replace(at, kLong.size(), "CRD");
  return out;
}

// Returns what is said before a colon, after which some say what follows from it.
std::string_view WithoutMeaning(Worry worry) {
  const std::string_view words = WordsOf(worry);
  return worry == Worry::kMayBeDeleted ? words : words.substr(0, words.find(':'));
}

// Returns true for worries that are never told in short only.
bool IsTold(Worry worry) {
  return IsFailure(worry) || worry == Worry::kUndoes || worry == Worry::kRemovesTouched || worry == Worry::kUnread ||
         worry == Worry::kOlderFile || worry == Worry::kMissing || worry == Worry::kLaxer ||
         worry == Worry::kPrivileges || worry == Worry::kReachesNothing || worry == Worry::kLeftWorkload ||
         worry == Worry::kDestroys || worry == Worry::kStillNeeded || worry == Worry::kKeeps ||
         worry == Worry::kKeptByRefusal || worry == Worry::kSeemsDeleted || worry == Worry::kBreaksObjects ||
         worry == Worry::kValuesLost || worry == Worry::kHostsGone || worry == Worry::kNamespaces;
}

// Returns true if the fields say more than the objects, whose own lines have the rest.
bool CanBeNumbers(Worry worry, WorryLength length) {
  if (length == WorryLength::kShort && worry == Worry::kNodeRights) return true;
  constexpr Worry kWorries[] = {Worry::kVersionsGone, Worry::kFixedFields,  Worry::kFieldsGone,
                                Worry::kTypes,        Worry::kMajorVersion, Worry::kMajorVersionElsewhere,
                                Worry::kSkipsMinor,   Worry::kMayRefuse,    Worry::kImagePlace,
                                Worry::kMovingImage,  Worry::kServerSide,   Worry::kDefaults,
                                Worry::kOtherProgram, Worry::kMayBeOlder,   Worry::kNodes};
  return std::ranges::find(kWorries, worry) != std::end(kWorries);
}

Objects AllOf(const ByFields& by_fields) {
  Objects out;
  for (const SameFields& same : by_fields) out.insert(out.end(), same.objects.begin(), same.objects.end());
  return out;
}

bool IsAboutImages(Worry worry) {
  constexpr Worry kWorries[] = {Worry::kMajorVersion, Worry::kMajorVersionElsewhere, Worry::kSkipsMinor,
                                Worry::kImagePlace,   Worry::kMovingImage,           Worry::kOtherProgram,
                                Worry::kMayBeOlder};
  return std::ranges::find(kWorries, worry) != std::end(kWorries);
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
  if (IsAboutImages(worry) && by_fields.size() > 1) return ImagesWithCounts(by_fields);
  NamesOnce fields;
  for (const SameFields& same : by_fields) {
    for (const std::string& name : same.names) fields.Add(name);
    if (same.names.empty() && !same.fields.empty()) fields.Add(std::string(same.fields));
  }
  const std::string count = CountByKind(AllOf(by_fields));
  return fields.empty() ? count : StrCat(fields.Some(kMostBrief), " (", count, ")");
}

constexpr size_t kMostCrdsWithRules = 3;  // their blocks have the rules of more

ByFields WithoutFields(const ByFields& by_fields) { return {{"each with rules of its own", {}, AllOf(by_fields)}}; }

// Divides objects that fail by what can be done about it.
std::map<std::string, ByFields> ByWayOut(const ByFields& by_fields) {
  std::map<std::string, ByFields> out;
  for (const SameFields& same : by_fields) {
    std::map<std::string, Objects> objects;
    for (const ObjectReport* object : same.objects) objects[object->way_out].push_back(object);
    for (auto& [way_out, some] : objects) out[way_out].push_back({same.fields, same.names, std::move(some)});
  }
  return out;
}

void AddFailures(Worry worry, const ByFields& by_fields, WorryLength length, std::vector<WorryLine>& out) {
  for (const auto& [way_out, some] : ByWayOut(by_fields)) {
    out.push_back({worry, true, StrCat(WordsOf(worry), ": ", NamesWithFields(worry, some, length)), way_out});
  }
}

}  // namespace

bool IsFailure(Worry worry) {
  return worry == Worry::kFailed || worry == Worry::kRefused || worry == Worry::kNotCreated;
}

std::string_view WordsOf(Worry worry) {
  switch (worry) {
    case Worry::kFailed: return "cannot be explained, and will not be sent";
    case Worry::kRefused: return "will be refused, and stays as it is";
    case Worry::kNotCreated: return "does not exist, and will not be created";
    case Worry::kReachesNothing: return "reaches no Pods, as their workload is refused";
    case Worry::kStillNeeded: return "is deleted, though Pods of the input need it";
    case Worry::kDestroys: return "is deleted with what it holds";
    case Worry::kLeftWorkload: return "runs beside a workload of the same name, which apply does not delete";
    case Worry::kUndoes: return "undoes changes made in the cluster (live → after apply)";
    case Worry::kRemovesTouched: return "removes what others have changed";
    case Worry::kUnread: return "no longer reads what others have changed";
    case Worry::kVersionsGone: return "stops serving API versions";
    case Worry::kStorage: return "stores objects as another API version";
    case Worry::kOlderFile: return "another manifest was applied since this file was written";
    case Worry::kReach: return "is reached in another way";
    case Worry::kNamespaces: return "looks after other namespaces than before";
    case Worry::kHostsGone: return "hosts without an Ingress: none of the input serves them any more";
    case Worry::kOtherApp: return "takes objects from another application";
    case Worry::kOtherAccount: return "runs as another ServiceAccount";
    case Worry::kAggregates: return "collects the rights of other ClusterRoles than before";
    case Worry::kFixedFields: return "fields whose values can no longer be changed";
    case Worry::kPrivileges: return "keeps privileges that others added";
    case Worry::kMissing: return "needs what is missing in the input and on the server";
    case Worry::kSeemsDeleted: return "seems to have been deleted in the cluster, and comes back";
    case Worry::kMayBeDeleted: return "not in the cluster: new, or somebody deleted it";
    case Worry::kStricterPods: return "refuses Pods that were allowed (label pod-security.kubernetes.io/enforce)";
    case Worry::kTypes: return "changes the type of fields: existing values are refused at the next write";
    case Worry::kLaxer: return "allows Pods more (label pod-security.kubernetes.io/enforce)";
    case Worry::kSubjects: return "changes who has a role";
    case Worry::kOtherService: return "sends requests to another service";
    case Worry::kRightsGone: return "takes rights away";
    case Worry::kRightsGiven: return "gives far-reaching rights";
    case Worry::kNodeRights: return "gives Pods rights on their nodes";
    case Worry::kWebhook: return "requests are refused while a webhook does not answer";
    case Worry::kImagePlace: return "takes images from another place";
    case Worry::kMovingImage: return "images whose tags move: Pods run whatever the tag points to when they start";
    case Worry::kMajorVersion: return "runs another major version on existing data";
    case Worry::kMajorVersionElsewhere: return "runs another major version";
    case Worry::kSkipsMinor: return "skips minor versions";
    case Worry::kOtherProgram: return "runs another image";
    case Worry::kMayBeOlder: return "may run an older version: the tag before moved";
    case Worry::kPodsStay: return "stores new Pods, but does not start them";
    case Worry::kStopsFirst: return "stops before its new Pods start: strategy Recreate";
    case Worry::kDataInPods: return "loses stored data: its Pods have no volume that outlives them";
    case Worry::kGoneClaims: return "no longer uses a claim: what is stored there stays behind";
    case Worry::kNodes: return "new Pods need nodes with a label";
    case Worry::kOldValues: return "running Pods keep the old values until somebody restarts them";
    case Worry::kSwitches: return "turns settings on or off";
    case Worry::kServerCalls: return "changes how the API server calls a webhook";
    case Worry::kRunsAtOnce: return "runs as soon as it is created";
    case Worry::kTraffic: return "limits the traffic of Pods";
    case Worry::kOtherTraffic: return "other traffic than before is allowed";
    case Worry::kSafeguards: return "removes safeguards";
    case Worry::kMayRefuse:
      return "stricter schema: existing objects that break the new rules may be refused at their next change";
    case Worry::kBreaksObjects: return "existing objects break the new schema, and may be refused at their next change";
    case Worry::kValuesLost: return "existing objects lose fields that the new schema drops, at their next write";
    case Worry::kFieldsGone: return "drops fields of a schema: existing values are lost at the next write";
    case Worry::kDefaults:
      return "changes defaults of a schema: for new objects, and for those that are stored without the fields";
    case Worry::kServerSide: return "too large for last-applied, applied server-side";
    case Worry::kKeptByRefusal: return "keeps what others set only while it is refused (--force would lose it)";
    case Worry::kKeeps: return "keeps what others set in the cluster";
  }
  return "";
}

std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects, WorryLength length) {
  std::map<Worry, ByFields> by_worry;
  std::map<std::pair<Worry, std::string_view>, size_t> places;
  const auto add = [&](const ObjectReport* object, const FoundWorries& worries) {
    for (const auto& [worry, words] : worries) {
      const bool brief = LengthOf(worry, length) != WorryLength::kAll;
      const std::string_view fields = brief ? words.brief : words.all;
      ByFields& by_fields = by_worry[worry];
      const auto [at, is_new] = places.try_emplace({worry, fields}, by_fields.size());
      if (is_new) by_fields.push_back({fields, words.names});
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
    const std::string names = numbers ? NumbersWithFields(worry, by_fields) : NamesWithFields(worry, by_fields, shown);
    const std::string_view words = WordsOf(worry), first = WithoutMeaning(worry);
    out.push_back({.worry = worry,
                   .text = StrCat(numbers ? first : words, ": ", names),
                   .in_short = IsTold(worry) ? "" : StrCat(first, " (", CountInShort(AllOf(by_fields)), ")")});
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
