#include "explain/rows.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/message.h"
#include "explain/privileges.h"
#include "explain/record.h"
#include "explain/set_anew.h"
#include "schema/facts/allocated.h"
#include "smp/list_changes.h"
#include "smp/meaning.h"
#include "value/metadata.h"
#include "value/redact.h"

namespace smp::explain {

namespace {

bool IsAnnotations(const FieldPath& path) {
  return path.size() == 2 && path[0].name == "metadata" && path[1].name == "annotations";
}

// Returns true for fields that the server manages, which are neither written in manifests nor worth explaining.
bool IsServerManaged(const FieldPath& path) {
  if (path.size() == 1) return path[0].name == "status";
  if (path.empty() || path[0].name != "metadata") return false;
  if (path.size() == 3) return path[1].name == "annotations" && path[2].name == kTemplateGenerationAnnotation;
  return path.size() == 2 && (path[1].name == "namespace" || IsServerMetadata(path[1].name));
}

std::string MergeName(ListMerge merge) {
  switch (merge) {
    case ListMerge::kAtomic: return "atomic";
    case ListMerge::kSet: return "set";
    case ListMerge::kKeyed: return "merge";
  }
  return {};
}

// Returns how the server patches the field, in the words of the API conventions.
std::string StrategyOf(const PlanNode& node) {
  const Field* field = node.field;
  if (field == nullptr) return {};
  std::vector<std::string> words;
  if (field->is_list) words.push_back(MergeName(field->patch.list));
  if (field->patch.replace && !field->is_list) words.push_back("replace");
  if (field->patch.retain_keys) words.push_back("retainKeys");
  return Join(words, ",");
}

// Returns the value that live will have; nullptr if it is deleted, or if the server chooses it.
const Value* OutcomeValue(const PlanNode& node, RowOp op) {
  if (op == RowOp::kKeep) return node.live;
  if (op != RowOp::kSet) return nullptr;
  if (node.reason == Reason::kServer) return node.stored;
  return node.stored != nullptr ? node.stored : node.modified;
}

// A null in last-applied set no value (smp/decide.h).
bool DiffersFrom(const Value* original, const Value* other, const Place& place) {
  return original != nullptr && !original->is_null() && other != nullptr && !SameMeaning(*original, *other, place);
}

class Reporter {
 public:
  Reporter(ObjectReport& report, const Document& modified, const LiveFacts& live, const ReportOptions& options)
      : report_(report), modified_(modified), live_(live), options_(options) {}

  // The rows of a plan, then those of what is kept.
  void Rows(const Plan& plan, const std::vector<KeptField>& kept) {
    Node(plan.root, plan.root, {}, live_.owners.root());
    for (const KeptField& field : kept) Add(KeptRow(field));
    for (const FieldsOfManager& fields : privileges_) {
      report_.warnings.push_back(PrivilegeWarning(fields, options_.now));
      report_.privileges.insert(report_.privileges.end(), fields.paths.begin(), fields.paths.end());
    }
    report_.keep_alive.push_back(Document(std::move(arena_), Value()));
  }

 private:
  using Position = FieldOwners::Position;

  void Node(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at) {
    switch (node.op) {
      case Op::kNone: return;
      case Op::kKeep: return Keep(node, parent, path, at);
      case Op::kSet: return Set(node, parent, path, at);
      // A default that the server sets again is a value like any other.
      case Op::kDelete: return Delete(node, parent, path, at);
      case Op::kPatch: return Patch(node, path, at);
    }
  }

  void Delete(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at) {
    if (live_.recreated && node.reason == Reason::kServer && !MayBeOfAnother(at) && ComesAgain(node, parent)) return;
    if (live_.recreated && node.stored == nullptr && AreLabels(path, node)) return DeleteLabels(node, parent, path, at);
    Add(Row(node, parent, path, at, node.stored == nullptr ? RowOp::kDelete : RowOp::kSet));
  }

  static bool AreLabels(const FieldPath& path, const PlanNode& node) {
    return path.size() == 2 && path[0].name == "metadata" && path[1].name == "labels" && node.live != nullptr &&
           node.live->is_object();
  }

  // Of all labels that a recreated object loses, the server sets some again, such as those of a Job: the others have rows of their own.
  void DeleteLabels(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at) {
    const Place place = PlaceOfNode(node, parent, *live_.schema);
    const auto comes_again = [&](const Member& label) {
      return IsSetAnew(label.value, label.name, place.type, PlaceOfMember(place, label.name), modified_.root());
    };
    ReportRow all = Row(node, parent, path, at, RowOp::kDelete);
    if (std::ranges::none_of(node.live->Members(), comes_again)) return Add(std::move(all));
    for (const Member& label : node.live->Members()) {
      if (comes_again(label)) continue;
      ReportRow row = all;
      row.path.push_back(PathStep::Field(std::string(label.name)));
      row.live = &label.value;
      Add(std::move(row));
    }
  }

  // REQUIRES: only live has it, and the object is recreated.
  bool ComesAgain(const PlanNode& node, const PlanNode& parent) const {
    const Place place = PlaceOfNode(node, parent, *live_.schema);
    return parent.shape == Shape::kItems ? IsItemSetAnew(*node.live)
                                         : IsSetAnew(*node.live, node.name, parent.type, place, modified_.root());
  }

  // Returns true if another manager than kubectl and ours owns it, or nothing is known of owners.
  bool MayBeOfAnother(const Position& at) const {
    const std::vector<FieldManager> owners = at.Nearest();
    return !live_.owners.recorded() || std::any_of(owners.begin(), owners.end(), IsOfOthers);
  }

  void Keep(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at) {
    if (live_.recreated) return;  // the server sets it again
    if (IsServerManaged(path) || IsLastAppliedAnnotation(path)) {
      ++report_.hidden.noise;
      return;
    }
    const bool given_up = node.reason == Reason::kGivenUp;  // its row names the owners
    const bool of_others = !given_up && AddFieldsOfOthers(*node.live, path, at, ValuesOfOthers(), report_.of_others);
    if (of_others || given_up) AddPrivileges(node, parent, path, at);
    if (options_.show != Show::kLiveOnly && !given_up) {
      ++report_.hidden.live_only;
      report_.kept_of_others += of_others ? 1 : 0;
      return;
    }
    Add(Row(node, parent, path, at, RowOp::kKeep));
  }

  void AddPrivileges(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at) {
    const bool is_item = parent.shape == Shape::kItems;
    const Field* list = !is_item && node.field != nullptr && node.field->is_list ? node.field : nullptr;
    const KeptPlace place =
        is_item ? KeptPlace{kNoType, parent.type, nullptr} : KeptPlace{parent.type, node.type, list};
    AddPrivilegesOfOthers(*node.live, place, *live_.schema, path, at, privileges_);
  }

  // Shows annotations that are set as a whole one by one, so that the last-applied one can be hidden, and masked maps,
  // so that their keys can be seen.
  void Set(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at) {
    const Value* set = node.modified != nullptr ? node.modified : node.stored;
    const bool apart = IsAnnotations(path) || Masks(path);
    if (!apart || set == nullptr || !set->is_object() || set->empty()) {
      Add(Row(node, parent, path, at, RowOp::kSet));
      return Children(node, path, at);
    }
    for (const Member& m : set->Members()) {
      PlanNode child;
      child.op = Op::kSet;
      child.reason = node.reason;
      if (node.modified != nullptr) child.modified = &m.value;
      const Value* stored = node.stored == nullptr ? nullptr : node.stored->Find(m.name);
      child.stored = SameOrBothAbsent(stored, child.modified) ? nullptr : stored;
      FieldPath below = path;
      below.push_back(PathStep::Field(m.name));
      Set(child, node, below, at.Field(m.name));
    }
    for (const PlanNode& child : node.children) {
      if (set->Find(child.name) == nullptr) Child(child, node, path, at);
    }
  }

  void Patch(const PlanNode& node, const FieldPath& path, const Position& at) {
    if (node.moved) Add(MoveRow(node, path));
    const std::vector<const Value*> removed = RemovedElements(node);
    auto next = removed.begin();
    for (const Value* element : node.adds) {
      const bool was_applied = next != removed.end() && *next == element;
      if (was_applied) ++next;
      Element(node, path, at, *element, RowOp::kSet, was_applied ? Reason::kRestored : Reason::kSetAdded);
    }
    for (const Value* element : node.removes) Element(node, path, at, *element, RowOp::kDelete, Reason::kSetRemoved);
    Children(node, path, at);
  }

  void Children(const PlanNode& node, const FieldPath& path, const Position& at) {
    for (const PlanNode& child : node.children) Child(child, node, path, at);
  }

  void Child(const PlanNode& child, const PlanNode& parent, FieldPath path, const Position& at) {
    path.push_back(StepTo(parent, child));
    Node(child, parent, path, StepTo(at, parent, child));
  }

  void Element(const PlanNode& list, FieldPath path, const Position& at, const Value& element, RowOp op,
               Reason reason) {
    path.push_back(PathStep::Element(element));
    PlanNode node;
    node.reason = reason;
    node.field = list.field;
    (op == RowOp::kSet ? node.modified : node.live) = &element;
    if (reason == Reason::kRestored) node.original = &element;
    Add(Row(node, list, path, at.Element(element), op));
  }

  // Has what all rows of the field have.
  ReportRow RowAt(const PlanNode& node, const FieldPath& path) const {
    ReportRow row;
    row.path = path;
    row.strategy = StrategyOf(node);
    const bool keyed = node.field != nullptr && node.field->patch.list == ListMerge::kKeyed;
    if (keyed) row.keys = node.field->identity_keys;
    if (node.modified != nullptr) row.source = modified_.SourceOf(node.modified);
    return row;
  }

  // The message names the items; whole lists would only hide them.
  ReportRow MoveRow(const PlanNode& list, const FieldPath& path) const {
    ReportRow row = RowAt(list, path);
    row.op = RowOp::kMove;
    row.reason = Reason::kReordered;
    row.order = ItemOrder(list);
    row.drifted = live_.schema != nullptr && IsReorderedInLive(list, *live_.schema);
    row.message = ReorderMessage(row.order);
    return row;
  }

  ReportRow Row(const PlanNode& node, const PlanNode& parent, const FieldPath& path, const Position& at,
                RowOp op) const {
    ReportRow row = RowAt(node, path);
    Evidence evidence = EvidenceOf(node, parent, at);
    row.op = op;
    row.reason = node.reason;
    row.message = MessageFor(node, parent, evidence);
    row.managers = std::move(evidence.owners);
    if (node.reason == Reason::kOwned) AddOthersOf(evidence.of_other_versions, row.managers);
    row.drifted = evidence.drifted;
    row.stored_otherwise = evidence.stored_otherwise;
    row.may_have_lost_parts = evidence.may_have_lost_parts;
    row.original = node.original;
    row.live = node.live;
    // With kDuplicate, the outcome is kubectl's, and the plan does not know the manifest's value.
    if (node.reason != Reason::kDuplicate) row.modified = node.modified;
    row.outcome = OutcomeValue(node, op);
    row.shows_outcome = node.shows_stored || node.reason == Reason::kServer;
    return row;
  }

  ReportRow KeptRow(const KeptField& field) const {
    ReportRow row;
    row.path = field.path;
    row.op = RowOp::kKeep;
    row.reason = Reason::kKeepLive;
    row.message =
        KeptMessage(field, {.owners = field.owners, .recorded = live_.owners.recorded(), .now = options_.now});
    row.managers = field.owners;
    row.original = field.original;
    row.live = row.outcome = field.live;
    row.modified = field.modified;
    if (field.modified != nullptr) row.source = modified_.SourceOf(field.modified);
    return row;
  }

  // In the template of a Pod or claim, a person chooses what the server would.
  bool ChosenByServer(const PlanNode& node, const PlanNode& parent) const {
    const Schema& schema = *live_.schema;
    if (parent.shape == Shape::kItems || parent.type == kNoType) return false;
    return IsAllocated(schema, parent.type, node.name) && !IsOfTemplate(schema.type(parent.type), report_.kind);
  }

  static bool AnyOfOthers(const std::vector<OtherVersionManager>& of_other_versions) {
    return std::ranges::any_of(of_other_versions, [](const OtherVersionManager& of) { return IsOfOthers(of.manager); });
  }

  Evidence EvidenceOf(const PlanNode& node, const PlanNode& parent, const Position& at) const {
    Evidence out = {.recorded = live_.owners.recorded(),
                    .last_applied = live_.last_applied,
                    .answered = live_.answered,
                    .recreated = live_.recreated,
                    .sent_as = live_.sent_as,
                    .now = options_.now};
    if (live_.schema == nullptr) return out;
    const Place place = PlaceOfNode(node, parent, *live_.schema);
    out.drifted = DiffersFrom(node.original, node.live, place);
    out.edited = DiffersFrom(node.original, node.modified, place);
    out.stored = node.original != nullptr && !MeansNothing(*node.original, place);
    if (node.live == nullptr) {
      out.owners = at.Owners();  // of a null
      return out;
    }
    out.owners = at.Nearest();
    out.stored_otherwise = ServerStoredOtherwise(node, out.owners, place.storage);
    const std::vector<FieldManager> setters = at.Setters();
    const bool is_whole = !node.live->is_scalar() && node.shape == Shape::kLeaf && place.storage == Storage::kAsWritten;
    out.may_have_lost_parts = out.recorded && is_whole && (at.IsListed() || setters.empty());
    out.applied = std::any_of(setters.begin(), setters.end(), IsOfApply);
    // Scaling to 0 leaves no manager. An entry of a map, such as a label, has no default.
    out.unset = out.recorded && setters.empty() && node.field != nullptr && !IsZero(*node.live);
    // A default may have been set through another version, where it has another name: the metrics of an autoscaler.
    const bool has_other_name = !node.live->is_scalar() || node.name == "targetCPUUtilizationPercentage";
    const bool may_be_set = out.unset && has_other_name && AnyOfOthers(live_.owners.of_other_versions());
    out.is_default = !may_be_set && IsDefault(*node.live, place);
    out.is_allocated = ChosenByServer(node, parent);
    if (out.unset && !out.is_default && !out.is_allocated) out.of_other_versions = live_.owners.of_other_versions();
    return out;
  }

  static void AddOthersOf(const std::vector<OtherVersionManager>& of_other_versions, std::vector<FieldManager>& out) {
    for (const auto& [manager, _] : of_other_versions) {
      if (IsOfOthers(manager)) out.push_back(manager);
    }
  }

  void Add(ReportRow row) {
    if (row.reason == Reason::kServer && IsServerManaged(row.path)) return void(++report_.hidden.noise);
    if (RemovesOnlyLastApplied(row)) return void(++report_.hidden.noise);
    if (IsLastAppliedAnnotation(row.path)) {
      if (report_.action != Action::kRecord) return void(++report_.hidden.noise);
      row.reason = row.live == nullptr ? Reason::kAdded : Reason::kChanged;
      row.message = RecordMessage(row.live, row.outcome);
    }
    if (Masks(row.path)) {
      Mask(row);
    } else if (options_.secrets == Secrets::kMask) {
      RedactInside(row);
    }
    report_.rows.push_back(std::move(row));
  }

  // Server-side apply removes the annotation, and the annotations if it is the only one.
  static bool RemovesOnlyLastApplied(const ReportRow& row) {
    const bool removes = row.op == RowOp::kDelete && row.live != nullptr && row.live->is_object();
    return removes && row.path.size() == 2 && row.path[0].name == "metadata" && row.path[1].name == "annotations" &&
           row.live->size() == 1 && row.live->Find(kLastAppliedAnnotation) != nullptr;
  }

  // Those of a Secret may be copies of secret ones.
  Values ValuesOfOthers() const {
    return options_.secrets == Secrets::kMask && IsSecret(modified_.root()) ? Values::kHide : Values::kShow;
  }

  bool Masks(const FieldPath& path) const {
    return options_.secrets == Secrets::kMask && IsMasked(modified_.root(), path);
  }

  void Mask(ReportRow& row) const {
    row.masked = true;
    if (row.live != nullptr) row.masked_live = MaskedAt(row.path, *row.live, modified_.root());
    if (row.outcome != nullptr) row.masked_outcome = MaskedAt(row.path, *row.outcome, modified_.root());
  }

  // For values that contain secret ones, such as metadata with its annotations.
  void RedactInside(ReportRow& row) {
    if (!IsSecret(modified_.root())) return;
    for (const Value** value : {&row.original, &row.live, &row.modified, &row.outcome}) {
      if (*value == nullptr) continue;
      *value = arena_.Keep(RedactedAt(row.path, **value, modified_.root(), Digests::kHide, arena_));
    }
  }

  ObjectReport& report_;
  const Document& modified_;
  const LiveFacts& live_;
  const ReportOptions& options_;
  std::vector<FieldsOfManager> privileges_;
  Arena arena_;  // holds the redacted values
};

}  // namespace

void AddRows(const Plan& plan, const std::vector<KeptField>& kept, const Document& modified, const LiveFacts& live,
             const ReportOptions& options, ObjectReport& report) {
  Reporter(report, modified, live, options).Rows(plan, kept);
}

}  // namespace smp::explain
