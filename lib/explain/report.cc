#include "explain/report.h"

#include <algorithm>
#include <span>

#include "base/strings.h"
#include "explain/message.h"
#include "explain/privileges.h"
#include "explain/record.h"
#include "explain/set_anew.h"
#include "smp/foretell.h"
#include "smp/last_applied_change.h"
#include "smp/meaning.h"
#include "value/at.h"
#include "value/json.h"
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

Place PlaceOfNode(const PlanNode& node, const PlanNode& parent, const Schema& schema) {
  const bool is_item = parent.shape == Shape::kItems;
  const TypeId type = is_item ? parent.type : node.type;
  return PlaceOf(schema, is_item ? nullptr : node.field, type, schema.type(type).storage);
}

// A null in last-applied set no value (smp/decide.h).
bool DiffersFrom(const Value* original, const Value* other, const Place& place) {
  return original != nullptr && !original->is_null() && other != nullptr && !SameMeaning(*original, *other, place);
}

// What is known about live beside the plan.
struct LiveFacts {
  FieldOwners owners;
  const Schema* schema;      // nullptr: the object does not exist
  bool last_applied = true;  // nothing is called unrecorded of an object that does not exist
  bool answered = false;     // the server said in a dry run what it will store
  bool recreated = false;    // the object is deleted and created again
  ApplyMode mode = ApplyMode::kClientSide;
};

class Reporter {
 public:
  Reporter(ObjectReport& report, const Document& modified, const LiveFacts& live, const ReportOptions& options)
      : report_(report), modified_(modified), live_(live), options_(options) {}

  // The rows of a plan, then those of what is kept.
  void Rows(const Plan& plan, const std::vector<KeptField>& kept = {}) {
    Node(plan.root, plan.root, {}, live_.owners.root());
    for (const KeptField& field : kept) Add(KeptRow(field));
    for (const FieldsOfManager& fields : privileges_)
      report_.warnings.push_back(PrivilegeWarning(fields, options_.now));
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
    Add(Row(node, parent, path, at, node.stored == nullptr ? RowOp::kDelete : RowOp::kSet));
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
    const bool of_others = AddFieldsOfOthers(*node.live, path, at, report_.of_others);
    if (of_others) AddPrivileges(node, parent, path, at);
    if (options_.show != Show::kLiveOnly && node.reason != Reason::kGivenUp) {
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
    for (const Value* element : node.adds) Element(node, path, at, *element, RowOp::kSet, Reason::kSetAdded);
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
    row.message = ReorderMessage(list);
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

  Evidence EvidenceOf(const PlanNode& node, const PlanNode& parent, const Position& at) const {
    Evidence out = {.recorded = live_.owners.recorded(),
                    .last_applied = live_.last_applied,
                    .answered = live_.answered,
                    .recreated = live_.recreated,
                    .mode = live_.mode,
                    .now = options_.now};
    if (live_.schema == nullptr) return out;
    const Place place = PlaceOfNode(node, parent, *live_.schema);
    out.drifted = DiffersFrom(node.original, node.live, place);
    out.edited = DiffersFrom(node.original, node.modified, place);
    out.stored = node.original != nullptr && !MeansNothing(*node.original, place);
    if (node.live == nullptr) return out;
    out.owners = at.Nearest();
    out.is_default = IsDefault(*node.live, place);
    return out;
  }

  void Add(ReportRow row) {
    if (row.reason == Reason::kServer && IsServerManaged(row.path)) return void(++report_.hidden.noise);
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

std::string_view FormatName(PatchFormat format) {
  switch (format) {
    case PatchFormat::kStrategic: return "strategic";
    case PatchFormat::kMerge: return "merge";
    case PatchFormat::kJson: return "json";
    case PatchFormat::kApply: return "apply";
  }
  return "strategic";
}

ObjectReport::PatchInfo DescribePatch(const VerifiedPatch& patch, const Document& modified,
                                      const ReportOptions& options) {
  ObjectReport::PatchInfo info;
  info.type = FormatName(patch.format);
  info.encoding = EncodingName(patch.encoding);
  info.guarded = patch.guarded;
  info.why = patch.why;
  info.redacted = options.secrets == Secrets::kMask && IsSecret(modified.root());
  info.body = info.redacted ? RedactedPatch(patch.body, modified.root()) : patch.body;
  if (!info.redacted) info.bytes = WriteJson(patch.body.root()).size();
  return info;
}

// Returns the values in a patch: of a JSON patch those of its operations, because their paths have only names.
std::vector<Value> ValuesOfPatch(const Value& patch) {
  if (!patch.is_array()) return {patch};
  std::vector<Value> out;
  for (const Value& operation : patch.Items()) {
    const Value* value = operation.Find("value");
    out.push_back(value != nullptr ? *value : Value());
  }
  return out;
}

// `values`: as ValuesOfPatch returns them.
Value PatchWithValues(const Value& patch, std::span<const Value> values, Arena& arena) {
  if (!patch.is_array()) return values.front();
  std::vector<Value> operations;
  for (size_t i = 0; i < patch.size(); ++i) {
    const Value& operation = patch.Items()[i];
    const bool sets = operation.Find("value") != nullptr;
    operations.push_back(sets ? WithAt(operation, {"value"}, values[i], arena) : operation);
  }
  return arena.Array(operations);
}

// Masks copies of values of a Secret in its other fields. `states`: the manifest, live, the server's answer.
void MaskCopies(ObjectReport& report, const std::vector<const Value*>& states, const ReportOptions& options) {
  if (options.secrets == Secrets::kShow || !IsSecret(report.api_version, report.kind)) return;
  std::vector<const Value**> places;
  std::vector<Value> values;
  for (ReportRow& row : report.rows) {
    for (const Value** value : {&row.original, &row.live, &row.modified, &row.outcome}) {
      if (row.masked || *value == nullptr) continue;
      places.push_back(value);
      values.push_back(**value);
    }
  }
  const Document patch = report.patch ? report.patch->body : Document();
  const std::vector<Value> of_patch = ValuesOfPatch(patch.root());
  values.insert(values.end(), of_patch.begin(), of_patch.end());
  Arena arena;
  arena.Retain(patch);
  values = WithoutCopies(values, states, arena);
  for (size_t i = 0; i < places.size(); ++i) *places[i] = arena.Keep(values[i]);
  const Value root = PatchWithValues(patch.root(), std::span(values).subspan(places.size()), arena);
  const Document masked(std::move(arena), root);
  if (report.patch) report.patch->body = masked;
  report.keep_alive.push_back(masked);
}

bool HasChange(const ObjectReport& report) {
  return std::any_of(report.rows.begin(), report.rows.end(),
                     [](const ReportRow& row) { return row.op != RowOp::kKeep; });
}

Action ActionOf(const Plan& plan) {
  if (!plan.changed()) return Action::kUnchanged;
  return ChangesOnlyLastApplied(plan) ? Action::kRecord : Action::kChange;
}

}  // namespace

std::string_view RowOpName(RowOp op) {
  switch (op) {
    case RowOp::kSet: return "set";
    case RowOp::kDelete: return "delete";
    case RowOp::kMove: return "move";
    case RowOp::kKeep: return "keep";
  }
  return "set";
}

std::string_view ActionName(Action action) {
  switch (action) {
    case Action::kCreate: return "create";
    case Action::kChange: return "change";
    case Action::kRecord: return "record";
    case Action::kUnchanged: return "unchanged";
    case Action::kPrune: return "prune";
    case Action::kRecreate: return "recreate";
    case Action::kError: return "error";
  }
  return "error";
}

ObjectReport DescribeObject(const Document& manifest) {
  ObjectReport report;
  const Value& root = manifest.root();
  report.api_version = root.StringOr("apiVersion");
  report.kind = root.StringOr("kind");
  report.name_space = TextAt(root, {"metadata", "namespace"});
  report.name = TextAt(root, {"metadata", "name"});
  report.source = manifest.SourceOf(&root);
  return report;
}

ObjectReport ReportChange(const Document& modified, const Document& live, const VerifiedPatch& patch,
                          const KindOfObject& kind, const ReportOptions& options, const ChangeContext& context) {
  Arena arena;
  const Value* answer = context.answer ? &context.answer->root() : nullptr;
  const Plan plan = patch.empty() ? patch.plan : Foretell(patch, live.root(), answer, *kind.schema, kind.type, arena);
  const LiveFacts facts = {.owners = FieldOwners(live.root()),
                           .schema = kind.schema,
                           .last_applied = patch.plan.root.original != nullptr && !context.adopted,
                           .answered = context.answer.has_value(),
                           .mode = context.mode};
  ObjectReport report;
  // Of a change that only concerns what has no rows, such as the status, at most the last-applied annotation is left.
  for (Action action : {ActionOf(plan), Action::kRecord, Action::kUnchanged}) {
    report = DescribeObject(modified);
    report.action = action;
    report.now = options.now;
    Reporter(report, modified, facts, options).Rows(plan, context.kept);
    if (!report.differs() || HasChange(report)) break;
  }
  report.appliers = Appliers(facts.owners);
  if (!patch.body.root().empty()) report.patch = DescribePatch(patch, modified, options);
  std::vector<const Value*> states = {&modified.root(), &live.root()};
  if (answer != nullptr) states.push_back(answer);
  MaskCopies(report, states, options);
  report.keep_alive.insert(report.keep_alive.end(), {modified, live, patch.outcome, patch.body});
  if (context.answer) report.keep_alive.push_back(*context.answer);
  report.keep_alive.push_back(Document(std::move(arena), Value()));
  return report;
}

ObjectReport ReportRecreation(const Document& modified, const Document& live, const VerifiedPatch& patch,
                              const KindOfObject& kind, const ReportOptions& options) {
  ObjectReport report = DescribeObject(modified);
  report.action = Action::kRecreate;
  report.now = options.now;
  Arena arena;
  const LiveFacts facts = {.owners = FieldOwners(live.root()),
                           .schema = kind.schema,
                           .last_applied = patch.plan.root.original != nullptr,
                           .recreated = true};
  report.appliers = Appliers(facts.owners);
  Reporter(report, modified, facts, options)
      .Rows(ForetellRecreation(patch.plan, modified.root(), live.root(), *kind.schema, kind.type, arena));
  MaskCopies(report, {&modified.root(), &live.root()}, options);
  report.keep_alive.insert(report.keep_alive.end(), {modified, live, Document(std::move(arena), Value())});
  return report;
}

ObjectReport ReportCreation(const Document& modified, const KindOfObject& kind, const ReportOptions& options,
                            const std::optional<Document>& answer) {
  ObjectReport report = DescribeObject(modified);
  report.action = Action::kCreate;
  Arena arena;
  const Value* answered = answer ? &answer->root() : nullptr;
  const LiveFacts absent = {.owners = FieldOwners(Value()), .schema = nullptr, .answered = answer.has_value()};
  Reporter(report, modified, absent, options)
      .Rows(ForetellCreation(modified.root(), answered, *kind.schema, kind.type, arena));
  MaskCopies(report, {&modified.root(), answered != nullptr ? answered : &modified.root()}, options);
  report.keep_alive.push_back(modified);
  if (answer) report.keep_alive.push_back(*answer);
  report.keep_alive.push_back(Document(std::move(arena), Value()));
  return report;
}

ObjectReport ReportPruned(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name) {
  ObjectReport report;
  report.api_version = gvk.ApiVersion();
  report.kind = gvk.kind;
  report.name_space = name_space;
  report.name = name;
  report.action = Action::kPrune;
  return report;
}

ObjectReport ReportError(const Document& manifest, Error error) {
  ObjectReport report = DescribeObject(manifest);
  report.action = Action::kError;
  if (report.source.file.empty()) report.source = error.source;
  report.error = std::move(error);
  return report;
}

}  // namespace smp::explain
