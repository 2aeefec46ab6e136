// Alignment: pairs the items of two lists that have the same identity (key values). Uses hash tables over the values of
// the key fields, which are not copied.
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

// kByKind: 1 (int64) and 1.0 (float64) differ, as in Go, and so in the server's merge. kByValue: they are equal.
enum class Numbers { kByKind, kByValue };

// Returns the kind of the items of both lists. Error: patch-format if they have several, or one that cannot be merged
// (lists, nulls), or if there are no items.
Result<Kind> ElementKind(std::span<const Value> a, std::span<const Value> b);

// What identifies an item: the item itself (a scalar), or the values of some of its fields.
struct KeyRule {
  const std::vector<std::string>* fields = nullptr;  // the key fields; nullptr: the items are scalars
  std::vector<const Value*> defaults =
      {};  // parallel to `fields`: each field's default, or nullptr; empty: no field has a default
  Numbers numbers = Numbers::kByKind;
  bool empty_is_absent = false;  // "" counts as absent if the field has a default
};

// Returns the value of the key field `rule.fields[k]` of an item: its default if it is absent, nullptr if it has none.
const Value* KeyOf(const Value& item, const KeyRule& rule, size_t k);

// How to treat an item without a key. kRefuse: return the error merge-key, with the item's index as path. kUnique: the
// item is equal to no other item.
enum class Keyless { kRefuse, kUnique };

// The identities of the items of one list. Points into the list, which must outlive it.
class Identities {
 public:
  static Result<Identities> Of(std::span<const Value> items, const KeyRule& rule, Keyless keyless);

  size_t size() const { return keys_.size() / width_; }
  bool Same(size_t i, const Identities& other, size_t j) const;
  size_t hash(size_t i) const { return keys_[i * width_].hash; }
  bool is_keyless(size_t i) const { return keys_[i * width_].value == nullptr; }  // equal to no item

 private:
  struct Key {
    const Value* value;  // nullptr: the item has no key
    size_t hash;         // of all key values of the item; set only in its first Key
  };

  Status Add(const Value& item, const KeyRule& rule);

  size_t width_ = 1;  // Keys per item
  Numbers numbers_ = Numbers::kByKind;
  std::vector<Key> keys_;
};

// Finds the positions of identities in a list. `list` must outlive it. Searches short lists linearly, long ones by
// hash.
class PositionIndex {
 public:
  explicit PositionIndex(const Identities& list);

  size_t First(const Identities& of, size_t i) const;  // position of the first item equal to of[i], or kNoPlace
  bool Contains(const Identities& of, size_t i) const { return First(of, i) != kNoPlace; }
  // Takes the last equal item that has not been taken yet. Returns its position, or kNoPlace if there is none.
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
  uint8_t taken_ = 0;            // for short lists: one bit per position, set if taken
  std::vector<uint32_t> heads_;  // of the hash chains; each chain begins with its last position
  std::vector<uint32_t> next_;
  std::vector<uint32_t> first_;  // for each position: the first position with the same identity
  bool has_duplicates_ = false;
};

// Returns true if the positions do not rise. Ignores kNoPlace: items without a partner.
bool OutOfOrder(const std::vector<size_t>& positions);

// Returns for each item of `wanted` the position of its partner in `side`, or kNoPlace. If identities repeat, the last
// pairs with the last, as in Go's strategicpatch. Each item has one partner at most.
std::vector<size_t> PairUp(const Identities& wanted, PositionIndex& side);

}  // namespace smp
