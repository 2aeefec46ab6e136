#include "apply/foretold_refusals.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apply/deletion.h"
#include "apply/foretold_of_kinds.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "schema/facts/fixed.h"
#include "schema/facts/immutable.h"
#include "smp/defaulting.h"
#include "smp/foretell.h"
#include "smp/meaning.h"
#include "smp/transition_rules.h"
#include "value/at.h"
#include "value/formats.h"
#include "value/json.h"
#include "value/path.h"

namespace smp::apply {

namespace {

// --- metadata that the manifest must not state

// Returns the resourceVersion of the manifest; "" if it has none, or 0, which means any.
std::string_view StatedVersion(const Prepared& prepared) {
  const std::string_view version = TextAt(prepared.desired.root(), {"metadata", "resourceVersion"});
  return version == "0" ? "" : version;
}

// The server gives a new object a uid of its own, whatever the manifest says.
std::optional<Error> ForetoldOfCreation(const Prepared& prepared) {
  if (StatedVersion(prepared).empty()) return std::nullopt;
  return ForetellField(prepared, {"metadata", "resourceVersion"},
                       "resourceVersion should not be set on objects to be created");
}

std::optional<Error> ForetoldOfMetadata(const Prepared& prepared) {
  const Value &wanted = prepared.desired.root(), &live = prepared.live->root();
  const auto differs = [&](std::string_view name) {
    const std::string_view text = TextAt(wanted, {"metadata", name});
    return !text.empty() && text != TextAt(live, {"metadata", name});
  };
  if (differs("uid")) return ForetellField(prepared, {"metadata", "uid"}, "field is immutable");
  if (differs("resourceVersion") && !StatedVersion(prepared).empty()) {
    return ForetellField(prepared, {"metadata", "resourceVersion"},
                         "the object has been modified; please apply your changes to the latest version and try again");
  }
  const bool being_deleted = !TextAt(live, {"metadata", "deletionTimestamp"}).empty();
  if (differs("deletionTimestamp") && !being_deleted) {
    return ForetellField(prepared, {"metadata", "deletionTimestamp"}, "field is immutable");
  }
  return std::nullopt;
}

// --- fields that cannot change

bool Has(const Value& object, const FixedField::Condition& condition) {
  const Value* value = ValueAt(object, condition.path);
  if (value == nullptr || value->is_null()) return false;
  if (condition.value == "*") return value->is_scalar() || !value->empty();
  return value->is_string() ? value->AsString() == condition.value : WriteJson(*value) == condition.value;
}

bool Holds(const FixedField::Condition& condition, const Value& live, const Value& outcome) {
  if (condition.path.empty()) return true;
  using When = FixedField::Condition::When;
  switch (condition.when) {
    case When::kLive: return Has(live, condition);
    case When::kBoth: return Has(live, condition) && Has(outcome, condition);
    case When::kNeither: return !Has(live, condition) && !Has(outcome, condition);
  }
  return false;
}

// A value of the object. `usual` is what the server would store if live were written again: where it equals `after`,
// the patch changes nothing. nullptr: absent.
struct Change {
  const Value* live;
  const Value* usual;
  const Value* after;  // what the server would store
  Place place;

  Change Member(std::string_view name) const {
    const auto below = [&](const Value* map) { return map == nullptr ? nullptr : map->Find(name); };
    return {below(live), below(usual), below(after), PlaceOfMember(place, name)};
  }
  // REQUIRES: all three are lists of the same length.
  Change Item(size_t i) const {
    return {&live->Items()[i], &usual->Items()[i], &after->Items()[i], PlaceOfItem(place)};
  }
};

bool Same(const Value* a, const Value* b, const Place& place) {
  if (a == nullptr || b == nullptr) {
    const Value* only = a == nullptr ? b : a;
    return only == nullptr || CountsAsAbsent(*only, place);
  }
  return SameMeaning(*a, *b, place);
}

bool Differs(const Change& at) { return !Same(at.live, at.after, at.place) && !Same(at.usual, at.after, at.place); }

size_t Count(const Value* list) { return list != nullptr && list->is_array() ? list->size() : 0; }

bool DiffersAsSet(const Change& at) {
  std::unordered_map<size_t, int> count;  // by hash: how many more live has
  for (size_t i = 0; i < Count(at.live); ++i) ++count[HashValue(at.live->Items()[i])];
  for (size_t i = 0; i < Count(at.after); ++i) --count[HashValue(at.after->Items()[i])];
  return std::any_of(count.begin(), count.end(), [](const auto& entry) { return entry.second != 0; });
}

// Returns the paths of the changed members that are not among `except`.
std::vector<FieldPath> ChangedMembers(const Change& map, const FieldPath& path, const FieldNames& except) {
  std::set<std::string_view> names;
  for (const Value* side : {map.live, map.after}) {
    if (side == nullptr || !side->is_object()) continue;
    for (const Member& m : side->Members()) names.insert(m.name);
  }
  for (const std::string_view name : except) names.erase(name);
  std::vector<FieldPath> out;
  for (const std::string_view name : names) {
    if (!Differs(map.Member(name))) continue;
    out.push_back(path);
    out.back().push_back(PathStep::Field(name));
  }
  return out;
}

std::vector<FieldPath> ChangedInItems(const Change& list, const FieldPath& path, const FieldNames& except) {
  const size_t count = Count(list.live);
  std::vector<FieldPath> out;
  if (Count(list.usual) != count || Count(list.after) != count) return out;
  for (size_t i = 0; i < count; ++i) {
    FieldPath item = path;
    item.push_back(KeyStep(list.after->Items()[i], {"name"}));
    std::ranges::move(ChangedMembers(list.Item(i), item, except), std::back_inserter(out));
  }
  return out;
}

// Returns the paths of the changes; none if the field stays as it is.
std::vector<FieldPath> ChangedPaths(const FixedField& field, Change at) {
  using Part = FixedField::Part;
  for (const std::string_view name : field.path) at = at.Member(name);
  const FieldPath path = ToPath(field.path);
  const auto if_changed = [&](bool changed) { return std::vector<FieldPath>(changed ? 1 : 0, path); };
  switch (field.part) {
    case Part::kWhole: return field.except.empty() ? if_changed(Differs(at)) : ChangedMembers(at, path, field.except);
    case Part::kEachItem: return ChangedInItems(at, path, field.except);
    case Part::kCount: return if_changed(Count(at.live) != Count(at.after));
    case Part::kSet: return if_changed(DiffersAsSet(at));
  }
  return {};
}

std::vector<FixedChange> ChangesOfFixedFields(const Prepared& prepared) {
  std::vector<FixedChange> out;
  const std::vector<const FixedField*> fields = FixedFieldsOf(prepared.resource, *prepared.schema);
  if (fields.empty()) return out;
  const Value &live = prepared.live->root(), &outcome = prepared.patch->outcome.root();
  const TypeId type = prepared.resource.type;
  const Place place = PlaceOf(*prepared.schema, nullptr, type, prepared.schema->type(type).storage);
  Arena arena;
  const Value usual = AsStored(live, &live, place, arena), after = AsStored(outcome, &live, place, arena);
  for (const FixedField* field : fields) {
    if (!Holds(field->condition, live, outcome)) continue;
    for (FieldPath& path : ChangedPaths(*field, {&live, &usual, &after, place}))
      out.push_back({std::move(path), field->words});
  }
  return out;
}

// Returns why the server refuses the change, in the order in which they are told.
std::vector<Error> ForetoldOfFields(const Prepared& prepared) {
  std::vector<Error> out;
  if (auto error = ForetoldOfChange(prepared)) out.push_back(*std::move(error));
  for (const FixedChange& change : ChangesOfFixedFields(prepared)) {
    out.push_back(Foretell(prepared, change.path, change.words));
  }
  for (const FixedChange& change : RefusedByRules(prepared.patch->plan, *prepared.schema)) {
    out.push_back(Foretell(prepared, change.path, change.words));
  }
  if (auto error = ForetoldOfObject(prepared, prepared.patch->outcome.root())) out.push_back(*std::move(error));
  return out;
}

// Returns the paths of the other errors that have the words of the first, without those that are in a path already named, or have one.
std::vector<std::string> OthersLikeFirst(const std::vector<Error>& errors) {
  const auto is_in = [](const std::string& path, const std::string& other) {
    return path == other || path.starts_with(other + ".") || path.starts_with(other + "[");
  };
  std::vector<std::string> named;
  for (const Error& error : errors) {
    const bool is_named = std::ranges::any_of(
        named, [&](const std::string& path) { return is_in(error.path, path) || is_in(path, error.path); });
    if (error.message == errors.front().message && !is_named) named.push_back(error.path);
  }
  named.erase(named.begin());
  return named;
}

std::optional<ForetoldRefusal> Fatal(std::optional<Error> error) {
  if (!error) return std::nullopt;
  return ForetoldRefusal{*std::move(error)};
}

// Source: apimachinery, ValidateObjectMetaAccessorUpdate.
std::optional<Error> ForetoldOfFinalizers(const Prepared& prepared) {
  if (!IsBeingDeleted(prepared.live->root())) return std::nullopt;
  const std::vector<std::string> before = TextsAt(prepared.live->root(), {"metadata", "finalizers"});
  std::vector<std::string> added = TextsAt(prepared.patch->outcome.root(), {"metadata", "finalizers"});
  std::erase_if(added, [&](const std::string& name) { return std::ranges::find(before, name) != before.end(); });
  if (added.empty()) return std::nullopt;
  return ForetellField(prepared, {"metadata", "finalizers"},
                       StrCat("Forbidden: no new finalizers can be added if the object is being deleted, found new "
                              "finalizers []string{\"",
                              Join(added, "\", \""), "\"}"));
}

}  // namespace

std::optional<ForetoldRefusal> ForetellRefusal(const Prepared& prepared) {
  if (!prepared.live) {
    auto error = ForetoldOfCreation(prepared);
    return Fatal(error ? std::move(error) : ForetoldOfObject(prepared, prepared.desired.root()));
  }
  if (!prepared.patch || prepared.patch->empty()) return std::nullopt;
  if (auto error = ForetoldOfMetadata(prepared)) return Fatal(std::move(error));
  if (auto error = ForetoldOfFinalizers(prepared)) return Fatal(std::move(error));
  std::vector<Error> errors = ForetoldOfFields(prepared);
  if (errors.empty()) return std::nullopt;
  // --force recreates an object if one of all causes is that a field cannot change.
  const bool recreatable = std::ranges::any_of(errors, [&](const Error& error) {
    return MeansImmutable(std::string_view(error.message).substr(kForetold.size()), prepared.schema->release());
  });
  std::vector<std::string> others = OthersLikeFirst(errors);
  return ForetoldRefusal{std::move(errors.front()), recreatable, std::move(others)};
}

std::vector<std::string> MetadataWarnings(const Prepared& prepared) {
  std::vector<std::string> out;
  for (const std::string_view name : {"resourceVersion", "uid"}) {
    if (TextAt(prepared.manifest.root(), {"metadata", name}).empty()) continue;
    out.push_back(StrCat("metadata.", name, " belongs to one live object; remove it from the manifest"));
  }
  return out;
}

NamespaceCheck::State NamespaceCheck::StateOf(const std::string& name) {
  const auto [at, unknown] = states_.try_emplace(name, State::kUsable);
  if (!unknown) return at->second;
  const auto found = client_.Get({{"", "v1", "Namespace"}, "namespaces", "", name});
  if (!found.ok() && found.error().code == ErrorCode::kNotFound) at->second = State::kMissing;
  if (found.ok() && TextAt(found->root(), {"status", "phase"}) == "Terminating") at->second = State::kTerminating;
  return at->second;
}

std::optional<Error> NamespaceCheck::RefusalIn(const Prepared& prepared) {
  return prepared.live ? std::nullopt : RefusalOfNew(prepared);
}

std::optional<Error> NamespaceCheck::RefusalOfNew(const Prepared& prepared) {
  const kube::ObjectRef& ref = prepared.ref;
  const std::string& name = ref.name_space;
  const bool in_input = definitions_.namespaces.contains(name);
  if (name.empty() || (in_input && !not_brought_.contains(name))) return std::nullopt;
  const auto foretell = [&](std::string_view words) {
    return ForetellField(prepared, {"metadata", "namespace"}, words);
  };
  switch (StateOf(name)) {
    case State::kUsable: return std::nullopt;
    case State::kMissing:
      return foretell(StrCat("namespaces \"", name, "\" not found", in_input ? ": its manifest is not sent" : ""));
    case State::kTerminating:
      return foretell(StrCat(ref.plural, ref.gvk.group.empty() ? "" : ".", ref.gvk.group, " \"", ref.name,
                             "\" is forbidden: unable to create new content in namespace ", name,
                             " because it is being terminated"));
  }
  return std::nullopt;
}

std::optional<Error> DefinitionCheck::RefusalIn(const Prepared& prepared) {
  const bool is_custom = !prepared.live && !prepared.unserved &&
                         prepared.ref.gvk.group.find('.') != std::string::npos && !prepared.resource.strategic;
  if (!is_custom) return std::nullopt;
  const kube::ObjectRef definition = kube::DefinitionRef(FullName(prepared.ref.gvk, prepared.ref.plural));
  const auto [at, unknown] = terminating_.try_emplace(definition.name, false);
  if (unknown) {
    const Result<Document> found = std::move(client_.GetAllMetadata({definition}).front());
    at->second = found.ok() && IsBeingDeleted(found->root());
  }
  if (!at->second) return std::nullopt;
  return Foretell(prepared, {}, "create not allowed while custom resource definition is terminating");
}

const std::string& GrowthCheck::WhyNot(const std::string& name) {
  const auto [at, unknown] = why_not_.try_emplace(name);
  if (!unknown) return at->second;
  const bool in_input = std::ranges::any_of(definitions_.read_by_admission, [&](const Manifest* manifest) {
    return manifest->gvk.kind == "StorageClass" && manifest->name == name;
  });
  const kube::ObjectRef ref = {{"storage.k8s.io", "v1", "StorageClass"}, "storageclasses", "", name};
  if (in_input || !kube::CheckPathSegments(ref).ok()) return at->second;
  const auto found = client_.Get(ref);
  if (!found.ok() && found.error().code == ErrorCode::kNotFound) {
    at->second = StrCat("StorageClass ", name, " does not exist");
  } else if (found.ok() && !IsTrueAt(found->root(), {"allowVolumeExpansion"})) {
    at->second = StrCat("StorageClass ", name, " has no allowVolumeExpansion");
  }
  return at->second;
}

std::optional<Error> GrowthCheck::RefusalIn(const Prepared& prepared) {
  if (!IsClaim(prepared) || !prepared.live || !prepared.patch) return std::nullopt;
  const Value &live = prepared.live->root(), &outcome = prepared.patch->outcome.root();
  const std::string name(TextAt(live, {"spec", "storageClassName"}));
  const bool is_bound = TextAt(live, {"status", "phase"}) == "Bound";
  if (!is_bound || name.empty() || !IsMoreThan(SizeOf(outcome), SizeOf(live))) return std::nullopt;
  const std::string& why = WhyNot(name);
  if (why.empty()) return std::nullopt;
  return ForetellField(prepared, {"spec", "resources", "requests", "storage"},
                       StrCat(why, "; a claim grows only if its StorageClass supports it"));
}

namespace {

struct Asked {
  FieldPath path;
  std::string text;  // "30080", "10.0.0.7"
};

// Returns the node ports and the address that a Service states.
std::vector<Asked> StatedBy(const Value& service) {
  std::vector<Asked> out;
  const std::string_view type = TextAt(service, {"spec", "type"}), address = TextAt(service, {"spec", "clusterIP"});
  const bool has_ports = type == "NodePort" || type == "LoadBalancer";
  const auto ports = has_ports ? ItemsAt(service, {"spec", "ports"}) : std::span<const Value>();
  for (size_t i = 0; i < ports.size(); ++i) {
    const Value* number = ports[i].is_object() ? ports[i].Find("nodePort") : nullptr;
    if (number == nullptr || !number->is_int() || number->AsInt() == 0) continue;
    out.push_back({{PathStep::Field("spec"), PathStep::Field("ports"), PathStep::Index(static_cast<int64_t>(i)),
                    PathStep::Field("nodePort")},
                   std::to_string(number->AsInt())});
  }
  const bool has_address = type != "ExternalName" && !address.empty() && address != "None";
  if (has_address) out.push_back({{PathStep::Field("spec"), PathStep::Field("clusterIP")}, std::string(address)});
  return out;
}

}  // namespace

void AllocationCheck::ReadServices() {
  is_read_ = true;
  const auto list = client_.List({{"", "v1", "Service"}, "services", "", ""}, "");
  if (!list.ok()) return;
  for (const Value& service : ItemsAt(list->root(), {"items"})) {
    std::pair<std::string, std::string> name(TextAt(service, {"metadata", "namespace"}),
                                             TextAt(service, {"metadata", "name"}));
    for (const Asked& held : StatedBy(service)) holders_.emplace(held.text, name);
  }
}

std::string AllocationCheck::HolderOf(const std::string& port_or_address, const kube::ObjectRef& asking) {
  const auto at = holders_.find(port_or_address);
  if (at == holders_.end() || in_input_.contains(at->second)) return {};
  const auto& [name_space, name] = at->second;
  const bool is_itself = name_space == asking.name_space && name == asking.name;
  return is_itself ? "" : StrCat("Service ", name_space, "/", name);
}

std::optional<Error> AllocationCheck::RefusalIn(const Prepared& prepared) {
  if (!prepared.ref.gvk.group.empty() || prepared.ref.gvk.kind != "Service") return std::nullopt;
  const std::vector<Asked> had = prepared.live ? StatedBy(prepared.live->root()) : std::vector<Asked>();
  const Value& outcome = prepared.patch ? prepared.patch->outcome.root() : prepared.desired.root();
  for (const Asked& asked : StatedBy(outcome)) {
    if (std::ranges::find(had, asked.text, &Asked::text) != had.end()) continue;
    if (!is_read_) ReadServices();
    const std::string holder = HolderOf(asked.text, prepared.ref);
    if (!holder.empty()) return Foretell(prepared, asked.path, StrCat(asked.text, " is taken by ", holder));
  }
  return std::nullopt;
}

}  // namespace smp::apply
