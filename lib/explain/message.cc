#include "explain/message.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "base/line_diff.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "explain/of_others.h"
#include "smp/sides.h"
#include "value/json.h"
#include "value/path.h"

namespace smp::explain {

namespace {

// Sentences that say no more than the names of their reasons.
constexpr std::string_view kNew = "new in the manifest";
constexpr std::string_view kDropped = "the server has dropped it since the last apply";
constexpr std::string_view kNotInLive = "live does not have it";
constexpr std::string_view kManifestChanged = "the manifest changed it since the last apply";
constexpr std::string_view kInManifestNoLonger = "was applied before, and the manifest has it no longer";
constexpr std::string_view kNewInSet = "new in this set";
constexpr std::string_view kServersDefault = "live has the server's default";
constexpr std::string_view kServersChoice = "live has the value that the server chose";
constexpr std::string_view kSaysNull = "the manifest says null";

// Returns the members that the manifest has in a map with $retainKeys: "type", "type, recreate".
std::string RetainedNames(const PlanNode& map) {
  std::vector<std::string> names;
  if (map.modified == nullptr) return {};
  for (const Member& m : map.modified->Members()) {
    if (!m.value.is_null()) names.emplace_back(m.name);
  }
  return Join(names, ", ");
}

bool OthersOwn(const Evidence& evidence) {
  return std::any_of(evidence.owners.begin(), evidence.owners.end(), IsOfOthers);
}

// Returns the kind of the owners if it is the same for all of them, else kOther.
ManagerKind KindOfAll(const std::vector<FieldManager>& owners) {
  const ManagerKind kind = KindOf(owners.front());
  const bool same = std::all_of(owners.begin(), owners.end(), [&](const auto& m) { return KindOf(m) == kind; });
  return same ? kind : ManagerKind::kOther;
}

std::string_view HowOwned(ManagerKind kind) {
  switch (kind) {
    case ManagerKind::kClientSideApply: return "set with an apply by kubectl or smp: ";
    case ManagerKind::kServerSideApply: return "set with a server-side apply by kubectl or smp: ";
    case ManagerKind::kCreate: return "set with ";  // kubectl-create
    case ManagerKind::kOther: return "owned by ";
  }
  return "owned by ";
}

// Returns "owned by kubectl-edit (Update; last write 3d ago)"; "" if live was read without managedFields.
std::string OwnerClause(const Evidence& evidence) {
  if (evidence.owners.empty()) return evidence.recorded ? "managedFields name no owner" : "";
  return StrCat(HowOwned(KindOfAll(evidence.owners)), Describe(evidence.owners, evidence.now));
}

std::string Sentence(std::initializer_list<std::string> clauses) {
  std::vector<std::string> said;
  std::copy_if(clauses.begin(), clauses.end(), std::back_inserter(said), [](const auto& c) { return !c.empty(); });
  return Join(said, "; ");
}

// Returns true if the field belongs to the manager that now writes it, in the same way.
bool IsOnlyOurs(const Evidence& evidence) {
  if (AllOfClientSideApply(evidence.owners)) return true;
  return evidence.sent_as != SentAs::kClientSide && KindOfAll(evidence.owners) == ManagerKind::kServerSideApply;
}

// Adds the owners, unless the field is only our own: who applied the object last is said once, below its rows.
std::string WithOwners(std::string claim, const Evidence& evidence) {
  return IsOnlyOurs(evidence) ? claim : Sentence({std::move(claim), OwnerClause(evidence)});
}

std::string DriftMessage(const Evidence& evidence) {
  if (evidence.stored_otherwise) {
    return "the server stored something else when it was applied, and may do so again";
  }
  return Sentence({OthersOwn(evidence) ? "live changed, the manifest did not"
                                       : "live differs from last-applied, the manifest does not",
                   OwnerClause(evidence)});
}

std::string ConflictMessage(const Evidence& evidence) {
  if (evidence.sent_as != SentAs::kClientSide) {
    return Sentence({"live has another value", OwnerClause(evidence),
                     evidence.sent_as == SentAs::kForced
                         ? "the manifest wins"
                         : "the server refuses to change it without --force-conflicts"});
  }
  return Sentence({OthersOwn(evidence) ? "the manifest and live both changed since the last apply"
                                       : "the manifest and live both differ from last-applied",
                   OwnerClause(evidence), "the manifest wins"});
}

// Others own what live does not have: an empty list that the server stores as null.
std::string AddedMessage(const PlanNode& node, const Evidence& evidence) {
  const bool was_dropped = node.original != nullptr && !node.original->is_null();  // smp/dropped.h
  const bool is_recorded = evidence.last_applied && evidence.sent_as == SentAs::kClientSide;
  const std::string_view why = was_dropped ? kDropped : is_recorded ? kNew : kNotInLive;
  return Sentence({std::string(why), OthersOwn(evidence) ? OwnerClause(evidence) : ""});
}

std::string RestoredMessage(const Evidence& evidence) {
  if (!evidence.stored) return std::string(kManifestChanged);
  return Sentence({"removed from live",
                   OthersOwn(evidence) ? OwnerClause(evidence) : "managedFields do not record by whom",
                   evidence.edited ? "the manifest changed it, too" : ""});
}

// The server removes a map of which nothing is left, though the manifest has it. It adds it where live lacks it.
constexpr std::string_view kEmptied =
    "the manifest sets nothing in it, so that it goes with all it has; the next apply adds it again";

bool IsEmptied(const PlanNode& node, const Evidence& evidence) {
  return evidence.sent_as != SentAs::kClientSide && !IsAbsentOrNull(node.modified);
}

std::string RemovedMessage(const Evidence& evidence) {
  const bool adopted = !evidence.last_applied && evidence.sent_as == SentAs::kClientSide;
  if (adopted) return Sentence({"adopted: the manifest lacks it", OwnerClause(evidence)});
  if (evidence.sent_as != SentAs::kClientSide && !evidence.applied) {
    return Sentence(
        {"the manifest lacks it", OwnerClause(evidence), "server-side apply takes over that manager's fields"});
  }
  const std::string claim(kInManifestNoLonger);
  if (!evidence.drifted) return WithOwners(claim, evidence);
  return Sentence(
      {claim, OthersOwn(evidence) ? "live changed, too" : "live differs from what was applied", OwnerClause(evidence)});
}

// Our own manager owns a field that last-applied lacks, and the value is no known default.
constexpr std::string_view kOursUnrecorded =
    "live has a value that last-applied lacks; set with an apply by kubectl or smp (default, admission, or since "
    "forgotten): ";

constexpr std::string_view kUnset = "live has a value, and managedFields name nobody (default, admission, scaling)";
constexpr std::string_view kSetByUsElsewhere = "live has a value that an earlier apply may have set through ";

// Says who may have set a field that seems to have no owner.
std::string UnsetMessage(const Evidence& evidence) {
  constexpr std::string_view kNames = ", where fields have other names";
  std::vector<std::string> others, versions;
  for (const auto& [manager, version] : evidence.of_other_versions) {
    if (IsOfOthers(manager)) others.push_back(StrCat(Describe(manager, evidence.now), " through ", version));
    versions.push_back(version);
  }
  if (versions.empty()) return std::string(kUnset);
  if (others.empty()) return StrCat(kSetByUsElsewhere, versions.front(), kNames);
  const bool may_conflict = evidence.sent_as == SentAs::kServerSide;
  return Sentence({"live has another value", StrCat("maybe set by ", Join(others, " or "), kNames),
                   may_conflict ? "then the server refuses to change it without --force-conflicts" : ""});
}

std::string OwnedMessage(const Evidence& evidence) {
  const bool ours = !evidence.owners.empty() && !OthersOwn(evidence);
  const bool applied = ours && KindOfAll(evidence.owners) == ManagerKind::kServerSideApply;
  const bool chosen = evidence.is_allocated && evidence.recorded;  // else anybody may have set it
  if ((evidence.is_default || chosen) && !applied && !OthersOwn(evidence)) {
    return WithOwners(std::string(evidence.is_default ? kServersDefault : kServersChoice), evidence);
  }
  if (evidence.unset && !OthersOwn(evidence)) return UnsetMessage(evidence);
  if (ours && evidence.last_applied && KindOfAll(evidence.owners) == ManagerKind::kClientSideApply) {
    return StrCat(kOursUnrecorded, Describe(evidence.owners, evidence.now));
  }
  return Sentence({evidence.last_applied ? "live has a value that last-applied lacks" : "live has another value",
                   OwnerClause(evidence), ours ? "" : "from now on the manifest decides"});
}

std::string AtomicMessage(const PlanNode& node, const Evidence& evidence) {
  const bool map = node.live->is_object();
  const bool of_server = ServerAddedItems(node, evidence.owners);
  const std::string lost =
      StrCat(node.dropped_foreign, map ? " field" : " item", node.dropped_foreign == 1 ? " goes" : "s go", " that ",
             of_server               ? "the server added when it was applied, and may add again"
             : evidence.last_applied ? "neither last-applied nor the manifest has"
                                     : "the manifest lacks");
  return Sentence({StrCat("the ", map ? "map" : "list", " can only be replaced as a whole"), lost,
                   of_server ? "" : OwnerClause(evidence)});
}

std::string ServerMessage(const PlanNode& node, const Evidence& evidence) {
  if (evidence.recreated && node.op == Op::kDelete) return "only live has it; the new object is created without it";
  if (evidence.recreated && node.stored != nullptr) return "the new object gets the default";
  const bool removed = node.op == Op::kDelete;
  if (!removed && node.stored == nullptr) return "the server will choose a value";
  const std::string_view because = " because of the other changes";
  if (!evidence.answered) return StrCat("the server ", removed ? "removes it" : "sets it", because);
  return removed ? StrCat("the server removes it (admission, a webhook, or", because, ")")
                 : "the server sets it (a default, admission or a webhook)";
}

std::string ItemName(const PlanNode& list, const Value& item) {
  const std::string step = ToString(KeyStep(item, list.field->identity_keys));  // "[name=web]"
  const size_t equals = step.find('=');
  const bool single = list.field->identity_keys.size() == 1 && equals != std::string::npos;
  return single ? step.substr(equals + 1, step.size() - equals - 2) : step;
}

// Returns the items, or elements of a set, that live and the manifest both have, in the manifest's order, with their names.
std::vector<std::pair<const Value*, std::string>> SharedItems(const PlanNode& list) {
  std::vector<std::pair<const Value*, std::string>> shared;
  if (list.shape == Shape::kElements) {
    for (const Value& element : list.modified->Items()) {
      const auto items = list.live->Items();
      const auto live = std::find(items.begin(), items.end(), element);
      if (live != items.end()) shared.emplace_back(&*live, WriteJson(element));
    }
  }
  for (const PlanNode& child : list.children) {
    if (child.live != nullptr && child.modified != nullptr) {
      shared.emplace_back(child.live, ItemName(list, *child.item));
    }
  }
  return shared;
}

std::string ReasonSentence(const PlanNode& node, const PlanNode& parent, const Evidence& evidence) {
  switch (node.reason) {
    case Reason::kInSync: return "live is as the manifest says";
    case Reason::kAdded: return AddedMessage(node, evidence);
    case Reason::kChanged: return WithOwners(std::string(kManifestChanged), evidence);
    case Reason::kConflict: return ConflictMessage(evidence);
    case Reason::kDrift: return DriftMessage(evidence);
    case Reason::kRestored: return RestoredMessage(evidence);
    case Reason::kOwned: return OwnedMessage(evidence);
    case Reason::kRemoved: return IsEmptied(node, evidence) ? std::string(kEmptied) : RemovedMessage(evidence);
    case Reason::kRetainKeys:
      return WithOwners(
          StrCat("cleared by $retainKeys: the manifest has ", RetainedNames(parent), " here and nothing else"),
          evidence);
    case Reason::kUnion:
      return WithOwners("cleared: the server does not take it beside what the manifest has here", evidence);
    case Reason::kDerived:
      return WithOwners("sent, too: the server derives it from fields that change, and would leave what it has",
                        evidence);
    case Reason::kReordered: return ReorderMessage(ItemOrder(node));
    case Reason::kAtomic: return AtomicMessage(node, evidence);
    case Reason::kSetAdded: return std::string(kNewInSet);
    case Reason::kSetRemoved: return RemovedMessage(evidence);
    case Reason::kExplicitNull: return WithOwners(std::string(kSaysNull), evidence);
    case Reason::kDuplicate:
      return "the manifest does not ask for it: kubectl's patch tells the items of this list apart by one key, which "
             "is not enough";
    case Reason::kLiveOnly: return Sentence({"only live has it", OwnerClause(evidence), "it stays"});
    case Reason::kKeepLive: return {};  // KeptMessage
    case Reason::kGivenUp:
      return Sentence(
          {std::string(kInManifestNoLonger), "it stays, because others own it, too", OwnerClause(evidence)});
    case Reason::kServer: return WithOwners(ServerMessage(node, evidence), evidence);
  }
  return {};
}

}  // namespace

std::string MessageFor(const PlanNode& node, const PlanNode& parent, const Evidence& evidence) {
  const std::string why = ReasonSentence(node, parent, evidence);
  // A map or list that is written gets defaults besides.
  const bool filled_in = node.op == Op::kSet && node.modified != nullptr && !node.modified->is_scalar();
  const bool set_again = node.stored != nullptr && node.reason != Reason::kServer && !filled_in;
  return set_again ? StrCat(why, "; the server sets ", node.op == Op::kDelete ? "its default" : "another value") : why;
}

bool IsPlain(std::string_view message) {
  constexpr std::string_view kPlain[] = {
      kNew,       kDropped,        kNotInLive,     kManifestChanged, kInManifestNoLonger,
      kNewInSet,  kServersDefault, kServersChoice, kSaysNull,        kOnlyHere,
      kOnlyThere, kDiffers};
  return std::find(std::begin(kPlain), std::end(kPlain), message) != std::end(kPlain);
}

bool BlamesNobody(std::string_view message) {
  return message.starts_with(kOursUnrecorded) || message.starts_with(kUnset) || message.starts_with(kSetByUsElsewhere);
}

std::string_view MeaningOf(Reason reason) {
  switch (reason) {
    case Reason::kInSync: return "live is as the manifest says";
    case Reason::kAdded: return "new in the manifest";
    case Reason::kChanged: return "the manifest changed it since the last apply";
    case Reason::kConflict: return "the manifest and live both changed it; the manifest wins";
    case Reason::kDrift: return "live changed, the manifest did not; apply changes it back";
    case Reason::kRestored: return "live lost what was applied; apply adds it again";
    case Reason::kOwned: return "the manifest sets it now, last-applied did not; live had another value";
    case Reason::kRemoved: return "the manifest no longer has what was applied";
    case Reason::kRetainKeys: return "goes because the manifest chose another alternative ($retainKeys)";
    case Reason::kUnion: return "goes because the server takes only one of these fields";
    case Reason::kDerived: return "the server derived it from fields that change";
    case Reason::kReordered: return "the list gets the manifest's order";
    case Reason::kAtomic: return "replaced as a whole, with what others put there";
    case Reason::kSetAdded: return "new in a set of values";
    case Reason::kSetRemoved: return "no longer in a set of values";
    case Reason::kExplicitNull: return "the manifest says null";
    case Reason::kDuplicate: return "kubectl's patch confuses items of this list";
    case Reason::kLiveOnly: return "only live has it, and it stays";
    case Reason::kKeepLive: return "kept because --keep-live or the annotation smp.io/keep-live asks for it";
    case Reason::kGivenUp: return "the manifest no longer has it, and it stays, because others own it, too";
    case Reason::kServer: return "the server changes it because of the other changes";
  }
  return "";
}

std::string NamedPaths(const std::vector<FieldPath>& paths) {
  std::vector<std::string> names;
  for (const FieldPath& path : paths) names.push_back(ToString(path));
  return NameSome(std::move(names), 5);
}

std::string PrivilegeWarning(const FieldsOfManager& fields, std::optional<std::chrono::sys_seconds> now) {
  return StrCat("apply keeps privileges that the manifest does not have: ", NamedPaths(fields.paths), ", set by ",
                Describe(fields.manager, now));
}

std::string KeptMessage(const KeptField& field, const Evidence& evidence) {
  const std::string_view otherwise = field.live == nullptr ? "live does not have it"
                                     : field.modified == nullptr || field.modified->is_null()
                                         ? "the manifest lacks it"
                                         : "the manifest has another value";
  return WithOwners(StrCat("kept by ", field.by, "; ", otherwise), evidence);
}

std::vector<OrderedItem> ItemOrder(const PlanNode& list) {
  std::vector<OrderedItem> items;
  std::vector<const Value*> live;
  for (auto& [value, name] : SharedItems(list)) {
    items.push_back({std::move(name)});
    live.push_back(value);
  }
  std::vector<const Value*> sorted = live;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].place_in_live =
        static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), live[i]) - sorted.begin());
  }
  return items;
}

std::string ReorderMessage(const std::vector<OrderedItem>& items) {
  if (items.empty()) return std::string(MeaningOf(Reason::kReordered));  // only items that others added have moved
  std::vector<std::string> now(items.size()), then;
  for (const OrderedItem& item : items) {
    then.push_back(item.name);
    now[item.place_in_live] = item.name;
  }
  return StrCat("stands as ", Join(now, ", "), " in live; the manifest says ", Join(then, ", "));
}

std::string MovesOf(const std::vector<OrderedItem>& items) {
  std::vector<size_t> places;
  for (const OrderedItem& item : items) places.push_back(item.place_in_live);
  const std::vector<size_t> stay = LongestIncreasing(places);
  std::vector<std::string> moves;
  for (size_t i = 0; i < items.size(); ++i) {
    if (std::binary_search(stay.begin(), stay.end(), i)) continue;
    const bool last = i + 1 == items.size();
    moves.push_back(last ? StrCat(items[i].name, " last") : StrCat(items[i].name, " before ", items[i + 1].name));
  }
  return NameSome(std::move(moves), 5);
}

std::string_view FirstCause(std::string_view message) {
  constexpr std::string_view kCauses = " is invalid: \n* ";
  const std::string_view first = message.substr(0, message.find('\n'));
  const size_t causes = message.find(kCauses);
  if (causes == message.npos || causes > first.size()) return first;
  message.remove_prefix(causes + kCauses.size());
  return message.substr(0, message.find('\n'));
}

}  // namespace smp::explain
