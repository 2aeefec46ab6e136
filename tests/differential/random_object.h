// Random objects of real kinds, made from the schema: what the differential tests compare on.
#pragma once

#include <random>
#include <string>

#include "schema/schema.h"
#include "value/document.h"

namespace smp {

struct RandomOptions {
  bool duplicate_keys = false;  // lists of objects may name a merge key twice
  bool nulls = false;           // members may be null
};

class RandomObject {
 public:
  // `seed` decides everything.
  RandomObject(const Schema& schema, RandomOptions options, uint64_t seed)
      : schema_(schema), options_(options), random_(seed) {}

  // An object of a kind, with apiVersion, kind and metadata.name.
  Value Make(const Resource& resource, Arena& arena);
  // The object with some fields and items changed, added, removed, reordered; apiVersion, kind and name stay.
  Value Mutate(const Value& object, const Resource& resource, Arena& arena);

  // The patch with something wrong (or merely odd) somewhere: directives changed, key fields gone, items doubled, kinds
  // mixed.
  Value Damage(const Value& patch, Arena& arena);

  // A value for one field, smaller the greater `depth` is (0 to 7).
  Value OfField(const Field& field, int depth, Arena& arena);
  Value Scalar(TypeKind kind, Arena& arena);

  uint64_t Below(uint64_t n) { return random_() % n; }
  bool Chance(int percent) { return Below(100) < static_cast<uint64_t>(percent); }

 private:
  Value Map(TypeId type, int depth, Arena& arena);
  Value List(const Field& field, int depth, Arena& arena);
  Value Item(const Field& field, int depth, Arena& arena);
  Value OfType(TypeId type, int depth, Arena& arena);
  Value ChangedMap(const Value& map, TypeId type, int depth, Arena& arena);
  Value ChangedField(const Value& value, const Field* field, TypeId type, int depth, Arena& arena);
  Value ChangedList(const Value& list, const Field& field, int depth, Arena& arena);
  Value Odd(Arena& arena);
  Value OneOf(std::initializer_list<const char*> literals);
  std::vector<Value> Unique(std::vector<Value> items, const Field& field);

  const Schema& schema_;
  const RandomOptions options_;
  std::mt19937_64 random_;
};

}  // namespace smp
