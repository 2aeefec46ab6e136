#include "smp/align.h"

#include <bit>
#include <cmath>
#include <optional>

#include "base/strings.h"
#include "value/path.h"

namespace smp {

namespace {

constexpr double kInt64Limit = 9223372036854775808.0;  // 2^63

// Returns true if `d` is integral and fits into int64.
bool IsWhole(double d) { return d >= -kInt64Limit && d < kInt64Limit && std::floor(d) == d; }

Value Canonical(const Value& v, Numbers numbers) {
  const bool whole = numbers == Numbers::kByValue && v.is_double() && IsWhole(v.AsDouble());
  return whole ? Value::Int(static_cast<int64_t>(v.AsDouble())) : v;
}

Error NoKey(std::string_view field) {
  return Error::MergeKey(StrCat("needs `", field, "`, the merge key of this list"));
}

// Returns true if a key counts as absent. Go treats null keys as equal; with Numbers::kByValue, null is no key.
bool SaysNothing(const Value& key, const Value* fallback, const KeyRule& rule) {
  if (key.is_null()) return rule.numbers == Numbers::kByValue;
  return rule.empty_is_absent && fallback != nullptr && key.is_string() && key.empty();
}

}  // namespace

Result<Kind> ElementKind(std::span<const Value> a, std::span<const Value> b) {
  std::optional<Kind> kind;
  for (const auto& list : {a, b}) {
    for (const Value& v : list) {
      if (kind && *kind != v.kind()) return Error::PatchFormat("the list has items of different kinds");
      kind = v.kind();
    }
  }
  if (!kind) return Error::PatchFormat("no items on either side");
  if (*kind == Kind::kArray) return Error::PatchFormat("lists of lists cannot be merged");
  if (*kind == Kind::kNull) return Error::PatchFormat("a list with null items cannot be merged");
  return *kind;
}

const Value* KeyOf(const Value& item, const KeyRule& rule, size_t k) {
  const Value* value = item.Find((*rule.fields)[k]);
  const Value* fallback = rule.defaults.empty() ? nullptr : rule.defaults[k];
  return value == nullptr || SaysNothing(*value, fallback, rule) ? fallback : value;
}

Result<Identities> Identities::Of(std::span<const Value> items, const KeyRule& rule, Keyless keyless) {
  Identities out;
  if (rule.fields != nullptr && rule.fields->empty())
    return Error::MergeKey("the schema has no merge key for this list");
  out.width_ = rule.fields == nullptr ? 1 : rule.fields->size();
  out.numbers_ = rule.numbers;
  out.keys_.reserve(items.size() * out.width_);
  for (const Value& item : items) {
    const size_t before = out.keys_.size();
    auto status = out.Add(item, rule);
    if (status.ok()) continue;
    if (keyless == Keyless::kRefuse) {
      return Under(PathStep::Index(static_cast<int64_t>(before / out.width_)), std::move(status).error());
    }
    out.keys_.resize(before);
    out.keys_.resize(before + out.width_, Key{nullptr, 0});
  }
  return out;
}

Status Identities::Add(const Value& item, const KeyRule& rule) {
  const size_t first = keys_.size();
  size_t hash = 0;
  for (size_t k = 0; k < width_; ++k) {
    const Value* value = &item;
    if (rule.fields != nullptr) {
      if (!item.is_object()) return Error::MergeKey(StrCat("expected an object, found ", KindName(item.kind())));
      value = KeyOf(item, rule, k);
      if (value == nullptr) return NoKey((*rule.fields)[k]);
    }
    if (!value->is_scalar() || (value->is_null() && numbers_ == Numbers::kByValue)) {
      return Error::MergeKey(
          StrCat("list items can only be merged by strings, numbers and booleans, not by ", KindName(value->kind())));
    }
    hash = hash * 31 + HashValue(Canonical(*value, numbers_));
    keys_.push_back({value, 0});
  }
  keys_[first].hash = hash;
  return Ok();
}

bool Identities::Same(size_t i, const Identities& other, size_t j) const {
  if (hash(i) != other.hash(j) || width_ != other.width_) return false;
  for (size_t k = 0; k < width_; ++k) {
    const Value* a = keys_[i * width_ + k].value;
    const Value* b = other.keys_[j * width_ + k].value;
    if (a == nullptr || b == nullptr || !(Canonical(*a, numbers_) == Canonical(*b, other.numbers_))) return false;
  }
  return true;
}

PositionIndex::PositionIndex(const Identities& list) : list_(list) {
  if (is_short()) {
    for (size_t i = 1; i < list.size() && !has_duplicates_; ++i) has_duplicates_ = Search(list, i) < i;
    return;
  }
  heads_.assign(std::bit_ceil(list.size() * 2), kEnd);
  next_.assign(list.size(), kEnd);
  first_.resize(list.size());
  for (size_t i = 0; i < list.size(); ++i) Insert(static_cast<uint32_t>(i));
}

size_t PositionIndex::Search(const Identities& of, size_t i) const {
  for (size_t at = 0; at < list_.size(); ++at) {
    if (list_.Same(at, of, i)) return at;
  }
  return kNoPlace;
}

size_t PositionIndex::TakeLastShort(const Identities& of, size_t i) {
  for (size_t at = list_.size(); at-- > 0;) {
    const uint8_t bit = static_cast<uint8_t>(1U << at);
    if ((taken_ & bit) != 0 || !list_.Same(at, of, i)) continue;
    taken_ |= bit;
    return at;
  }
  return kNoPlace;
}

uint32_t PositionIndex::FindIn(uint32_t chain, const Identities& of, size_t i) const {
  while (chain != kEnd && !list_.Same(chain, of, i)) chain = next_[chain];
  return chain;
}

// Puts the last of equal items first in the chain, so that many duplicates do not cause long searches.
void PositionIndex::Insert(uint32_t place) {
  first_[place] = place;
  if (list_.is_keyless(place)) return;
  uint32_t& head = heads_[Bucket(list_.hash(place))];
  const uint32_t same = FindIn(head, list_, place);
  if (same != kEnd) first_[place] = first_[same];
  has_duplicates_ |= same != kEnd;
  next_[place] = head;
  head = place;
}

size_t PositionIndex::First(const Identities& of, size_t i) const {
  if (is_short()) return Search(of, i);
  if (of.is_keyless(i)) return kNoPlace;
  const uint32_t same = FindIn(heads_[Bucket(of.hash(i))], of, i);
  return same == kEnd ? kNoPlace : first_[same];
}

size_t PositionIndex::TakeLast(const Identities& of, size_t i) {
  if (is_short()) return TakeLastShort(of, i);
  if (of.is_keyless(i)) return kNoPlace;
  uint32_t* link = &heads_[Bucket(of.hash(i))];
  for (; *link != kEnd; link = &next_[*link]) {
    const uint32_t at = *link;
    if (!list_.Same(at, of, i)) continue;
    *link = next_[at];  // unlink it, so that each of many duplicates is found in one step
    return at;
  }
  return kNoPlace;
}

std::vector<size_t> PairUp(const Identities& wanted, PositionIndex& side) {
  std::vector<size_t> partners(wanted.size(), kNoPlace);
  for (size_t i = wanted.size(); i-- > 0;) partners[i] = side.TakeLast(wanted, i);
  return partners;
}

bool OutOfOrder(const std::vector<size_t>& positions) {
  size_t last = 0;
  for (const size_t at : positions) {
    if (at == kNoPlace) continue;
    if (at < last) return true;
    last = at;
  }
  return false;
}

}  // namespace smp
