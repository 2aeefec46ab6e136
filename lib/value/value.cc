#include "value/value.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "value/names.h"

namespace smp {

namespace {

size_t Mix(size_t seed, size_t hash) { return seed ^ (hash + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2)); }

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBool: return "boolean";
    case Kind::kInt: return "integer";
    case Kind::kDouble: return "number";
    case Kind::kString: return "string";
    case Kind::kArray: return "array";
    case Kind::kObject: return "object";
  }
  return "null";
}

Value Value::Bool(bool b) {
  Value v;
  v.kind_ = Kind::kBool;
  v.bool_ = b;
  return v;
}

Value Value::Int(int64_t i) {
  Value v;
  v.kind_ = Kind::kInt;
  v.int_ = i;
  return v;
}

Value Value::Double(double d) {
  Value v;
  v.kind_ = Kind::kDouble;
  v.double_ = d;
  return v;
}

Value Value::UnownedString(std::string_view s) {
  Value v;
  v.kind_ = Kind::kString;
  v.size_ = static_cast<uint32_t>(s.size());
  v.string_ = s.data();
  return v;
}

Value Value::UnownedArray(std::span<const Value> items) {
  Value v;
  v.kind_ = Kind::kArray;
  v.size_ = static_cast<uint32_t>(items.size());
  v.items_ = items.data();
  return v;
}

Value Value::UnownedObject(std::span<const Member> members) {
  Value v;
  v.kind_ = Kind::kObject;
  v.size_ = static_cast<uint32_t>(members.size());
  v.members_ = members.data();
  return v;
}

std::span<const Member> Value::Members() const { return {members_, size_}; }

const Value* Value::Find(std::string_view name) const {
  if (!is_object()) return nullptr;
  const std::span<const Member> members = Members();
  const auto at = std::lower_bound(members.begin(), members.end(), name,
                                   [](const Member& m, std::string_view n) { return CompareNames(m.name, n) < 0; });
  return at != members.end() && SameNames(at->name, name) ? &at->value : nullptr;
}

const Value* Value::FindPath(std::initializer_list<std::string_view> names) const {
  const Value* at = this;
  for (const std::string_view name : names) {
    at = at->Find(name);
    if (at == nullptr) return nullptr;
  }
  return at;
}

std::string_view Value::StringOr(std::string_view name, std::string_view fallback) const {
  const Value* v = Find(name);
  return v != nullptr && v->is_string() ? v->AsString() : fallback;
}

size_t HashValue(const Value& value) {
  size_t hash = static_cast<size_t>(value.kind());
  switch (value.kind()) {
    case Kind::kNull: return hash;
    case Kind::kBool: return Mix(hash, value.AsBool() ? 1 : 0);
    case Kind::kInt: return Mix(hash, HashNumber(static_cast<uint64_t>(value.AsInt())));
    case Kind::kDouble: return Mix(hash, HashNumber(std::bit_cast<uint64_t>(value.AsDouble() + 0.0)));
    case Kind::kString: return Mix(hash, HashText(value.AsString()));
    case Kind::kArray:
      for (const Value& item : value.Items()) hash = Mix(hash, HashValue(item));
      return hash;
    case Kind::kObject:
      for (const Member& m : value.Members()) {
        hash = Mix(Mix(hash, HashText(m.name)), HashValue(m.value));
      }
      return hash;
  }
  return hash;
}

}  // namespace smp
