#include "schema/schema.h"

#include <algorithm>

#include "base/strings.h"
#include "value/names.h"

namespace smp {

namespace {

Result<std::string> NonEmptyString(const Value& object, std::string_view name) {
  const Value* value = object.Find(name);
  if (value != nullptr && value->is_string() && !value->empty()) return std::string(value->AsString());
  Error error = Error::Parse(StrCat(name, value == nullptr ? " is missing" : " must be a non-empty string",
                                    ": every object needs apiVersion and kind"));
  error.path = name;
  return error;
}

// The recursion is bounded: every default comes from the JSON parser, which limits the depth to kMaxDepth.
Value DeepCopy(const Value& value, Arena& arena) {
  switch (value.kind()) {
    case Kind::kString: return arena.String(value.AsString());
    case Kind::kArray: {
      std::vector<Value> items;
      items.reserve(value.size());
      for (const Value& item : value.Items()) items.push_back(DeepCopy(item, arena));
      return arena.Array(items);
    }
    case Kind::kObject: {
      std::vector<Member> members;
      members.reserve(value.size());
      for (const Member& m : value.Members()) members.push_back({arena.Copy(m.name), DeepCopy(m.value, arena)});
      return arena.SortedObject(members);
    }
    default: return value;
  }
}

// Returns true if a name can be part of a URL. A server's own rules for names are stricter.
bool IsPlain(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
  return text.find_first_not_of(kAllowed) == text.npos && !text.starts_with('.');
}

TypeId Shifted(TypeId id, TypeId by) { return id == kNoType ? kNoType : id + by; }

// What follows may be a line of a Secret with the wrong indentation, which YAML takes for a part of the value.
std::string FirstWord(std::string_view text) {
  const size_t end = text.find_first_of(" \n\t");
  return end == text.npos ? std::string(text) : StrCat(text.substr(0, end), " …");
}

}  // namespace

Result<GroupVersionKind> GvkOf(const Value& object) {
  SMP_ASSIGN(const std::string api_version, NonEmptyString(object, "apiVersion"));
  SMP_ASSIGN(const std::string kind, NonEmptyString(object, "kind"));
  Result<GroupVersionKind> gvk = ParseGvk(StrCat(api_version, "/", kind));
  if (gvk.ok() && gvk->kind == kind && IsPlain(gvk->group) && IsPlain(gvk->version) && IsPlain(kind)) return gvk;
  Error error = Error::Parse(StrCat("apiVersion \"", FirstWord(api_version), "\" and kind \"", FirstWord(kind),
                                    "\" are not of the form GROUP/VERSION (or VERSION for the core group) and KIND"));
  error.path = "apiVersion";
  return error;
}

Result<GroupVersionKind> ParseGvk(std::string_view text) {
  std::vector<std::string_view> parts = Split(text, '/');
  const bool all_named = std::none_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
  if (parts.size() == 2) parts.insert(parts.begin(), std::string_view());
  if (parts.size() != 3 || !all_named) {
    return Error::Parse(
        StrCat("\"", text, "\" is not a kind: use GROUP/VERSION/KIND, or VERSION/KIND for the core group"));
  }
  return GroupVersionKind{std::string(parts[0]), std::string(parts[1]), std::string(parts[2])};
}

std::string FullName(const GroupVersionKind& gvk, const std::string& plural) {
  return gvk.group.empty() ? plural : StrCat(plural, ".", gvk.group);
}

void Type::SetMergedList(ListMerge list_type, std::vector<std::string> keys) {
  if (list_type == ListMerge::kAtomic || (list_type == ListMerge::kKeyed && keys.empty())) return;
  Field list = {
      .type = additional, .is_list = true, .kind = TypeKind::kArray, .list_type = list_type, .nullable = nullable};
  list.identity_keys = std::move(keys);
  list.fixed_words = fixed_words;
  merged_list = {std::move(list)};
}

const Resource* Schema::FindResource(const GroupVersionKind& gvk) const {
  const auto at = resources_.find(gvk);
  return at == resources_.end() ? nullptr : &at->second;
}

TypeId Schema::FindType(const GroupVersionKind& gvk) const {
  const auto at = kinds_.find(gvk);
  return at == kinds_.end() ? kNoType : at->second;
}

TypeId Schema::FindTypeByName(std::string_view component) const {
  if (component.empty()) return kNoType;
  const auto at = std::find_if(types_.begin(), types_.end(), [&](const Type& type) { return type.name == component; });
  return at == types_.end() ? kNoType : static_cast<TypeId>(at - types_.begin());
}

const Field* Schema::Find(TypeId type, std::string_view field) const {
  const std::vector<Field>& fields = types_[type].fields;
  const auto at = std::lower_bound(fields.begin(), fields.end(), field, [](const Field& f, std::string_view name) {
    return CompareNames(f.name, name) < 0;
  });
  return at != fields.end() && SameNames(at->name, field) ? &*at : nullptr;
}

const Field* Schema::FindMerged(TypeId type, std::string_view member) const {
  if (const Field* field = Find(type, member)) return field;
  const std::vector<Field>& lists = types_[types_[type].additional].merged_list;
  return lists.empty() ? nullptr : &lists.front();
}

TypeId Schema::Add(Type type) {
  types_.push_back(std::move(type));
  return static_cast<TypeId>(types_.size() - 1);
}

void Schema::AddResource(const Resource& resource) { resources_.try_emplace(resource.gvk, resource); }

void Schema::AddKind(const GroupVersionKind& gvk, TypeId type) { kinds_.try_emplace(gvk, type); }

const Value* Schema::Own(const Value& value) { return arena_->Keep(DeepCopy(value, *arena_)); }

void Schema::Merge(const Schema& other) {
  const TypeId by = static_cast<TypeId>(types_.size() - 1);
  for (size_t id = 1; id < other.types_.size(); ++id) {
    Type type = other.types_[id];
    type.VisitReferences([by](TypeId& to) { to = Shifted(to, by); });
    types_.push_back(std::move(type));
  }
  for (const auto& [gvk, type] : other.kinds_) AddKind(gvk, Shifted(type, by));
  for (const auto& [gvk, resource] : other.resources_) {
    Resource shifted = resource;
    shifted.type = Shifted(resource.type, by);
    AddResource(shifted);
  }
  RetainOwned(other);
}

TypeId Schema::Import(const Schema& other, TypeId type) {
  std::map<TypeId, TypeId> ids = {{kNoType, kNoType}};
  std::vector<TypeId> todo;
  const auto id_of = [&](TypeId id) {
    const auto [at, is_new] = ids.try_emplace(id, static_cast<TypeId>(types_.size()));
    if (is_new) {
      types_.push_back(other.types_[id]);
      todo.push_back(at->second);
    }
    return at->second;
  };
  const TypeId imported = id_of(type);
  while (!todo.empty()) {
    const TypeId id = todo.back();
    todo.pop_back();
    Type copy = types_[id];  // id_of may move types_
    copy.VisitReferences([&](TypeId& to) { to = id_of(to); });
    types_[id] = std::move(copy);
  }
  RetainOwned(other);
  return imported;
}

void Schema::RetainOwned(const Schema& other) {
  retained_.push_back(other.arena_);
  retained_.insert(retained_.end(), other.retained_.begin(), other.retained_.end());
}

}  // namespace smp
