#include "smp/managed_fields.h"

#include <algorithm>
#include <utility>

#include "base/duration.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/redact.h"

namespace smp {

namespace {

const Value* FieldsOf(const Value& entry) {
  const Value* fields = entry.Find("fieldsV1");
  return fields != nullptr && fields->is_object() ? fields : nullptr;
}

// One step of a path, as the server writes it in messages, and as our PathStep.
struct Named {
  std::string server;
  PathStep step;
};

Named NameKeys(const Value& keys) {
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::string>> step;
  for (const Member& key : keys.Members()) {
    parts.push_back(StrCat(key.name, "=", WriteJson(key.value)));
    step.emplace_back(key.name, WriteJson(key.value));
  }
  return {StrCat("[", Join(parts, ","), "]"), PathStep::Key(std::move(step))};
}

std::optional<Named> NameOf(std::string_view key) {
  if (key.size() < 2 || key[1] != ':') return std::nullopt;
  const std::string_view rest = key.substr(2);
  if (key[0] == 'f') return Named{StrCat(".", rest), PathStep::Field(rest)};
  const Result<Document> value = ParseJson(rest);
  if (!value.ok()) return std::nullopt;
  const Value& root = value->root();
  if (key[0] == 'k' && root.is_object()) return NameKeys(root);
  if (key[0] == 'v') return Named{StrCat("[=", WriteJson(root), "]"), PathStep::Element(root)};
  if (key[0] == 'i' && root.is_int()) return Named{StrCat("[", root.AsInt(), "]"), PathStep::Index(root.AsInt())};
  return std::nullopt;
}

// The recursion is bounded by the parser's kMaxDepth.
void VisitSet(const Value& node, const std::string& server_path, FieldPath& path, const OwnedField& visit) {
  if (!node.is_object()) return;
  if (!path.empty() && IsOwned(node)) visit(server_path, path);
  for (const Member& member : node.Members()) {
    std::optional<Named> named = NameOf(member.name);
    if (!named) continue;
    path.push_back(std::move(named->step));
    VisitSet(member.value, server_path + named->server, path, visit);
    path.pop_back();
  }
}

Value EmptyMap(Arena& arena) { return arena.SortedObject({}); }

using Entries = std::vector<Value>;

Entries::iterator FindBy(Entries& entries, std::string_view manager, std::string_view operation) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const Value& entry) { return IsEntryOf(entry, manager, operation); });
}

// Fields of another API version may have other names, so they are not moved.
Entries::iterator FindBy(Entries& entries, std::string_view manager, std::string_view operation,
                         std::string_view api_version) {
  return std::find_if(entries.begin(), entries.end(), [&](const Value& entry) {
    return IsEntryOf(entry, manager, operation) && entry.StringOr("apiVersion") == api_version;
  });
}

void AddFields(const Value& from, Value& into, Arena& arena) {
  const Value empty = EmptyMap(arena);
  const Value* mine = FieldsOf(into);
  const Value* theirs = FieldsOf(from);
  const Value fields = UnionOfFields(mine == nullptr ? empty : *mine, theirs == nullptr ? empty : *theirs, arena);
  into = WithAt(into, {"fieldsV1"}, fields, arena);
}

Value Renamed(const Value& entry, std::string_view manager, std::string_view operation, Arena& arena) {
  const Value named = WithAt(entry, {"manager"}, arena.String(manager), arena);
  return WithAt(named, {"operation"}, arena.String(operation), arena);
}

void MigrateOne(Entries& entries, const std::string& from, const std::string& manager, Arena& arena) {
  auto into = FindBy(entries, manager, "Apply");
  if (into == entries.end()) {
    into = FindBy(entries, from, "Update");
    if (into == entries.end()) return;
    *into = Renamed(*into, manager, "Apply", arena);
  }
  const auto same_version = FindBy(entries, from, "Update", into->StringOr("apiVersion"));
  if (same_version != entries.end()) AddFields(*same_version, *into, arena);
  std::erase_if(entries, [&](const Value& entry) { return IsEntryOf(entry, from, "Update"); });
}

// The root is not a field itself, so an empty root ({}) means that nothing is owned.
Value UnionOf(const Value& a, const Value& b, bool root, Arena& arena) {
  std::vector<Member> members;
  const bool owned = !root && (IsOwned(a) || IsOwned(b));
  for (const Member& member : a.Members()) {
    const Value* other = b.Find(member.name);
    const bool both = other != nullptr && other->is_object() && member.value.is_object();
    if (member.name != kItself) {
      members.push_back({member.name, both ? UnionOf(member.value, *other, false, arena) : member.value});
    }
  }
  for (const Member& member : b.Members()) {
    if (member.name != kItself && a.Find(member.name) == nullptr) members.push_back(member);
  }
  if (owned && !members.empty()) members.push_back({kItself, EmptyMap(arena)});
  return arena.Object(std::move(members));
}

// --- owners

std::vector<std::string> NamesOf(const Value& keys) {
  std::vector<std::string> out;
  for (const Member& key : keys.Members()) out.emplace_back(key.name);
  return out;
}

// Returns the step of an item: "k:{…}" with its values of these keys; "" if it lacks one.
std::string StepOfItem(const Value& item, const std::vector<std::string>& key_names) {
  std::vector<Member> keys;
  for (const std::string& name : key_names) {
    const Value* value = item.Find(name);
    if (value == nullptr) return {};
    keys.push_back({name, *value});
  }
  Arena arena;
  return StepOfKeys(arena.SortedObject(keys));
}

// Returns a step of FieldsV1 as FieldOwners keeps it, and notes the names of the keys of an item.
template <class KeyNames>
std::string Canonical(std::string_view step, KeyNames& key_names) {
  const bool has_value = step.starts_with("k:") || step.starts_with("v:");
  const Result<Document> value = has_value ? ParseJson(step.substr(2)) : Document();
  if (!has_value || !value.ok()) return std::string(step);
  if (step[0] == 'k' && !value->root().is_object()) return std::string(step);  // no server writes that
  if (step[0] == 'k') key_names.insert(NamesOf(value->root()));
  return StrCat(step.substr(0, 2), WriteJson(value->root()));
}

}  // namespace

std::string StepOfKeys(const Value& keys) { return StrCat("k:", WriteJson(keys)); }

std::string StepOfElement(const Value& element) { return StrCat("v:", WriteJson(element)); }

std::string CanonicalStep(std::string_view step) {
  std::set<std::vector<std::string>> unused;
  return Canonical(step, unused);
}

// A node without children is owned; a node with children only if it has a ".".
bool IsOwned(const Value& node) { return node.empty() || node.Find(kItself) != nullptr; }

std::vector<Value> ManagedFields(const Value& object) {
  std::vector<Value> out;
  for (const Value& entry : ItemsAt(object, {"metadata", "managedFields"})) {
    if (entry.is_object()) out.push_back(entry);
  }
  return out;
}

std::set<std::string> DataKeysOf(const Value& entry) {
  std::set<std::string> out;
  for (const char* data : {"f:binaryData", "f:data", "f:stringData"}) {
    const Value* keys = entry.FindPath({"fieldsV1", data});
    if (keys == nullptr || !keys->is_object()) continue;
    for (const auto& [key, _] : keys->Members()) {
      if (key.starts_with("f:")) out.emplace(key.substr(2));
    }
  }
  return out;
}

bool IsEntryOf(const Value& entry, std::string_view manager, std::string_view operation) {
  return entry.StringOr("manager") == manager && entry.StringOr("operation") == operation &&
         entry.StringOr("subresource").empty();
}

FieldManager ManagerOf(const Value& entry) {
  return {std::string(entry.StringOr("manager")), std::string(entry.StringOr("operation")),
          std::string(entry.StringOr("subresource")), std::string(entry.StringOr("time"))};
}

std::vector<FieldManager> ManagersOf(const Value& object) {
  std::vector<FieldManager> out;
  for (const Value& entry : ManagedFields(object)) out.push_back(ManagerOf(entry));
  return out;
}

ManagerKind KindOf(const FieldManager& manager) {
  if (!manager.subresource.empty()) return ManagerKind::kOther;
  if (IsOfApply(manager)) {
    return manager.is_own || manager.name == kServerSideManager ? ManagerKind::kServerSideApply : ManagerKind::kOther;
  }
  if (manager.is_own || manager.name == kClientSideManager) return ManagerKind::kClientSideApply;
  return manager.name == kCreateManager ? ManagerKind::kCreate : ManagerKind::kOther;
}

bool AllOfClientSideApply(const std::vector<FieldManager>& managers) {
  return std::all_of(managers.begin(), managers.end(),
                     [](const FieldManager& manager) { return KindOf(manager) == ManagerKind::kClientSideApply; });
}

bool ServerAddedItems(const PlanNode& node, const std::vector<FieldManager>& owners) {
  return node.reason == Reason::kAtomic && !owners.empty() && AllOfClientSideApply(owners);
}

namespace {

// Returns true if `live` has all that `applied` has. The recursion is bounded by the parser's kMaxDepth.
bool HasAllOf(const Value& applied, const Value& live) {
  if (applied.is_object() && live.is_object()) {
    return std::ranges::all_of(applied.Members(), [&](const Member& member) {
      const Value* there = live.Find(member.name);
      return there != nullptr && HasAllOf(member.value, *there);
    });
  }
  if (!applied.is_array() || !live.is_array()) return applied == live;
  return std::ranges::equal(applied.Items(), live.Items(), HasAllOf);
}

}  // namespace

bool ServerStoredOtherwise(const PlanNode& node, const std::vector<FieldManager>& owners, Storage storage) {
  const bool is_whole = node.live != nullptr && !node.live->is_scalar();
  if (node.reason != Reason::kDrift || !is_whole || owners.empty() || !AllOfClientSideApply(owners)) return false;
  return storage != Storage::kAsWritten || node.original == nullptr || HasAllOf(*node.original, *node.live);
}

namespace {

// Controllers whose names do not end as below. "manager" is the program that kubebuilder makes of a project.
constexpr std::string_view kControllers[] = {"kube-scheduler", "kubelet", "manager", "vpa-recommender", "vpa-updater"};

// A client of Kubernetes is called by its program unless it says otherwise, and programs of controllers have such names.
constexpr std::string_view kEndings[] = {"-autoscaler", "-controller", "-controller-manager", "-operator"};

// Of Flux: they write what people have written elsewhere.
constexpr std::string_view kDeployers[] = {"helm-controller", "kustomize-controller"};

bool HasNameOfController(std::string_view name) {
  if (std::ranges::find(kDeployers, name) != std::end(kDeployers)) return false;
  return std::ranges::find(kControllers, name) != std::end(kControllers) ||
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

// The entries come in their order, but one may list a field as data and as stringData.
void AddOnce(size_t entry, std::vector<size_t>& entries) {
  if (entries.empty() || entries.back() != entry) entries.push_back(entry);
}

}  // namespace

bool IsController(const FieldManager& manager) {
  if (manager.name.starts_with("kubectl")) return false;
  return HasNameOfController(manager.name) || !manager.subresource.empty();
}

std::string TimeText(const std::string& time, std::optional<std::chrono::sys_seconds> now) {
  const std::optional<UtcTime> parsed = now ? ParseRfc3339(time) : std::nullopt;
  return parsed ? StrCat(AgeText(*now - parsed->seconds), " ago") : time;
}

std::string Describe(const FieldManager& manager, std::optional<std::chrono::sys_seconds> now) {
  const std::string of = manager.subresource.empty() ? "" : StrCat(" of ", manager.subresource);
  const std::string when =
      manager.time.empty() ? "; time unknown" : StrCat("; last write ", TimeText(manager.time, now));
  return StrCat(manager.name, " (", manager.operation, of, when, ")");
}

std::string Describe(const std::vector<FieldManager>& managers, std::optional<std::chrono::sys_seconds> now) {
  std::string out;
  for (size_t i = 0; i < managers.size(); ++i) {
    out += StrCat(i == 0 ? "" : i + 1 < managers.size() ? ", " : " and ", Describe(managers[i], now));
  }
  return out;
}

namespace {

bool HasAll(const Value& fields, const Value& value);

// Returns the item with these keys; nullptr if there is none.
const Value* ItemWith(const Value& list, std::string_view keys) {
  const Result<Document> wanted = ParseJson(keys);
  if (!wanted.ok() || !wanted->root().is_object()) return nullptr;
  const auto has_keys = [&](const Value& item) {
    return item.is_object() && std::ranges::all_of(wanted->root().Members(), [&](const Member& key) {
             const Value* value = item.Find(key.name);
             return value != nullptr && *value == key.value;
           });
  };
  const auto found = std::ranges::find_if(list.Items(), has_keys);
  return found == list.Items().end() ? nullptr : &*found;
}

// Returns true if the value has what the step of a FieldsV1 leads to. Where an item is not found, its keys may have changed.
bool HasStep(std::string_view step, const Value& below, const Value& value) {
  if (step.starts_with("f:")) {
    const Value* field = value.is_object() ? value.Find(step.substr(2)) : nullptr;
    return field != nullptr && HasAll(below, *field);
  }
  constexpr size_t kMostItems = 256;  // of longer lists, each search would cost as much as there are
  const bool is_searched = step.starts_with("k:") && value.is_array() && value.size() <= kMostItems;
  const Value* item = is_searched ? ItemWith(value, step.substr(2)) : nullptr;
  return item == nullptr || HasAll(below, *item);
}

// The recursion is bounded by the parser's kMaxDepth.
bool HasAll(const Value& fields, const Value& value) {
  return std::ranges::all_of(fields.Members(), [&](const Member& member) {
    return member.name == kItself || !member.value.is_object() || HasStep(member.name, member.value, value);
  });
}

}  // namespace

bool NamesFieldsOtherwise(const Value& entry, const Value& object) {
  const std::string_view version = entry.StringOr("apiVersion");
  const Value* fields = FieldsOf(entry);
  return fields != nullptr && !version.empty() && version != object.StringOr("apiVersion") && !HasAll(*fields, object);
}

FieldOwners::FieldOwners(const Value& object, std::string_view own)
    : FieldOwners(ManagedFields(object), IsSecret(object)) {
  for (FieldManager& manager : managers_) manager.is_own = !own.empty() && manager.name == own;
  for (const Value& entry : ManagedFields(object)) {
    if (!NamesFieldsOtherwise(entry, object)) continue;
    of_other_versions_.push_back({ManagerOf(entry), std::string(entry.StringOr("apiVersion"))});
  }
}

FieldOwners::FieldOwners(const std::vector<Value>& entries, bool of_secret) {
  for (const Value& entry : entries) {
    const Value* fields = FieldsOf(entry);
    if (fields != nullptr) Compile(*fields, managers_.size(), true, root_);
    if (fields != nullptr && of_secret) AddStringData(*fields, managers_.size());
    managers_.push_back(ManagerOf(entry));
  }
}

// The server stores stringData as data, but the fields of a server-side apply are recorded as they were sent.
void FieldOwners::AddStringData(const Value& fields, size_t entry) {
  const Value* texts = fields.Find("f:stringData");
  if (texts == nullptr || !texts->is_object()) return;
  std::unique_ptr<Node>& data = root_.below["f:data"];
  if (data == nullptr) data = std::make_unique<Node>();
  Compile(*texts, entry, false, *data);
}

// The recursion is bounded by the parser's kMaxDepth.
void FieldOwners::Compile(const Value& fields, size_t entry, bool is_root, Node& into) {
  AddOnce(entry, into.holders);
  if (!is_root && IsOwned(fields)) AddOnce(entry, into.owners);
  for (const Member& member : fields.Members()) {
    if (member.name == kItself || !member.value.is_object()) continue;
    const std::string step = Canonical(member.name, into.key_names);
    std::unique_ptr<Node>& below = into.below[step];
    if (below == nullptr) below = std::make_unique<Node>();
    Compile(member.value, entry, false, *below);
  }
}

std::vector<FieldManager> FieldOwners::Named(const std::vector<size_t>& entries) const {
  std::vector<FieldManager> out;
  for (const size_t entry : entries) out.push_back(managers_[entry]);
  return out;
}

FieldOwners::Position FieldOwners::Position::Below(std::string_view step) const {
  if (node_ == nullptr) return *this;
  const Node* enclosing = node_->owners.empty() ? enclosing_ : node_;
  const auto found = node_->below.find(step);
  return Position(all_, found == node_->below.end() ? nullptr : found->second.get(), enclosing);
}

FieldOwners::Position FieldOwners::Position::Field(std::string_view name) const { return Below(StrCat("f:", name)); }

FieldOwners::Position FieldOwners::Position::Item(const Value& live_item) const {
  if (node_ == nullptr) return *this;
  for (const std::vector<std::string>& names : node_->key_names) {
    const Position item = Below(StepOfItem(live_item, names));
    if (item.node_ != nullptr) return item;
  }
  return Below("");
}

FieldOwners::Position FieldOwners::Position::Element(const Value& element) const {
  return Below(StepOfElement(element));
}

std::vector<std::string> FieldOwners::Position::KeyNames() const {
  return node_ == nullptr || node_->key_names.empty() ? std::vector<std::string>() : *node_->key_names.begin();
}

std::vector<FieldManager> FieldOwners::Position::Owners() const {
  return node_ == nullptr ? std::vector<FieldManager>() : all_->Named(node_->owners);
}

std::vector<FieldManager> FieldOwners::Position::Holders() const {
  return node_ == nullptr ? std::vector<FieldManager>() : all_->Named(node_->holders);
}

std::vector<FieldManager> FieldOwners::Position::Nearest() const {
  if (node_ != nullptr) return Holders();
  return enclosing_ == nullptr ? std::vector<FieldManager>() : all_->Named(enclosing_->owners);
}

std::vector<FieldManager> FieldOwners::Position::Setters() const {
  if (node_ != nullptr) return Holders();
  const bool is_atomic = enclosing_ != nullptr && enclosing_->below.empty();
  return is_atomic ? all_->Named(enclosing_->owners) : std::vector<FieldManager>();
}

std::vector<FieldManager> Appliers(const FieldOwners& owners) {
  const auto annotations = owners.root().Field("metadata").Field("annotations");
  std::vector<FieldManager> out = annotations.Field(kLastAppliedAnnotation).Owners();
  for (const FieldManager& manager : owners.managers()) {
    const bool applied = KindOf(manager) == ManagerKind::kServerSideApply;
    if (applied && std::find(out.begin(), out.end(), manager) == out.end()) out.push_back(manager);
  }
  return out;
}

FieldOwners::Position StepTo(const FieldOwners::Position& at, const PlanNode& parent, const PlanNode& child) {
  if (parent.shape != Shape::kItems) return at.Field(child.name);
  return child.live == nullptr ? at.Nowhere() : at.Item(*child.live);
}

void ForEachOwnedField(const Value& entry, const OwnedField& visit) {
  FieldPath path;
  if (const Value* fields = FieldsOf(entry)) VisitSet(*fields, "", path, visit);
}

Value OwningAnnotation(const Value& entry, std::string_view annotation, Arena& arena) {
  const std::string_view field = arena.Copy(StrCat("f:", annotation));
  const Value owned = arena.SortedObject(std::vector<Member>{{field, arena.SortedObject({})}});
  const Value added = WithAt(Value(), {"f:metadata", "f:annotations"}, owned, arena);
  const Value* fields = FieldsOf(entry);
  return WithAt(entry, {"fieldsV1"}, fields == nullptr ? added : UnionOfFields(*fields, added, arena), arena);
}

Value EntryOf(const Value& object, const FieldManager& manager, const Value& fields, Arena& arena) {
  return arena.Object({{"apiVersion", arena.String(object.StringOr("apiVersion"))},
                       {"fieldsType", Value::UnownedString("FieldsV1")},
                       {"fieldsV1", fields},
                       {"manager", arena.String(manager.name)},
                       {"operation", arena.String(manager.operation)}});
}

Value ApplyEntryOfAnnotation(const Value& object, std::string_view manager, std::string_view annotation, Arena& arena) {
  const FieldManager applier = {.name = std::string(manager), .operation = "Apply"};
  return OwningAnnotation(EntryOf(object, applier, EmptyMap(arena), arena), annotation, arena);
}

Value UnionOfFields(const Value& a, const Value& b, Arena& arena) { return UnionOf(a, b, true, arena); }

std::optional<std::vector<Value>> MigratedToServerSide(const std::vector<Value>& entries,
                                                       const std::set<std::string>& managers,
                                                       const std::string& manager, Arena& arena) {
  Entries out = entries;
  for (const std::string& from : managers) MigrateOne(out, from, manager, arena);
  if (out == entries) return std::nullopt;
  return out;
}

std::optional<std::vector<Value>> MigratedToClientSide(const std::vector<Value>& entries, std::string_view manager,
                                                       std::string_view client_side, Arena& arena) {
  Entries out = entries;
  const auto from = FindBy(out, manager, "Apply");
  if (from == out.end()) return std::nullopt;
  const auto into = FindBy(out, client_side, "Update", from->StringOr("apiVersion"));
  if (into == out.end()) {
    *from = Renamed(*from, client_side, "Update", arena);
    return out;
  }
  AddFields(*from, *into, arena);
  out.erase(from);
  return out;
}

}  // namespace smp
