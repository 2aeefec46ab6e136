#include "smp/align.h"

#include <bit>
#include <cmath>
#include <functional>

#include "base/strings.h"
#include "value/path.h"

namespace smp {

namespace {

constexpr double kInt64Limit = 9223372036854775808.0;  // 2^63

// A double that is the integer to a person, as that integer.
bool IsWhole(double d) { return d >= -kInt64Limit && d < kInt64Limit && std::floor(d) == d; }

Value Canonical(const Value& v, Numbers numbers) {
  const bool whole = numbers == Numbers::kByValue && v.is_double() && IsWhole(v.AsDouble());
  return whole ? Value::Int(static_cast<int64_t>(v.AsDouble())) : v;
}

Error NoKey(std::string_view field) { return Error::MergeKey(StrCat("needs `", field, "`, the merge key of this list")); }

}  // namespace

Result<Identities> Identities::Of(std::span<const Value> items, const KeyRule& rule, Keyless keyless) {
  Identities out;
  if (rule.fields != nullptr && rule.fields->empty()) return Error::MergeKey("the schema names no merge key for this list");
  out.width_ = rule.fields == nullptr ? 1 : rule.fields->size();
  out.numbers_ = rule.numbers;
  out.values_.reserve(items.size() * out.width_);
  out.hashes_.reserve(items.size());
  for (const Value& item : items) {
    const size_t before = out.values_.size();
    auto status = out.Add(item, rule);
    if (status.ok()) continue;
    if (keyless == Keyless::kRefuse) {
      return Under(PathStep::Index(static_cast<int64_t>(out.hashes_.size())), std::move(status).error());
    }
    out.values_.resize(before);
    out.values_.resize(before + out.width_, nullptr);
    out.hashes_.push_back(0);
  }
  return out;
}

Status Identities::Add(const Value& item, const KeyRule& rule) {
  size_t hash = 0;
  for (size_t k = 0; k < width_; ++k) {
    const Value* value = &item;
    if (rule.fields != nullptr) {
      if (!item.is_object()) return Error::MergeKey(StrCat("expected an object, found ", KindName(item.kind())));
      value = item.Find((*rule.fields)[k]);
      if (value == nullptr && !rule.defaults.empty()) value = rule.defaults[k];
      if (value == nullptr) return NoKey((*rule.fields)[k]);
    }
    if (!value->is_scalar() || value->is_null()) {
      return Error::MergeKey(
          StrCat("a list is merged by strings, numbers and booleans, not by ", KindName(value->kind())));
    }
    values_.push_back(value);
    hash = hash * 31 + HashValue(Canonical(*value, numbers_));
  }
  hashes_.push_back(hash);
  return Ok();
}

bool Identities::Same(size_t i, const Identities& other, size_t j) const {
  if (hashes_[i] != other.hashes_[j] || width_ != other.width_) return false;
  for (size_t k = 0; k < width_; ++k) {
    const Value* a = values_[i * width_ + k];
    const Value* b = other.values_[j * width_ + k];
    if (a == nullptr || b == nullptr || !(Canonical(*a, numbers_) == Canonical(*b, other.numbers_))) return false;
  }
  return true;
}

PositionIndex::PositionIndex(const Identities& list)
    : list_(list), heads_(std::bit_ceil(list.size() * 2 + 1), kEnd), next_(list.size(), kEnd), first_(list.size()) {
  for (size_t i = 0; i < list.size(); ++i) Insert(static_cast<uint32_t>(i));
}

uint32_t PositionIndex::FindIn(uint32_t chain, const Identities& of, size_t i) const {
  while (chain != kEnd && !list_.Same(chain, of, i)) chain = next_[chain];
  return chain;
}

// The latest of equal ones stands in front, so that many duplicates cost no long walks.
void PositionIndex::Insert(uint32_t place) {
  uint32_t& head = heads_[Bucket(list_.hash(place))];
  const uint32_t same = FindIn(head, list_, place);
  first_[place] = same == kEnd ? place : first_[same];
  has_duplicates_ |= same != kEnd;
  next_[place] = head;
  head = place;
}

size_t PositionIndex::First(const Identities& of, size_t i) const {
  const uint32_t same = FindIn(heads_[Bucket(of.hash(i))], of, i);
  return same == kEnd ? kNoPlace : first_[same];
}

size_t PositionIndex::TakeLast(const Identities& of, size_t i) {
  uint32_t* link = &heads_[Bucket(of.hash(i))];
  for (; *link != kEnd; link = &next_[*link]) {
    const uint32_t at = *link;
    if (!list_.Same(at, of, i)) continue;
    *link = next_[at];  // unlinked: many duplicates are found in one step each
    return at;
  }
  return kNoPlace;
}

std::vector<size_t> PairUp(const Identities& wanted, PositionIndex& side) {
  std::vector<size_t> partners(wanted.size(), kNoPlace);
  for (size_t i = wanted.size(); i-- > 0;) partners[i] = side.TakeLast(wanted, i);
  return partners;
}

}  // namespace smp
