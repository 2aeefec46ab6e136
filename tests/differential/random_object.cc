#include "differential/random_object.h"

#include <algorithm>
#include <set>

#include "value/json.h"

namespace smp {

namespace {

constexpr int kDeepest = 7;

bool IsIdentity(std::string_view name) { return name == "apiVersion" || name == "kind"; }

Value WithMember(const Value& map, std::string_view name, Value value, Arena& arena) {
  std::vector<Member> members(map.Members().begin(), map.Members().end());
  members.push_back({name, value});
  return arena.Object(std::move(members));
}

Value Named(const Value& object, const Resource& resource, Arena& arena) {
  const Value* metadata = object.Find("metadata");
  const Value named =
      WithMember(metadata == nullptr ? arena.SortedObject({}) : *metadata, "name", arena.String("x"), arena);
  Value out = WithMember(object, "metadata", named, arena);
  out = WithMember(out, "apiVersion", arena.String(resource.gvk.ApiVersion()), arena);
  return WithMember(out, "kind", arena.String(resource.gvk.kind), arena);
}

}  // namespace

Value RandomObject::Make(const Resource& resource, Arena& arena) {
  return Named(Map(resource.type, 0, arena), resource, arena);
}

Value RandomObject::Mutate(const Value& object, const Resource& resource, Arena& arena) {
  return Named(ChangedMap(object, resource.type, 0, arena), resource, arena);
}

Value RandomObject::Odd(Arena& arena) {
  switch (Below(8)) {
    case 0: return Value();
    case 1: return Value::Int(1);
    case 2: return Value::Double(1.5);
    case 3: return arena.String("delete");
    case 4: return arena.String("replace");
    case 5: return arena.SortedObject({});
    case 6: return arena.Array({});
    default: return arena.String("a");
  }
}

Value RandomObject::Damage(const Value& patch, Arena& arena) {
  if (patch.is_object()) {
    std::vector<Member> out;
    for (const Member& m : patch.Members()) {
      if (Chance(4)) continue;
      out.push_back({m.name, Chance(4) ? Odd(arena) : Damage(m.value, arena)});
    }
    if (Chance(3)) out.push_back({"$patch", Odd(arena)});
    if (Chance(2))
      out.push_back({"$retainKeys", arena.Array(std::vector<Value>{arena.String("name"), arena.String("type")})});
    return arena.Object(std::move(out));
  }
  if (!patch.is_array()) return patch;
  std::vector<Value> out;
  for (const Value& item : patch.Items()) {
    if (Chance(5)) continue;
    out.push_back(Chance(3) ? Odd(arena) : Damage(item, arena));
    if (Chance(4)) out.push_back(out.back());
  }
  if (Chance(8)) std::shuffle(out.begin(), out.end(), random_);
  return arena.Array(out);
}

Value RandomObject::Map(TypeId type, int depth, Arena& arena) {
  const Type& t = schema_.type(type);
  std::vector<Member> members;
  // Few fields of many, so that objects stay small and still go deep.
  const int percent = depth < 2 ? 60 : t.fields.size() > 12 ? 15 : 40;
  for (const Field& field : t.fields) {
    if (Chance(percent) && depth < kDeepest)
      members.push_back({arena.Copy(field.name), OfField(field, depth + 1, arena)});
  }
  if (t.has_additional) {
    for (const char* key : {"a", "b", "c/d", "$e"}) {
      if (Chance(35)) members.push_back({key, OfType(t.additional, depth + 1, arena)});
    }
  }
  return arena.Object(std::move(members));
}

Value RandomObject::OfField(const Field& field, int depth, Arena& arena) {
  if (options_.nulls && Chance(4)) return Value();
  if (field.is_list) return List(field, depth, arena);
  return field.kind == TypeKind::kObject ? Map(field.type, depth, arena) : Scalar(field.kind, arena);
}

Value RandomObject::OfType(TypeId type, int depth, Arena& arena) {
  const Type& t = schema_.type(type);
  if (t.kind == TypeKind::kObject) return Map(type, depth, arena);  // an empty one at the deepest
  return Scalar(t.kind, arena);
}

Value RandomObject::Scalar(TypeKind kind, Arena& arena) {
  switch (kind) {
    case TypeKind::kInteger: return Value::Int(static_cast<int64_t>(Below(4)));
    case TypeKind::kNumber: return Chance(50) ? Value::Double(0.5 + static_cast<double>(Below(3))) : Value::Int(2);
    case TypeKind::kBoolean: return Value::Bool(Chance(50));
    case TypeKind::kIntOrString: return Chance(50) ? Value::Int(static_cast<int64_t>(Below(3))) : arena.String("http");
    // Several spellings of few values.
    case TypeKind::kQuantity: return OneOf({"1", "1000m", "1.0", "500m", "0.5", "2"});
    case TypeKind::kTime:
      return OneOf({"2026-01-02T03:04:05.000000Z", "2026-01-02T05:04:05.000000+02:00", "2026-01-02T03:04:06.000000Z"});
    case TypeKind::kBytes: return OneOf({"YQ==", "YR==", "Yg==", ""});
    default: return OneOf({"a", "b", "c", "<d>", "1", "true"});
  }
}

Value RandomObject::OneOf(std::initializer_list<const char*> literals) {
  return Value::UnownedString(literals.begin()[Below(literals.size())]);
}

Value RandomObject::Item(const Field& field, int depth, Arena& arena) {
  if (field.patch_keys.empty() && field.identity_keys.empty()) return OfType(field.type, depth, arena);
  Value item = Map(field.type, depth, arena);
  std::vector<std::string> keys = field.patch_keys;
  keys.insert(keys.end(), field.identity_keys.begin(), field.identity_keys.end());
  for (const std::string& key : keys) {
    const Field* key_field = schema_.Find(field.type, key);
    const TypeKind kind = key_field == nullptr ? TypeKind::kString : key_field->kind;
    item = WithMember(item, arena.Copy(key), Scalar(kind, arena), arena);
  }
  return item;
}

std::vector<Value> RandomObject::Unique(std::vector<Value> items, const Field& field) {
  // Sets stay without duplicates: with them, Go's append on a decoded list with spare capacity disturbs the order of
  // live-only elements at random, so there is nothing to equal.
  if (field.strategy.list == ListMerge::kAtomic || (options_.duplicate_keys && !field.patch_keys.empty())) return items;
  std::set<std::string> seen;
  std::vector<Value> out;
  for (const Value& item : items) {
    std::string key;
    for (const std::string& name : field.patch_keys) key += WriteJson(*item.Find(name)) + ",";
    if (field.patch_keys.empty()) key = WriteJson(item);
    if (seen.insert(key).second) out.push_back(item);
  }
  return out;
}

Value RandomObject::List(const Field& field, int depth, Arena& arena) {
  std::vector<Value> items;
  for (uint64_t n = Below(depth > 5 ? 2 : 5); n > 0; --n) items.push_back(Item(field, depth, arena));
  return arena.Array(Unique(std::move(items), field));
}

Value RandomObject::ChangedMap(const Value& map, TypeId type, int depth, Arena& arena) {
  const Type& t = schema_.type(type);
  std::vector<Member> members;
  for (const Member& m : map.Members()) {
    if (depth == 0 && IsIdentity(m.name)) continue;
    if (Chance(12)) continue;  // gone
    const Field* field = schema_.Find(type, m.name);
    const TypeId inner = field != nullptr ? field->type : t.additional;
    members.push_back({m.name, Chance(60) ? ChangedField(m.value, field, inner, depth + 1, arena) : m.value});
  }
  for (const Field& field : t.fields) {
    if (Chance(4) && depth < kDeepest) members.push_back({arena.Copy(field.name), OfField(field, depth + 1, arena)});
  }
  if (t.has_additional && Chance(30)) members.push_back({"a", OfType(t.additional, depth + 1, arena)});
  return arena.Object(std::move(members));
}

Value RandomObject::ChangedField(const Value& value, const Field* field, TypeId type, int depth, Arena& arena) {
  if (value.is_object()) return ChangedMap(value, type, depth, arena);
  if (field == nullptr) return OfType(type, depth, arena);
  return value.is_array() && field->is_list ? ChangedList(value, *field, depth, arena) : OfField(*field, depth, arena);
}

Value RandomObject::ChangedList(const Value& list, const Field& field, int depth, Arena& arena) {
  std::vector<Value> items;
  for (const Value& item : list.Items()) {
    if (Chance(20)) continue;
    if (!item.is_object() || Chance(60)) {
      items.push_back(item);
      continue;
    }
    Value changed = ChangedMap(item, field.type, depth, arena);
    std::vector<std::string> keys = field.patch_keys;
    keys.insert(keys.end(), field.identity_keys.begin(), field.identity_keys.end());
    for (const std::string& key : keys) {
      if (const Value* kept = item.Find(key)) changed = WithMember(changed, arena.Copy(key), *kept, arena);
    }
    items.push_back(changed);
  }
  if (Chance(35)) items.push_back(Item(field, depth, arena));
  if (Chance(25)) std::shuffle(items.begin(), items.end(), random_);
  return arena.Array(Unique(std::move(items), field));
}

}  // namespace smp
