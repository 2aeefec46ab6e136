#include "pull/choice.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "apply/manifest_form.h"
#include "base/clock.h"
#include "base/strings.h"
#include "explain/of_others.h"
#include "explain/set_anew.h"
#include "pull/items.h"
#include "pull/renames.h"
#include "pull/written_value.h"
#include "smp/meaning.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/path_match.h"
#include "value/redact.h"

namespace smp::pull {

namespace {

using explain::ReportRow;
using Position = FieldOwners::Position;

enum class Nature {
  kDrift,
  kConflict,
  kUnrecorded,  // live and the manifest differ, and no record says who changed it
  kOfManifest,  // live is as last applied, the manifest is not
  kAdded,       // only live has it
  kFollows,     // it goes or comes with another change of the same map
  kMoved,       // the items of a list have another order
  kNone,        // nothing that could be taken
};

FieldPath Parent(FieldPath path) {
  path.pop_back();
  return path;
}

FieldPath Below(FieldPath path, PathStep step) {
  path.push_back(std::move(step));
  return path;
}

bool NamesStep(const std::optional<PathStep>& wanted, const PathStep& step) {
  if (!wanted || *wanted == step) return true;
  if (wanted->kind == PathStep::Kind::kField && step.kind == PathStep::Kind::kElement) {
    return step.element == WriteJson(Value::UnownedString(wanted->name));
  }
  if (wanted->kind == PathStep::Kind::kElement && step.kind == PathStep::Kind::kField) {
    return NameOf(*wanted) == step.name;
  }
  if (wanted->kind != PathStep::Kind::kKey || step.kind != PathStep::Kind::kKey) return false;
  return std::ranges::all_of(wanted->keys,
                             [&](const auto& key) { return std::ranges::find(step.keys, key) != step.keys.end(); });
}

bool IsCleared(const ReportRow& row) { return row.reason == Reason::kUnion || row.reason == Reason::kRetainKeys; }

// Returns true if live and the manifest differ there whatever the fields beside it are.
bool DiffersByItself(Nature nature) {
  return nature == Nature::kDrift || nature == Nature::kConflict || nature == Nature::kUnrecorded ||
         nature == Nature::kOfManifest;
}

bool IsItem(const PathStep& step) { return step.kind != PathStep::Kind::kField; }

// Returns the path that the pattern names in the object, with the steps as they are there; nullopt if it has wildcards or
// names nothing.
std::optional<FieldPath> PathIn(const PathFinder& object, const PathPattern& pattern) {
  FieldPath out;
  for (const auto& step : pattern) {
    const Value* parent = object.Find(out);
    if (!step || parent == nullptr) return std::nullopt;
    out.push_back(parent->is_object() ? PathStep::Field(NameOf(*step)) : *step);
  }
  return object.Find(out) == nullptr ? std::nullopt : std::optional(out);
}

Place PlaceAt(const explain::KindOfObject& kind, const FieldPath& path) {
  Place place = PlaceOfObject(*kind.schema, kind.type);
  for (const PathStep& step : path) place = IsItem(step) ? PlaceOfItem(place) : PlaceOfMember(place, step.name);
  return place;
}

std::vector<PathStep> KeysOf(const Value* list, const std::vector<std::string>& keys) {
  std::vector<PathStep> out;
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& item : list->Items()) {
    out.push_back(item.is_object() ? KeyStep(item, keys) : PathStep::Element(item));
  }
  return out;
}

bool IsOfSubresource(const FieldManager& manager) { return !manager.subresource.empty(); }
bool IsOfPerson(const FieldManager& manager) { return manager.name.starts_with("kubectl"); }

bool IsReplicas(const FieldPath& path) {
  return path.size() == 2 && path[0].name == "spec" && path[1].name == "replicas";
}

bool IsFinalizers(const FieldPath& path) {
  return path.size() == 2 && path[0].name == "metadata" && path[1].name == "finalizers";
}

// Returns the path of the annotation kRestartedAt in the value, which is at `path`; nullopt if it has none.
std::optional<FieldPath> RestartIn(const Value& value, const FieldPath& path) {
  for (const Member& m : value.is_object() ? value.Members() : std::span<const Member>()) {
    const FieldPath below = Below(path, PathStep::Field(m.name));
    if (m.name == kRestartedAt) return below;
    if (auto found = RestartIn(m.value, below)) return found;
  }
  return std::nullopt;
}

class Chooser {
 public:
  Chooser(const apply::Prepared& prepared, const explain::ObjectReport& report, const Circumstances& circumstances,
          const Wishes& wishes)
      : prepared_(prepared),
        report_(report),
        circumstances_(circumstances),
        wishes_(wishes),
        kind_{prepared.schema.get(), prepared.resource.type},
        live_(prepared.live->root()),
        form_(apply::ManifestForm(*prepared.live, *prepared.schema, prepared.resource.type)),
        in_live_(live_, kind_),
        in_form_(form_.root(), kind_),
        in_manifest_(prepared.desired.root(), kind_),
        owners_(live_),
        writer_(live_, arena_) {
    if (prepared.original) in_record_.emplace(prepared.original->root(), kind_);
    for (const ReportRow& row : report.rows) {
      const bool differs = !row.path.empty() && !IsCleared(row) && DiffersByItself(NatureOf(row));
      if (differs) changed_maps_.insert(ToString(Parent(row.path)));
    }
  }

  Choice Choose() {
    out_.owners_known = owners_.recorded();
    for (const ReportRow& row : report_.rows) Row(row);
    ForeignElements(prepared_.patch->plan.root, {});
    for (const ReportRow& row : report_.rows) Follower(row);
    TakeTogether();
    arena_.Retain(form_);
    out_.memory = Document(std::move(arena_), Value());
    return std::move(out_);
  }

 private:
  void Row(const ReportRow& row) {
    if (IsLastAppliedAnnotation(row.path)) return;
    switch (NatureOf(row)) {
      case Nature::kDrift: return Take(row);
      case Nature::kConflict: return Conflict(row);
      case Nature::kUnrecorded: return Unrecorded(row);
      case Nature::kOfManifest: return OfManifest(row);
      case Nature::kAdded: return Added(row);
      case Nature::kMoved: return Moved(row);
      case Nature::kFollows:
      case Nature::kNone: return;
    }
  }

  Nature NatureOf(const ReportRow& row) const {
    switch (row.reason) {
      case Reason::kDrift: return Nature::kDrift;
      case Reason::kConflict: return Nature::kConflict;
      case Reason::kAtomic:
      case Reason::kRestored:
      case Reason::kExplicitNull: return ByRecord(row);
      case Reason::kOwned: return Nature::kUnrecorded;
      case Reason::kChanged:
      case Reason::kRemoved:
      case Reason::kAdded: return ofManifest();
      case Reason::kLiveOnly:
      case Reason::kGivenUp: return Nature::kAdded;
      case Reason::kUnion:
      case Reason::kRetainKeys: return OfCleared(row);
      case Reason::kSetAdded: return Recorded(row.path) != nullptr ? Nature::kDrift : ofManifest();
      case Reason::kSetRemoved: return ofManifest();
      case Reason::kServer: return row.live != nullptr && row.modified == nullptr ? Nature::kAdded : Nature::kNone;
      case Reason::kReordered: return Nature::kMoved;
      default: return Nature::kNone;
    }
  }

  // Without a record, nobody knows whose change it is.
  Nature ofManifest() const {
    return prepared_.original || prepared_.server_side ? Nature::kOfManifest : Nature::kUnrecorded;
  }

  // A field that apply clears because of the fields that the manifest has beside it. If none of these differ, somebody set
  // the field in live.
  Nature OfCleared(const ReportRow& row) const {
    const FieldPath map = Parent(row.path);
    if (changed_maps_.contains(ToString(map))) return Nature::kFollows;
    const Value* then = Recorded(map);
    const Value* now = in_manifest_.Find(map);
    if (then == nullptr || now == nullptr) return Nature::kUnrecorded;
    return SameMeaning(*then, *now, PlaceAt(kind_, map)) ? Nature::kDrift : Nature::kConflict;
  }

  const Value* Recorded(const FieldPath& path) const { return in_record_ ? in_record_->Find(path) : nullptr; }

  // Live was changed. Was the manifest, too?
  Nature ByRecord(const ReportRow& row) const {
    if (!prepared_.original) return Nature::kUnrecorded;
    const Place place = PlaceAt(kind_, row.path);
    if (row.original == nullptr) return row.reason == Reason::kExplicitNull ? Nature::kOfManifest : Nature::kUnrecorded;
    if (row.modified != nullptr && SameMeaning(*row.original, *row.modified, place)) return Nature::kDrift;
    const bool as_applied = row.live != nullptr && SameMeaning(*row.original, *row.live, place);
    return as_applied ? Nature::kOfManifest : Nature::kConflict;
  }

  bool WasInThisOrder(const ReportRow& row) const {
    return KeysOf(Recorded(row.path), row.keys) == KeysOf(in_manifest_.Find(row.path), row.keys);
  }

  // --- what is named

  bool IsNamedManager(const FieldManager& manager) const {
    return std::ranges::find(wishes_.managers, manager.name) != wishes_.managers.end();
  }

  bool IsOfNamedManager(const std::vector<FieldManager>& owners) const {
    return wishes_.managers.empty() ||
           std::ranges::any_of(owners, [&](const FieldManager& owner) { return IsNamedManager(owner); });
  }

  bool IsNamedField(const FieldPath& path) const {
    const auto names = [&](const PathPattern& pattern) { return NamesFieldOf(pattern, path); };
    return wishes_.fields.empty() || std::ranges::any_of(wishes_.fields, names);
  }

  // Returns true if --field names just this field: then somebody wants it, whatever speaks against it.
  bool IsNamedExactly(const FieldPath& path) const {
    return std::ranges::any_of(wishes_.fields, [&](const PathPattern& pattern) {
      const bool plain = std::ranges::all_of(pattern, [](const auto& step) { return step.has_value(); });
      return plain && pattern.size() == path.size() && NamesFieldOf(pattern, path);
    });
  }

  bool IsNamed(const ReportRow& row) const { return IsNamedField(row.path) && IsOfNamedManager(row.managers); }

  // --- taking and leaving

  void Conflict(const ReportRow& row) {
    if (wishes_.conflicts || (prepared_.server_side && wishes_.named())) return Take(row);
    if (!prepared_.server_side) {
      return Leave(row, "conflict: the manifest was changed, too; --conflicts takes live's value");
    }
    Leave(row, StrCat("set by ", Describe(row.managers, ProcessClock().WallTime()),
                      "; the object was applied server-side, so no record tells whether the manifest was changed, too; "
                      "--conflicts, --field or --manager takes live's value"));
  }

  void Unrecorded(const ReportRow& row) {
    if (wishes_.named()) return Take(row);
    out_.not_taken.push_back({row.path, NotTaken::Why::kUnrecorded, row.managers});
  }

  const std::string& AppliedSince() {
    if (!since_) since_ = circumstances_.applied_since ? circumstances_.applied_since() : "";
    return *since_;
  }

  // The manifest was edited and not applied yet, unless somebody applied another one since.
  void OfManifest(const ReportRow& row) {
    if (IsNamedExactly(row.path)) return Take(row);
    if (!IsNamedField(row.path)) return;
    if (AppliedSince().empty()) {
      if (IsNamed(row)) out_.not_taken.push_back({row.path, NotTaken::Why::kOfManifest, row.managers});
    } else if (wishes_.conflicts || (!wishes_.managers.empty() && IsNamed(row))) {
      Take(row);
    } else {
      Leave(row, StrCat("another manifest was applied since this file was changed: by ", AppliedSince(),
                        "; --conflicts takes live's value"));
    }
  }

  void Moved(const ReportRow& row) {
    constexpr std::string_view kByHand = "move them by hand, as their comments belong to them";
    if (WasInThisOrder(row)) return Leave(row, StrCat("the items have another order in live; ", kByHand));
    if (!prepared_.original) {
      return Leave(row,
                   StrCat("the items have another order in live, and no last-applied record tells whether live or the "
                          "manifest was changed; ",
                          kByHand));
    }
    if (!AppliedSince().empty()) {
      Leave(row, StrCat("the items have another order in live, and another manifest was applied since this file was "
                        "changed: by ",
                        AppliedSince(), "; ", kByHand));
    }
  }

  void Leave(const ReportRow& row, std::string why) {
    if (IsNamed(row)) Leave(row.path, std::move(why));
  }

  void Leave(const FieldPath& path, std::string why) {
    const bool is_new = left_paths_.insert(ToString(path)).second;
    if (is_new) out_.left.push_back({path, std::move(why)});
  }

  // Returns why a change cannot be taken; "" if it can.
  std::string WhyLeft(const ReportRow& row, const FieldPath& path) const {
    if (!row.policy.empty()) return StrCat("override policy ", row.policy, " sets it; change the policy");
    if (!circumstances_.no_file.empty()) return circumstances_.no_file;
    if (!circumstances_.origin.empty() && !wishes_.force) return circumstances_.origin;
    if (IsMasked(live_, path) && !wishes_.secrets)
      return "it is a value of a Secret; --secrets writes it into the file";
    if (const auto step = in_live_.AmbiguousStep(path)) {
      return StrCat("live has several items ", ToString(path[*step]),
                    ", and it is not known which of the file's they are; change the file by hand");
    }
    const bool insists = IsNamedExactly(path) || !wishes_.managers.empty();
    return insists ? "" : WhyOfOthers(row, path);
  }

  // Returns why a value belongs to a controller rather than into a manifest; "" if it does not.
  std::string WhyOfOthers(const ReportRow& row, const FieldPath& path) const {
    const auto scaled = std::ranges::find_if(row.managers, IsOfSubresource);
    if (scaled != row.managers.end()) {
      return StrCat("last written through the subresource ", scaled->subresource, " by ", scaled->name,
                    "; remove the field from the manifest, keep live's value with --keep-live=", ToString(path),
                    ", or take it with --field ", ToString(path));
    }
    if (IsReplicas(path) && row.live != nullptr && !owners_.recorded()) {
      return "live has no managedFields, so it is not known whether an autoscaler wrote it; --field spec.replicas "
             "takes "
             "it";
    }
    const std::string_view name = path.back().name;
    if (name == kRestartedAt && row.modified == nullptr) return WhyRestart(path);
    if (name == "caBundle" && !std::ranges::all_of(row.managers, IsOfPerson)) {
      return StrCat("a certificate that a controller injects; --field ", ToString(path), " takes it");
    }
    return "";
  }

  static std::string WhyRestart(const FieldPath& path) {
    return StrCat("kubectl rollout restart wrote it to restart the Pods once; --field '", ToString(path), "' takes it");
  }

  void Take(const ReportRow& row) {
    if (IsNamed(row)) return TakeAnyway(row);
    if (row.live == nullptr && row.managers.empty() && IsNamedField(row.path)) {
      out_.not_taken.push_back({row.path, NotTaken::Why::kRemovedByNobody, {}});
    }
    const bool is_null = row.modified != nullptr && row.modified->is_null();
    if ((!is_null && !IsCleared(row)) || !IsOfNamedManager(row.managers)) return;
    // A part of what apply would remove as a whole.
    for (const PathPattern& pattern : wishes_.fields) {
      const std::optional<FieldPath> path = PathIn(in_live_, pattern);
      if (path && path->size() > row.path.size() && std::equal(row.path.begin(), row.path.end(), path->begin())) {
        Take(row, *path, writer_.Written(*in_live_.Find(*path), nullptr, PlaceAt(kind_, *path)));
      }
    }
  }

  void TakeAnyway(const ReportRow& row) {
    std::optional<Value> value;
    if (row.live != nullptr) value = writer_.Written(*row.live, row.modified, PlaceAt(kind_, row.path));
    Take(row, row.path, value);
  }

  void Take(const ReportRow& row, const FieldPath& path, std::optional<Value> value) {
    if (taken_paths_.contains(ToString(path))) return;
    if (std::string why = WhyLeft(row, path); !why.empty()) return Leave(path, std::move(why));
    taken_paths_.insert(ToString(path));
    Change change = {path, value};
    change.owners = row.managers;
    if (IsItem(path.back())) {
      const Value* list = in_live_.Find(Parent(path));
      change.live_list = list != nullptr && list->is_array() ? list : nullptr;
    }
    out_.changes.push_back(std::move(change));
  }

  // --- what only live has

  void Added(const ReportRow& row) {
    if (IsFinalizers(row.path)) return AddedElements(*row.live, row.path, [](const Value&) { return true; });
    if (wishes_.fields.empty()) return Added(row, row.path);
    for (const PathPattern& pattern : wishes_.fields) {
      if (NamesFieldOf(pattern, row.path)) return Added(row, row.path);
      const std::optional<FieldPath> path = PathIn(in_live_, pattern);
      if (path && path->size() > row.path.size() && std::equal(row.path.begin(), row.path.end(), path->begin())) {
        Added(row, *path);
      }
    }
  }

  void Added(const ReportRow& row, const FieldPath& path) {
    const std::optional<Value> value = Addition(path);
    const Value* whole = in_live_.Find(path);
    const std::optional<FieldPath> restart = whole == nullptr ? std::nullopt : RestartIn(*whole, path);
    const bool asked = wishes_.added || wishes_.named();
    if (restart && asked && AreWanted(PositionAt(*restart).Setters())) Leave(*restart, WhyRestart(*restart));
    if (!value) return;
    if (wishes_.added || wishes_.named()) return Take(row, path, value);
    if (WhyLeft(row, path).empty()) out_.not_taken.push_back({path, NotTaken::Why::kOnlyInLive, row.managers});
  }

  // Returns what live has at the path and a manifest may have; nullopt if there is nothing.
  std::optional<Value> Addition(const FieldPath& path) {
    const Value* value = in_form_.Find(path);
    if (value == nullptr) return {};
    const bool insists = IsNamedExactly(path) && wishes_.managers.empty();
    const std::optional<Value> part = insists ? *value : PartOfOthers(*value, PositionAt(path));
    if (!part) return {};
    const Place place = PlaceAt(kind_, path);
    if (!IsItem(path.back()) && CountsAsAbsent(*part, place)) return {};
    const Value* map = in_live_.Find(Parent(path));
    const bool is_member = map != nullptr && map->is_object();
    if (!insists && is_member && writer_.IsSetByServer(*map, path.back().name, PlaceAt(kind_, Parent(path)))) return {};
    const Value written = writer_.Written(*part, nullptr, place);
    const bool emptied = !written.is_scalar() && written.empty() && !part->empty();
    return emptied ? std::nullopt : std::optional(written);
  }

  Position PositionAt(const FieldPath& path) const {
    Position at = owners_.root();
    FieldPath above;
    for (const PathStep& step : path) {
      above.push_back(step);
      const Value* value = in_live_.Find(above);
      if (value == nullptr) return at.Nowhere();
      at = step.kind == PathStep::Kind::kField     ? at.Field(step.name)
           : step.kind == PathStep::Kind::kElement ? at.Element(*value)
                                                   : at.Item(*value);
    }
    return at;
  }

  bool IsWanted(const FieldManager& manager) const {
    if (!wishes_.managers.empty()) return IsNamedManager(manager);
    return !IsOfSubresource(manager) && explain::IsOfOthers(manager);
  }

  bool AreWanted(const std::vector<FieldManager>& managers) const {
    return std::ranges::any_of(managers, [&](const FieldManager& manager) { return IsWanted(manager); });
  }

  // Returns what wanted managers set: of a map the members that they hold, of a list that is merged the items, anything else
  // as a whole. nullopt: nothing. The recursion is bounded by the parser's kMaxDepth.
  std::optional<Value> PartOfOthers(const Value& value, const Position& at) {
    if (!AreWanted(at.Setters())) return {};
    if (value.is_scalar() || value.empty()) return value;
    if (value.is_array()) return ItemsOfOthers(value, at);
    std::vector<Member> members;
    for (const Member& m : value.Members()) {
      const std::optional<Value> part = PartOfOthers(m.value, at.Field(m.name));
      if (part) members.push_back({m.name, *part});
    }
    if (members.empty()) return {};
    return arena_.SortedObject(members);
  }

  std::optional<Value> ItemsOfOthers(const Value& list, const Position& at) {
    if (at.KeyNames().empty()) return list;
    std::vector<Value> items;
    for (const Value& item : list.Items()) {
      if (const auto part = PartOfOthers(item, at.Item(item))) items.push_back(*part);
    }
    if (items.empty()) return {};
    return arena_.Array(items);
  }

  // --- elements of sets, which have no rows if only live has them

  // The recursion is bounded by the depth of the plan.
  void ForeignElements(const PlanNode& node, const FieldPath& path) {
    if (node.shape == Shape::kElements && node.live != nullptr && node.live->is_array()) {
      const auto is_in = [](const Value* list, const Value& element) {
        const auto items = list != nullptr && list->is_array() ? list->Items() : std::span<const Value>();
        return std::ranges::find(items, element) != items.end();
      };
      AddedElements(*node.live, path, [&](const Value& element) {
        return !is_in(node.modified, element) && !is_in(node.original, element);
      });
    }
    for (const PlanNode& child : node.children) ForeignElements(child, Below(path, StepTo(node, child)));
  }

  template <class IsForeign>
  void AddedElements(const Value& list, const FieldPath& path, IsForeign is_foreign) {
    for (const Value& element : list.is_array() ? list.Items() : std::span<const Value>()) {
      if (element.is_scalar() && is_foreign(element)) AddedElement(element, Below(path, PathStep::Element(element)));
    }
  }

  void AddedElement(const Value& element, const FieldPath& path) {
    ReportRow row;
    row.path = path;
    row.live = &element;
    row.managers = PositionAt(path).Setters();
    const bool insists = IsNamedExactly(path) || IsNamedExactly(Parent(path));
    const bool of_controllers = !row.managers.empty() && std::ranges::all_of(row.managers, IsController);
    const bool of_others = AreWanted(row.managers) && (!of_controllers || !wishes_.managers.empty());
    if (!insists && (!of_others || explain::IsItemSetAnew(element))) return;
    if (wishes_.added || wishes_.named()) {
      if (IsNamed(row)) Take(row, path, element);
    } else if (WhyLeft(row, path).empty()) {
      out_.not_taken.push_back({path, NotTaken::Why::kOnlyInLive, row.managers});
    }
  }

  // --- what follows

  // An alternative that the manifest's one would clear: it comes into the manifest with whatever goes out of it.
  void Follower(const ReportRow& row) {
    if (NatureOf(row) != Nature::kFollows || row.live == nullptr || row.path.empty()) return;
    const FieldPath parent = Parent(row.path);
    const bool follows = std::ranges::any_of(out_.changes, [&](const Change& change) {
      return change.path.size() == row.path.size() && Parent(change.path) == parent;
    });
    const Value* value = in_form_.Find(row.path);
    if (!follows || value == nullptr || CountsAsAbsent(*value, PlaceAt(kind_, row.path))) return;
    const Value written = writer_.Written(*value, nullptr, PlaceAt(kind_, row.path));
    if (!written.is_scalar() && written.empty() && !value->empty()) return;
    Take(row, row.path, written);
  }

  // --- what belongs together

  // An item that goes, and one that comes in the same list, may be one whose key was changed. Half of that would be wrong.
  void TakeTogether() {
    Renames renames(in_live_, in_manifest_, kind_);
    for (const ReportRow& row : report_.rows) {
      const bool taken = taken_paths_.contains(ToString(row.path));
      const bool gone = row.live == nullptr && (taken || NatureOf(row) == Nature::kDrift);
      if (gone) renames.AddRemoved(row.path, row.modified);
      if (NatureOf(row) == Nature::kAdded || (taken && row.modified == nullptr)) renames.AddNew(row.path, row.live);
      if (!taken && row.live == nullptr && IsUndecided(row)) {
        renames.AddKept(row.path, row.original != nullptr ? row.original : row.modified);
      }
    }
    LeaveRenamed(renames);
    for (const Change& change : out_.changes) renames.AddTaken(change.path);
    for (const ReportRow& row : report_.rows) {
      if (!IsNamedField(row.path) || taken_paths_.contains(ToString(row.path))) continue;
      if (!renames.HasTakenPartner(row.path)) continue;
      if (NatureOf(row) == Nature::kDrift && row.live == nullptr) TakeAnyway(row);
      const std::optional<Value> value = NatureOf(row) == Nature::kAdded ? Addition(row.path) : std::nullopt;
      if (value) Take(row, row.path, value);
      if (taken_paths_.contains(ToString(row.path))) renames.AddTaken(row.path);
    }
    std::erase_if(out_.not_taken, [&](const NotTaken& one) { return taken_paths_.contains(ToString(one.path)); });
    for (Left& left : renames.Combine(out_.changes, writer_, owners_.recorded())) Leave(left.path, std::move(left.why));
  }

  bool IsUndecided(const ReportRow& row) const {
    return NatureOf(row) == Nature::kConflict || NatureOf(row) == Nature::kUnrecorded;
  }

  // With the new item alone, the file would have the old one twice.
  void LeaveRenamed(const Renames& renames) {
    const std::map<std::string, FieldPath> kept = renames.MayBeKept();
    if (kept.empty()) return;
    const auto may_be_kept = [&](const auto& one) {
      return kept.contains(ToString(one.path)) && !IsNamedExactly(one.path);
    };
    const auto leave = [&](const auto& one) {
      const std::string text = ToString(one.path);
      taken_paths_.erase(text);
      Leave(one.path,
            StrCat("it may be ", ToString(kept.at(text)), " under another name, which is left; ",
                   prepared_.original ? "--conflicts" : StrCat("--field ", ToString(Parent(one.path))), " takes both"));
    };
    std::ranges::for_each(out_.changes | std::views::filter(may_be_kept), leave);
    std::ranges::for_each(out_.not_taken | std::views::filter(may_be_kept), leave);
    std::erase_if(out_.changes, may_be_kept);
    std::erase_if(out_.not_taken, may_be_kept);
  }

  const apply::Prepared& prepared_;
  const explain::ObjectReport& report_;
  const Circumstances& circumstances_;
  const Wishes& wishes_;
  const explain::KindOfObject kind_;
  const Value& live_;
  const Document form_;
  const PathFinder in_live_, in_form_, in_manifest_;
  std::optional<PathFinder> in_record_;
  const FieldOwners owners_;
  Arena arena_;
  const ValueWriter writer_;
  std::set<std::string> changed_maps_;  // those with a member that differs by itself
  std::optional<std::string> since_;    // what applied_since says
  std::set<std::string> taken_paths_;   // of out_.changes
  std::set<std::string> left_paths_;    // of out_.left
  Choice out_;
};

}  // namespace

bool NamesFieldOf(const PathPattern& pattern, const FieldPath& path) {
  return pattern.size() <= path.size() && std::equal(pattern.begin(), pattern.end(), path.begin(), NamesStep);
}

Choice Choose(const apply::Prepared& prepared, const explain::ObjectReport& report, const Circumstances& circumstances,
              const Wishes& wishes) {
  return Chooser(prepared, report, circumstances, wishes).Choose();
}

}  // namespace smp::pull
