#include "pull/item_pairs.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/line_diff.h"
#include "base/strings.h"
#include "value/json.h"

namespace smp::pull {

namespace {

constexpr size_t kMostCompared = 250'000;   // pairs of items
constexpr uint64_t kEqual = 1'000'000'000;  // the gain of a pair that has everything in common

// Hashes of the scalars of an item and of where in it they are, sorted. A list counts as a bag.
using Leaves = std::vector<size_t>;

size_t Hash(size_t at, std::string_view text) { return std::hash<std::string>()(StrCat(at, ":", text)); }

// The recursion is bounded by the parser's kMaxDepth.
void AddLeaves(const Value& value, size_t at, Leaves& out) {
  if (value.is_scalar() || value.empty()) return out.push_back(Hash(at, WriteJson(value)));
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) AddLeaves(item, at, out);
  for (const Member& m : value.is_object() ? value.Members() : std::span<const Member>()) {
    AddLeaves(m.value, Hash(at, m.name), out);
  }
}

Leaves LeavesOf(const Value& item) {
  Leaves out;
  AddLeaves(item, 0, out);
  // Arguments such as --level=info are the same one with another value.
  if (item.is_string()) out.push_back(Hash(1, item.AsString().substr(0, item.AsString().find('='))));
  std::ranges::sort(out);
  return out;
}

// Numbers items. Equal items have equal numbers.
class Numbers {
 public:
  std::vector<uint32_t> Of(std::span<const Value> list) {
    std::vector<uint32_t> out;
    for (const Value& item : list) {
      out.push_back(numbers_.try_emplace(WriteJson(item), static_cast<uint32_t>(numbers_.size())).first->second);
    }
    return out;
  }

 private:
  std::map<std::string, uint32_t> numbers_;
};

// A number for each removed and each added item.
struct Table {
  Table(size_t row_count, size_t column_count)
      : rows(row_count), columns(column_count), cells(row_count * column_count) {}

  uint64_t& at(size_t i, size_t j) { return cells[i * columns + j]; }
  uint64_t at(size_t i, size_t j) const { return cells[i * columns + j]; }

  size_t rows, columns;
  std::vector<uint64_t> cells;
};

// Returns what the items have in common, if it is half of them at least, and else 1. `may_differ`: 0 if it is nothing, as
// some items must have gone or come.
uint64_t Gain(const Leaves& a, const Leaves& b, bool may_differ) {
  Leaves common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  const size_t both = a.size() + b.size();
  if (common.size() * 4 >= both) return kEqual / both * common.size() * 2;
  return may_differ && common.empty() ? 0 : 1;
}

// Returns the largest sums of gains that pairs in order have, of the removed items from i on and the added ones from j on.
Table BestSums(const Table& gains) {
  Table out(gains.rows + 1, gains.columns + 1);
  for (size_t i = gains.rows; i-- > 0;) {
    for (size_t j = gains.columns; j-- > 0;) {
      out.at(i, j) = std::max({gains.at(i, j) + out.at(i + 1, j + 1), out.at(i + 1, j), out.at(i, j + 1)});
    }
  }
  return out;
}

class Pairing {
 public:
  Pairing(std::span<const Value> before, std::span<const Value> after)
      : before_(before), after_(after), pairs_(after.size()) {}

  std::vector<std::optional<size_t>> Find() {
    Numbers numbers;
    const std::vector<uint32_t> before = numbers.Of(before_), after = numbers.Of(after_);
    const std::vector<LineEdit> edits = DiffLines(before, after);
    const std::vector<bool> moved = PairEqual(edits, before, after);
    Run run;
    for (const LineEdit& edit : edits) {
      if (edit.kind == LineEdit::Kind::kKeep) PairRun(std::exchange(run, {}));
      if (edit.kind == LineEdit::Kind::kRemove && !moved[edit.before]) run.removed.push_back(edit.before);
      if (edit.kind == LineEdit::Kind::kAdd && !pairs_[edit.after]) run.added.push_back(edit.after);
    }
    PairRun(run);
    return std::move(pairs_);
  }

 private:
  // What differs between two items that stay.
  struct Run {
    std::vector<size_t> removed, added;
  };

  // Pairs equal items. Returns which of `before` are at another place afterwards.
  std::vector<bool> PairEqual(const std::vector<LineEdit>& edits, const std::vector<uint32_t>& before,
                              const std::vector<uint32_t>& after) {
    std::multimap<uint32_t, size_t> removed;
    for (const LineEdit& edit : edits) {
      if (edit.kind == LineEdit::Kind::kKeep) pairs_[edit.after] = edit.before;
      if (edit.kind == LineEdit::Kind::kRemove) removed.emplace(before[edit.before], edit.before);
    }
    std::vector<bool> moved(before.size());
    for (size_t i = 0; i < after.size(); ++i) {
      const auto equal = pairs_[i] ? removed.end() : removed.find(after[i]);
      if (equal == removed.end()) continue;
      pairs_[i] = equal->second;
      moved[equal->second] = true;
      removed.erase(equal);
    }
    return moved;
  }

  void PairRun(const Run& run) {
    const size_t rows = run.removed.size(), columns = run.added.size();
    if (rows == 0 || columns == 0) return;
    if (rows > kMostCompared / columns) return PairInOrder(run);
    const Table gains = Gains(run), best = BestSums(gains);
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
      const bool is_pair = gains.at(i, j) > 0 && best.at(i, j) == gains.at(i, j) + best.at(i + 1, j + 1);
      if (is_pair) {
        pairs_[run.added[j++]] = run.removed[i++];
      } else {
        ++(best.at(i, j) == best.at(i + 1, j) ? i : j);
      }
    }
  }

  void PairInOrder(const Run& run) {
    for (size_t i = 0; i < std::min(run.removed.size(), run.added.size()); ++i) pairs_[run.added[i]] = run.removed[i];
  }

  // Returns the gain of each removed item with each added one.
  Table Gains(const Run& run) const {
    std::vector<Leaves> of_added;
    for (const size_t j : run.added) of_added.push_back(LeavesOf(after_[j]));
    Table out(run.removed.size(), run.added.size());
    for (size_t i = 0; i < out.rows; ++i) {
      const Value& removed = before_[run.removed[i]];
      const Leaves of_removed = LeavesOf(removed);
      for (size_t j = 0; j < out.columns; ++j) {
        const bool are_maps = removed.is_object() && after_[run.added[j]].is_object();
        out.at(i, j) = Gain(of_removed, of_added[j], are_maps && out.rows != out.columns);
      }
    }
    return out;
  }

  const std::span<const Value> before_, after_;
  std::vector<std::optional<size_t>> pairs_;
};

}  // namespace

std::vector<std::optional<size_t>> PairItems(std::span<const Value> before, std::span<const Value> after) {
  return Pairing(before, after).Find();
}

}  // namespace smp::pull
