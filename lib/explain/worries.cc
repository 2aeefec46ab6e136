#include "explain/worries.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/image_words.h"
#include "explain/message.h"
#include "explain/nested_changes.h"
#include "explain/object_names.h"
#include "explain/of_others.h"
#include "explain/rights.h"
#include "explain/row_values.h"
#include "explain/schema_changes.h"
#include "smp/foretell.h"
#include "smp/managed_fields.h"
#include "value/path.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kMostTold = 5;          // of an object
constexpr size_t kMostSchemaFields = 2;  // of a CRD
constexpr size_t kMostStricter = 1;      // likewise, or two
constexpr size_t kLongestRule = 48;      // bytes
constexpr size_t kLongestWhy = 80;       // bytes
constexpr size_t kMostWorries = 12;      // objects, or groups of them
constexpr size_t kMostOfAWorry = 6;      // objects with the same fields
constexpr size_t kMostBrief = 2;         // names where a screen is too short

WorryWords NameInBoth(const std::vector<std::string>& names, size_t most) {
  return {NameSome(names, most), NameSome(names, std::min(most, kMostBrief))};
}

WorryWords NameInBoth(const NamesOnce& names, size_t most) { return NameInBoth(names.all(), most); }

// Returns "replicas: field is immutable".
std::string InShort(const Error& error) {
  std::string_view message = error.message;
  if (message.starts_with(kForetold)) message.remove_prefix(kForetold.size());
  message = message.substr(0, message.find('\n'));
  const bool quoted = error.path.find('"') != std::string::npos;
  const std::string field = quoted ? error.path : error.path.substr(error.path.rfind('.') + 1);
  return CutEnd(StrCat(field, field.empty() ? "" : ": ", message), kLongestWhy);
}

// Returns " (labels version)" for what changes below the field that the server refuses to change.
std::string FieldsBelow(const ObjectReport& object) {
  NamesOnce fields;
  for (const ReportRow& row : object.rows) {
    const bool below = ToString(row.path).starts_with(StrCat(object.error->path, "."));
    if (below && !object.error->path.empty()) fields.Add(ChangeInWords(row, object.name));
  }
  return fields.empty() ? "" : StrCat(" (", fields.Some(2), ")");
}

FoundWorries OfFailure(const ObjectReport& object) {
  const bool refused = !object.rows.empty() || object.error->message.starts_with(kForetold);
  const Worry worry = object.is_absent ? Worry::kNotCreated : refused ? Worry::kRefused : Worry::kFailed;
  return {{worry, {StrCat(InShort(*object.error), FieldsBelow(object))}}};
}

bool Undoes(const ReportRow& row) {
  if (row.op != RowOp::kSet && row.op != RowOp::kDelete) return false;
  switch (row.reason) {
    case Reason::kConflict:
    case Reason::kDrift:
    case Reason::kRestored:
    case Reason::kAtomic: return true;
    case Reason::kOwned: return !IsPlain(row.message);
    default: return row.live != nullptr && std::ranges::any_of(row.managers, IsOfOthers);
  }
}

std::string ManagerInWords(const FieldManager& manager) {
  return manager.subresource.empty() ? manager.name : StrCat(manager.name, " (", manager.subresource, ")");
}

WorryWords WithManagers(const NamesOnce& fields, const NamesOnce& managers) {
  const auto [names, brief_names] = NameInBoth(fields, kMostTold);
  const auto [by, brief_by] = NameInBoth(managers, kMostTold);
  const std::string_view between = managers.empty() ? "" : "; by ";
  return {StrCat(names, between, by), StrCat(brief_names, between, brief_by)};
}

// Adds "replicas 3 → 1; by kubectl-edit".
void AddUndone(const ObjectReport& object, FoundWorries& out) {
  NamesOnce fields, managers;
  for (const ReportRow& row : object.rows) {
    if (!Undoes(row)) continue;
    fields.Add(ChangeInWords(row, object.name));
    for (const FieldManager& manager : row.managers) {
      if (IsOfOthers(manager)) managers.Add(ManagerInWords(manager));
    }
  }
  if (!fields.empty()) out[Worry::kUndoes] = WithManagers(fields, managers);
}

// Adds "limits memory: 512Mi; by kubectl-set": what somebody set by hand, or with another tool, and what stays.
void AddKept(const ObjectReport& object, FoundWorries& out) {
  NamesOnce fields, managers;
  for (const FieldsOfManager& of_manager : object.of_others) {
    if (IsController(of_manager.manager)) continue;
    for (size_t i = 0; i < of_manager.paths.size(); ++i) {
      if (std::ranges::find(object.privileges, of_manager.paths[i]) != object.privileges.end()) continue;
      fields.Add(FieldOfOthersInWords(of_manager.paths[i], of_manager.values[i]));
      managers.Add(ManagerInWords(of_manager.manager));
    }
  }
  if (!fields.empty()) out[Worry::kKeeps] = WithManagers(fields, managers);
}

// Adds "spec.hostNetwork; by mallory".
void AddPrivileges(const ObjectReport& object, FoundWorries& out) {
  if (object.privileges.empty()) return;
  NamesOnce managers;
  for (const FieldsOfManager& of_manager : object.of_others) {
    const bool set_one = std::ranges::any_of(of_manager.paths, [&](const FieldPath& path) {
      return std::ranges::find(object.privileges, path) != object.privileges.end();
    });
    if (set_one) managers.Add(ManagerInWords(of_manager.manager));
  }
  NamesOnce paths;
  for (const FieldPath& path : object.privileges) paths.Add(ToString(path));
  out[Worry::kPrivileges] = WithManagers(paths, managers);
}

// Adds "-readinessProbe": without it, Pods get traffic that cannot answer.
void AddSafeguards(const ObjectReport& object, FoundWorries& out) {
  constexpr std::string_view kSafeguards[] = {"livenessProbe", "readinessProbe", "securityContext", "startupProbe"};
  NamesOnce fields;
  for (const ReportRow& row : object.rows) {
    const bool removes = row.op == RowOp::kDelete && !row.path.empty();
    if (removes && std::ranges::find(kSafeguards, row.path.back().name) != std::end(kSafeguards)) {
      fields.Add(ChangeInWords(row, object.name));
    }
  }
  if (!fields.empty()) out[Worry::kSafeguards] = NameInBoth(fields, kMostTold);
}

// Whoever has such a right has others by it.
bool IsDangerous(std::string_view resource, std::string_view verbs) {
  constexpr std::string_view kResources[] = {"*",
                                             "secrets",
                                             "pods/exec",
                                             "pods/attach",
                                             "pods/ephemeralcontainers",
                                             "nodes/proxy",
                                             "serviceaccounts/token",
                                             "certificatesigningrequests/approval"};
  constexpr std::string_view kVerbs[] = {"escalate", "bind", "impersonate"};
  constexpr std::string_view kHaveThem[] = {"roles", "clusterroles", "users", "groups", "serviceaccounts"};
  const auto has = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
  };
  const std::string_view name = resource.substr(0, resource.find_first_of(".["));
  return has(kResources, name) || std::ranges::any_of(Split(verbs, ','), [&](std::string_view verb) {
           return has(kVerbs, Trim(verb)) || (Trim(verb) == "*" && has(kHaveThem, name));
         });
}

// Returns the resources of a right whose holders have others by it.
std::vector<std::string> DangerousResources(const ChangedRight& right) {
  std::vector<std::string> out = ResourcesOf(right);
  std::erase_if(out, [&](const std::string& resource) { return !IsDangerous(resource, right.verbs); });
  return out;
}

constexpr size_t kMostLost = 6;  // resources

struct RightsToTell {
  std::vector<std::string> words = {};  // "get, list pods, secrets"
  NamesOnce resources = {};

  void Add(const std::string& verbs, std::vector<std::string> of, size_t most) {
    if (of.empty()) return;
    for (const std::string& resource : of) resources.Add(resource);
    words.push_back(StrCat(verbs, " ", NameSome(std::move(of), most)));
  }
  WorryWords InBoth() const { return {NameSome(words, 2, "; "), resources.Some(kMostBrief)}; }
};

void AddRights(const ReportRow& row, FoundWorries& out) {
  const Value none = Value::UnownedArray({});
  const auto rights = ChangedRights(row.live == nullptr || row.live->is_null() ? none : *row.live, *row.outcome);
  if (!rights) return;
  RightsToTell lost, given;
  for (const ChangedRight& right : *rights) {
    if (right.sign == '-') lost.Add(right.verbs, ResourcesOf(right), kMostLost);
    if (right.sign == '+') given.Add(right.verbs, DangerousResources(right), kMostTold);
  }
  if (!lost.words.empty()) out[Worry::kRightsGone] = lost.InBoth();
  if (!given.words.empty()) out[Worry::kRightsGiven] = given.InBoth();
}

// Adds "docker.io → ghcr.io": the images may be others, and nodes may not be allowed to pull them. Adds "postgres 15 → 16": few
// programs read the data of another major version, and other programs may behave in other ways.
void AddImages(const ObjectReport& object, FoundWorries& out) {
  NamesOnce places, versions;
  for (const ReportRow& row : object.rows) {
    const auto images = ChangedImage(row);
    if (!images) continue;
    const std::string place = ChangeOfPlace(images->first, images->second);
    if (!place.empty()) places.Add(place);
    const std::string version = ChangeOfMajorVersion(images->first, images->second);
    if (!version.empty()) versions.Add(version);
  }
  if (!places.empty()) out[Worry::kImagePlace] = NameInBoth(places, kMostTold);
  const bool on_data = object.kind == "StatefulSet" && object.pods.keeps_data;
  if (!versions.empty()) {
    out[on_data ? Worry::kMajorVersion : Worry::kMajorVersionElsewhere] = NameInBoth(versions, kMostTold);
  }
}

void AddPodFacts(const ObjectReport& object, FoundWorries& out) {
  const PodFacts& pods = object.pods;
  if (!pods.missing.empty()) out[Worry::kMissing] = NameInBoth(pods.missing, kMostTold);
  if (!pods.node_rights.empty()) out[Worry::kNodeRights] = NameInBoth(pods.node_rights, kMostTold);
  if (!pods.moving_images.empty()) out[Worry::kMovingImage] = NameInBoth(pods.moving_images, kMostTold);
  if (object.kind == "Job" && object.action == Action::kCreate && object.new_pods)
    out[Worry::kRunsAtOnce] = {pods.runs};
}

// Returns "…hostAliases[].ip" of a field deep in a schema: it is at other paths in other CRDs.
std::string EndOfPath(const std::string& field) {
  const size_t last = field.rfind('.');
  const size_t before = last == std::string::npos || last == 0 ? std::string::npos : field.rfind('.', last - 1);
  return before == std::string::npos ? field : StrCat("…", field.substr(before + 1));
}

// Returns "without …path.name", "minLength 1 in …path.name", or "the rule \"a < b\" in spec".
std::string StricterInWords(const SchemaChange& change) {
  const std::string field = EndOfPath(change.fields.front());
  if (change.rule == "required") return StrCat("without ", field);
  const std::string rule = CutEnd(change.rule, kLongestRule);
  const bool cuts_quote = std::ranges::count(rule, '"') % 2 == 1;
  return StrCat(rule, cuts_quote ? "\"" : "", " in ", field);
}

void AddSchemas(const ReportRow& row, FoundWorries& out) {
  if (row.live == nullptr) return;
  const auto changes = NestedChanges(*row.live, *row.outcome);
  if (!changes) return;
  NamesOnce gone, stricter;
  for (const SchemaOfVersions& schema : DivideSchemaChanges(*changes, *row.outcome).schemas) {
    for (const SchemaChange& change : schema.changes) {
      // Few objects have duplicates, and many lists of a new version are sets.
      const bool refuses = change.effect == SchemaChange::Effect::kMayRefuse && change.rule != kNoDuplicates;
      if (refuses || change.effect == SchemaChange::Effect::kFixed) stricter.Add(StricterInWords(change));
      if (change.effect != SchemaChange::Effect::kFieldsGone) continue;
      for (const std::string& field : change.fields) gone.Add(EndOfPath(field));
    }
  }
  if (!stricter.empty()) out[Worry::kMayRefuse] = {stricter.Some(kMostStricter), ""};
  if (!gone.empty()) out[Worry::kFieldsGone] = NameInBoth(gone, kMostSchemaFields);
}

// Returns true if the object was not applied server-side before.
bool BecomesServerSide(const ObjectReport& object) {
  const auto by_apply = [](const FieldManager& manager) { return manager.operation == "Apply"; };
  // Why is only said where it was not asked for.
  return object.patch && object.patch->type == "apply" && !object.patch->why.empty() &&
         std::ranges::none_of(object.appliers, by_apply);
}

using ByFields = std::vector<std::pair<std::string_view, Objects>>;

// Returns "Deployment default/web, default/api (replicas, image); Service default/web".
std::string NamesWithFields(const ByFields& by_fields, bool fails, WorryLength length) {
  const bool brief = length == WorryLength::kBrief;
  std::vector<std::string> names;
  for (const auto& [fields, objects] : by_fields) {
    const bool counted = fails && objects.size() > kMostOfAWorry + 1;
    names.push_back(StrCat(counted ? CountByKind(objects) : NamesByKind(objects, brief ? kMostBrief : kMostOfAWorry),
                           fields.empty() ? "" : StrCat(" (", fields, ")")));
  }
  return NameSome(std::move(names), brief ? kMostBrief : kMostWorries, "; ");
}

// What an apply refuses, undoes or leaves open is not shortened.
WorryLength LengthOf(Worry worry, WorryLength length) {
  const bool is_told = IsFailure(worry) || worry == Worry::kUndoes || worry == Worry::kPrivileges;
  return is_told ? WorryLength::kAll : length;
}

constexpr size_t kMostCrdsWithRules = 3;  // their blocks have the rules of more

ByFields WithoutFields(const ByFields& by_fields) {
  Objects all;
  for (const auto& [fields, objects] : by_fields) all.insert(all.end(), objects.begin(), objects.end());
  return {{"each with rules of its own", std::move(all)}};
}

std::set<std::string> WaysOut(const ByFields& by_fields) {
  std::set<std::string> out;
  for (const auto& [fields, objects] : by_fields) {
    for (const ObjectReport* object : objects) {
      if (!object->way_out.empty()) out.insert(object->way_out);
    }
  }
  return out;
}

}  // namespace

bool IsFailure(Worry worry) {
  return worry == Worry::kFailed || worry == Worry::kRefused || worry == Worry::kNotCreated;
}

FoundWorries WorriesOf(const ObjectReport& object) {
  FoundWorries out;
  if (object.compared) return out;
  if (object.action == Action::kError) return OfFailure(object);
  AddPrivileges(object, out);
  if (object.action == Action::kUnchanged) return out;
  AddUndone(object, out);
  AddKept(object, out);
  AddSafeguards(object, out);
  AddImages(object, out);
  AddPodFacts(object, out);
  if (object.kind == "NetworkPolicy" && object.action == Action::kCreate) out[Worry::kTraffic];
  if (BecomesServerSide(object)) out[Worry::kServerSide];
  for (const ReportRow& row : object.rows) {
    if (row.op != RowOp::kSet || row.path.empty() || row.outcome == nullptr) continue;
    if (row.path.back().name == "rules" && object.kind.ends_with("Role")) AddRights(row, out);
    if (row.path.back().name == "versions" && object.kind == "CustomResourceDefinition") AddSchemas(row, out);
  }
  return out;
}

std::string_view WordsOf(Worry worry) {
  switch (worry) {
    case Worry::kFailed: return "cannot be explained";
    case Worry::kRefused: return "will be refused, and stays as it is";
    case Worry::kNotCreated: return "does not exist, and will not be created";
    case Worry::kUndoes: return "undoes changes that were made in live";
    case Worry::kPrivileges: return "keeps privileges that others added";
    case Worry::kMissing: return "needs what neither the input nor the server has, unless a controller makes it";
    case Worry::kRightsGone: return "takes rights away";
    case Worry::kRightsGiven: return "gives far-reaching rights";
    case Worry::kNodeRights: return "gives Pods rights on their nodes";
    case Worry::kImagePlace: return "takes images from another place";
    case Worry::kMovingImage: return "images without a fixed version: new Pods may get a newer one";
    case Worry::kMajorVersion: return "runs another major version on existing data";
    case Worry::kMajorVersionElsewhere: return "runs another major version";
    case Worry::kRunsAtOnce: return "runs as soon as it is created";
    case Worry::kTraffic: return "limits the traffic of Pods";
    case Worry::kSafeguards: return "removes safeguards";
    case Worry::kMayRefuse: return "stricter schema: values of existing objects may be refused when they change";
    case Worry::kFieldsGone: return "drops fields of a schema: existing values are lost at the next write";
    case Worry::kServerSide: return "will be applied server-side from now on, as it is too large for last-applied";
    case Worry::kKeeps: return "keeps what others set in live";
  }
  return "";
}

std::vector<WorryLine> WorryLines(const std::vector<WorriesOfObject>& objects, WorryLength length) {
  std::map<Worry, ByFields> by_worry;
  std::map<std::pair<Worry, std::string_view>, size_t> places;
  for (const auto& [object, worries] : objects) {
    for (const auto& [worry, words] : *worries) {
      const bool brief = LengthOf(worry, length) == WorryLength::kBrief;
      const std::string_view fields = brief ? words.brief : words.all;
      ByFields& by_fields = by_worry[worry];
      const auto [at, is_new] = places.try_emplace({worry, fields}, by_fields.size());
      if (is_new) by_fields.push_back({fields, {}});
      by_fields[at->second].second.push_back(object);
    }
  }
  std::vector<WorryLine> out;
  for (auto& [worry, by_fields] : by_worry) {
    const bool fails = IsFailure(worry);
    const WorryLength shown = LengthOf(worry, length);
    if (worry == Worry::kMayRefuse && by_fields.size() > kMostCrdsWithRules) by_fields = WithoutFields(by_fields);
    out.push_back({fails, StrCat(WordsOf(worry), ": ", NamesWithFields(by_fields, fails, shown)),
                   fails ? WaysOut(by_fields) : std::set<std::string>()});
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
