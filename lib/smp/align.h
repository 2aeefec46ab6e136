// Alignment: finds the items of two lists that belong together. Hash tables over the values of the key fields, without
// copying them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "smp/order.h"
#include "value/value.h"

namespace smp {

// Go, and so the server's merge, distinguishes 1 (int64) and 1.0 (float64). kByValue takes them for one number.
enum class Numbers { kByKind, kByValue };

// Returns the kind of the items of both lists. Error: patch-format if they have several, or one that cannot be merged
// (lists, nulls), or if there are no items.
Result<Kind> ElementKind(std::span<const Value> a, std::span<const Value> b);

// What identifies an item: the item itself (a scalar), or the values of some of its fields.
struct KeyRule {
  const std::vector<std::string>* fields = nullptr;  // nullptr: scalars
  std::vector<const Value*> defaults =
      {};  // of absent fields, parallel to `fields`; empty, or nullptr where there is none
  Numbers numbers = Numbers::kByKind;
  bool empty_is_absent = false;  // "" too is the default, where there is one
};

// kRefuse: an item without its key is an error (merge-key, with the index as path). kUnique: it is an item of its own
// that equals none.
enum class Keyless { kRefuse, kUnique };

// The identities of the items of one list. Points into the list.
class Identities {
 public:
  static Result<Identities> Of(std::span<const Value> items, const KeyRule& rule, Keyless keyless);

  size_t size() const { return keys_.size() / width_; }
  bool Same(size_t i, const Identities& other, size_t j) const;
  size_t hash(size_t i) const { return keys_[i * width_].hash; }

 private:
  struct Key {
    const Value* value;  // nullptr: the item has no key
    size_t hash;         // of all key values of the item, in its first Key
  };

  Status Add(const Value& item, const KeyRule& rule);

  size_t width_ = 1;  // Keys per item
  Numbers numbers_ = Numbers::kByKind;
  std::vector<Key> keys_;
};

// Finds the positions of identities in a list. The Identities must outlive it. Short lists are searched, long ones
// hashed.
class PositionIndex {
 public:
  explicit PositionIndex(const Identities& list);

  size_t First(const Identities& of, size_t i) const;  // its first place, or kNoPlace
  bool Contains(const Identities& of, size_t i) const { return First(of, i) != kNoPlace; }
  // The last place that was not taken yet, or kNoPlace; takes it.
  size_t TakeLast(const Identities& of, size_t i);
  bool has_duplicates() const { return has_duplicates_; }

 private:
  static constexpr size_t kShort = 8;
  static constexpr uint32_t kEnd = static_cast<uint32_t>(-1);

  bool is_short() const { return list_.size() <= kShort; }
  size_t Search(const Identities& of, size_t i) const;
  size_t TakeLastShort(const Identities& of, size_t i);
  size_t Bucket(size_t hash) const { return hash & (heads_.size() - 1); }
  uint32_t FindIn(uint32_t chain, const Identities& of, size_t i) const;
  void Insert(uint32_t place);

  const Identities& list_;
  uint8_t taken_ = 0;            // short lists: one bit a place
  std::vector<uint32_t> heads_;  // of chains, latest place first
  std::vector<uint32_t> next_;
  std::vector<uint32_t> first_;  // of each place: the first place with the same identity
  bool has_duplicates_ = false;
};

// For each item of `wanted` its partner in `side` (kNoPlace: none). Of equal identities the last pairs with the last,
// as the reference does it; each item has one partner at most.
std::vector<size_t> PairUp(const Identities& wanted, PositionIndex& side);

}  // namespace smp
