#include "pull/choice.h"

#include <algorithm>
#include <map>
#include <utility>

#include "apply/manifest_form.h"
#include "base/strings.h"
#include "explain/of_others.h"
#include "pull/written_value.h"
#include "smp/meaning.h"
#include "value/json.h"
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
  kAdded,       // only live has it
  kFollows,     // it goes or comes with another change of the same map
  kMoved,       // the items of a list have another order
  kNone,        // what the manifest changes
};

FieldPath Parent(FieldPath path) {
  path.pop_back();
  return path;
}

bool NamesStep(const std::optional<PathStep>& wanted, const PathStep& step) {
  if (!wanted || *wanted == step) return true;
  if (wanted->kind == PathStep::Kind::kField && step.kind == PathStep::Kind::kElement) {
    return step.element == WriteJson(Value::UnownedString(wanted->name));
  }
  if (wanted->kind != PathStep::Kind::kKey || step.kind != PathStep::Kind::kKey) return false;
  return std::ranges::all_of(wanted->keys,
                             [&](const auto& key) { return std::ranges::find(step.keys, key) != step.keys.end(); });
}

// Returns the path that the pattern names; nullopt if it has wildcards.
std::optional<FieldPath> WithoutWildcards(const PathPattern& pattern) {
  FieldPath out;
  for (const auto& step : pattern) {
    if (!step) return std::nullopt;
    out.push_back(*step);
  }
  return out;
}

bool IsStep(const PathStep& step, PathStep::Kind kind) { return step.kind == kind; }
bool IsItem(const PathStep& step) { return !IsStep(step, PathStep::Kind::kField); }

Place PlaceAt(const Schema& schema, TypeId type, const FieldPath& path) {
  Place place = PlaceOfObject(schema, type);
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

class Chooser {
 public:
  Chooser(const apply::Prepared& prepared, const explain::ObjectReport& report, const std::string& origin,
          const Wishes& wishes)
      : prepared_(prepared),
        report_(report),
        origin_(origin),
        wishes_(wishes),
        live_(prepared.live->root()),
        form_(apply::ManifestForm(*prepared.live, *prepared.schema, prepared.resource.type)),
        owners_(live_) {}

  Choice Choose() {
    for (const ReportRow& row : report_.rows) Row(row);
    for (const ReportRow& row : report_.rows) Follower(row);
    arena_.Retain(form_);
    out_.memory = Document(std::move(arena_), Value());
    return std::move(out_);
  }

 private:
  void Row(const ReportRow& row) {
    switch (NatureOf(row)) {
      case Nature::kDrift: return Take(row);
      case Nature::kConflict: return Conflict(row);
      case Nature::kUnrecorded: return wishes_.named() ? Take(row) : void();
      case Nature::kAdded: return wishes_.added || wishes_.named() ? Added(row) : void();
      case Nature::kMoved:
        return Leave(row, "the items have another order in live; move them by hand, as their comments belong to them");
      case Nature::kFollows:
      case Nature::kNone: return;
    }
  }

  Nature NatureOf(const ReportRow& row) const {
    switch (row.reason) {
      case Reason::kDrift: return Nature::kDrift;
      case Reason::kConflict: return Nature::kConflict;
      case Reason::kAtomic:
      case Reason::kRestored: return ByRecord(row);
      case Reason::kOwned: return Nature::kUnrecorded;
      case Reason::kChanged: return prepared_.server_side ? Nature::kUnrecorded : Nature::kNone;
      case Reason::kLiveOnly:
      case Reason::kGivenUp: return Nature::kAdded;
      case Reason::kUnion:
      case Reason::kRetainKeys: return Nature::kFollows;
      case Reason::kSetAdded: return Recorded(row.path) != nullptr ? Nature::kDrift : Nature::kNone;
      case Reason::kReordered: return WasInThisOrder(row) ? Nature::kMoved : Nature::kNone;
      default: return Nature::kNone;
    }
  }

  const Value* Recorded(const FieldPath& path) const {
    return prepared_.original ? ValueAt(prepared_.original->root(), path) : nullptr;
  }

  // Live was changed. Was the manifest, too?
  Nature ByRecord(const ReportRow& row) const {
    if (row.original == nullptr) return Nature::kUnrecorded;
    const bool same = row.modified != nullptr && SameMeaning(*row.original, *row.modified, PlaceOfRow(row));
    return same ? Nature::kDrift : Nature::kConflict;
  }

  Place PlaceOfRow(const ReportRow& row) const { return PlaceAt(*prepared_.schema, prepared_.resource.type, row.path); }

  bool WasInThisOrder(const ReportRow& row) const {
    return KeysOf(Recorded(row.path), row.keys) == KeysOf(ValueAt(prepared_.desired.root(), row.path), row.keys);
  }

  // --- what is named

  bool IsOfNamedManager(const std::vector<FieldManager>& owners) const {
    return wishes_.managers.empty() || std::ranges::any_of(owners, [&](const FieldManager& owner) {
             return std::ranges::find(wishes_.managers, owner.name) != wishes_.managers.end();
           });
  }

  bool IsNamed(const ReportRow& row) const {
    const auto names = [&](const PathPattern& pattern) { return NamesFieldOf(pattern, row.path); };
    return (wishes_.fields.empty() || std::ranges::any_of(wishes_.fields, names)) && IsOfNamedManager(row.managers);
  }

  // --- taking and leaving

  void Conflict(const ReportRow& row) {
    if (wishes_.conflicts) return Take(row);
    Leave(row, "conflict: the manifest was changed, too; --conflicts takes live's value");
  }

  void Leave(const ReportRow& row, std::string why) {
    if (IsNamed(row)) out_.left.push_back({row.path, std::move(why)});
  }

  // Returns why a change cannot be taken; "" if it can.
  std::string WhyLeft(const ReportRow& row, const FieldPath& path) const {
    if (!row.policy.empty()) return StrCat("override policy ", row.policy, " sets it; change the policy");
    if (!origin_.empty()) return origin_;
    if (IsMasked(live_, path) && !wishes_.secrets)
      return "it is a value of a Secret; --secrets writes it into the file";
    const auto scaled = std::ranges::find_if(row.managers, IsOfSubresource);
    if (scaled == row.managers.end()) return "";
    return StrCat("last written through the subresource ", scaled->subresource, " by ", scaled->name,
                  "; remove the field from the manifest, or keep live's value with --keep-live=", ToString(path));
  }

  void Take(const ReportRow& row) {
    if (!IsNamed(row)) return;
    std::optional<Value> value;
    if (row.live != nullptr) value = WrittenValue(*row.live, row.modified, PlaceOfRow(row), arena_);
    Take(row, row.path, value);
  }

  void Take(const ReportRow& row, const FieldPath& path, std::optional<Value> value) {
    if (std::string why = WhyLeft(row, path); !why.empty()) {
      out_.left.push_back({path, std::move(why)});
      return;
    }
    Change change = {path, value};
    change.owners = row.managers;
    if (IsItem(path.back())) {
      const Value* list = ValueAt(live_, Parent(path));
      change.live_list = list != nullptr && list->is_array() ? list : nullptr;
      for (const auto& [name, key] : path.back().keys) change.keys.push_back(name);
    }
    out_.changes.push_back(std::move(change));
  }

  // --- what only live has

  void Added(const ReportRow& row) {
    if (wishes_.fields.empty()) return Added(row, row.path);
    for (const PathPattern& pattern : wishes_.fields) {
      if (NamesFieldOf(pattern, row.path)) return Added(row, row.path);
      const std::optional<FieldPath> path = WithoutWildcards(pattern);
      if (path && path->size() > row.path.size() && std::equal(row.path.begin(), row.path.end(), path->begin())) {
        Added(row, *path);
      }
    }
  }

  void Added(const ReportRow& row, const FieldPath& path) {
    const Value* value = ValueAt(form_.root(), path);
    if (value == nullptr) return;
    const std::optional<Value> part = PartOfOthers(*value, PositionAt(path));
    if (!part) return;
    const Place place = PlaceAt(*prepared_.schema, prepared_.resource.type, path);
    if (!IsItem(path.back()) && CountsAsAbsent(*part, place)) return;
    const Value written = WrittenValue(*part, nullptr, place, arena_);
    if (!written.is_scalar() && written.empty() && !part->empty()) return;
    Take(row, path, written);
  }

  Position PositionAt(const FieldPath& path) const {
    Position at = owners_.root();
    const Value* value = &live_;
    for (const PathStep& step : path) {
      value = value == nullptr ? nullptr : ValueAt(*value, {step});
      if (value == nullptr) return at.Nowhere();
      at = step.kind == PathStep::Kind::kField     ? at.Field(step.name)
           : step.kind == PathStep::Kind::kElement ? at.Element(*value)
                                                   : at.Item(*value);
    }
    return at;
  }

  bool IsWanted(const FieldManager& manager) const {
    if (IsOfSubresource(manager)) return false;
    return wishes_.managers.empty() ? explain::IsOfOthers(manager) : IsOfNamedManager({manager});
  }

  // Returns what wanted managers set: of a map the members that they hold, anything else as a whole. nullopt: nothing.
  // The recursion is bounded by the parser's kMaxDepth.
  std::optional<Value> PartOfOthers(const Value& value, const Position& at) {
    const std::vector<FieldManager> holders = at.Nearest();
    if (std::ranges::none_of(holders, [&](const FieldManager& manager) { return IsWanted(manager); })) return {};
    if (!value.is_object() || value.empty()) return value;
    std::vector<Member> members;
    for (const Member& m : value.Members()) {
      const std::optional<Value> part = PartOfOthers(m.value, at.Field(m.name));
      if (part) members.push_back({m.name, *part});
    }
    if (members.empty()) return {};
    return arena_.SortedObject(members);
  }

  // --- what follows

  // An alternative that the manifest's one would clear: it comes into the manifest with whatever goes out of it.
  void Follower(const ReportRow& row) {
    if (NatureOf(row) != Nature::kFollows || row.live == nullptr || row.path.empty()) return;
    const FieldPath parent = Parent(row.path);
    const bool follows = std::ranges::any_of(out_.changes, [&](const Change& change) {
      return change.path.size() == row.path.size() && Parent(change.path) == parent;
    });
    const Value* value = ValueAt(form_.root(), row.path);
    if (!follows || value == nullptr || CountsAsAbsent(*value, PlaceOfRow(row))) return;
    const Value written = WrittenValue(*value, nullptr, PlaceOfRow(row), arena_);
    if (!written.is_scalar() && written.empty() && !value->empty()) return;
    Take(row, row.path, written);
  }

  const apply::Prepared& prepared_;
  const explain::ObjectReport& report_;
  const std::string& origin_;
  const Wishes& wishes_;
  const Value& live_;
  const Document form_;
  const FieldOwners owners_;
  Arena arena_;
  Choice out_;
};

}  // namespace

bool NamesFieldOf(const PathPattern& pattern, const FieldPath& path) {
  return pattern.size() <= path.size() && std::equal(pattern.begin(), pattern.end(), path.begin(), NamesStep);
}

Choice Choose(const apply::Prepared& prepared, const explain::ObjectReport& report, const std::string& origin,
              const Wishes& wishes) {
  return Chooser(prepared, report, origin, wishes).Choose();
}

}  // namespace smp::pull
