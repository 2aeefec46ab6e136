#include "base/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace smp {

namespace {

using Ids = std::vector<uint32_t>;

constexpr int kMostEdits = 200;  // of a part without unique lines; a part with more is replaced as a whole

struct Part {
  size_t begin_a, end_a, begin_b, end_b;
};

// The positions of one kind of line in both texts.
struct Occurrences {
  size_t count_a = 0, count_b = 0;
  size_t a = 0, b = 0;  // the last ones
};

class Differ {
 public:
  Differ(const Ids& a, const Ids& b) : a_(a), b_(b) {}

  std::vector<LineEdit> Edits() {
    Part whole = {0, a_.size(), 0, b_.size()};
    const size_t tail = WithoutEnds(whole);
    size_t at_a = whole.begin_a, at_b = whole.begin_b;
    for (const auto& [a, b] : Anchors(whole)) {
      Between({at_a, a, at_b, b});
      Keep(a, b);
      at_a = a + 1;
      at_b = b + 1;
    }
    Between({at_a, whole.end_a, at_b, whole.end_b});
    for (size_t i = 0; i < tail; ++i) Keep(whole.end_a + i, whole.end_b + i);
    return std::move(edits_);
  }

 private:
  void Keep(size_t a, size_t b) { edits_.push_back({LineEdit::Kind::kKeep, a, b}); }

  void Replace(const Part& part) {
    for (size_t a = part.begin_a; a < part.end_a; ++a) {
      edits_.push_back({LineEdit::Kind::kRemove, a, part.begin_b});
    }
    for (size_t b = part.begin_b; b < part.end_b; ++b) edits_.push_back({LineEdit::Kind::kAdd, part.end_a, b});
  }

  // Keeps the common head, and takes the common tail from the part. Returns the tail's length.
  size_t WithoutEnds(Part& part) {
    while (part.begin_a < part.end_a && part.begin_b < part.end_b && a_[part.begin_a] == b_[part.begin_b]) {
      Keep(part.begin_a++, part.begin_b++);
    }
    size_t tail = 0;
    while (part.begin_a < part.end_a && part.begin_b < part.end_b && a_[part.end_a - 1] == b_[part.end_b - 1]) {
      --part.end_a;
      --part.end_b;
      ++tail;
    }
    return tail;
  }

  // Returns the lines that are in each side of the part once and keep their order.
  std::vector<std::pair<size_t, size_t>> Anchors(const Part& part) const {
    std::unordered_map<uint32_t, Occurrences> lines;
    for (size_t i = part.begin_a; i < part.end_a; ++i) {
      Occurrences& line = lines[a_[i]];
      ++line.count_a;
      line.a = i;
    }
    for (size_t i = part.begin_b; i < part.end_b; ++i) {
      Occurrences& line = lines[b_[i]];
      ++line.count_b;
      line.b = i;
    }
    std::vector<std::pair<size_t, size_t>> unique;
    std::vector<size_t> order;
    for (size_t i = part.begin_a; i < part.end_a; ++i) {
      const Occurrences& line = lines[a_[i]];
      if (line.count_a != 1 || line.count_b != 1) continue;
      unique.emplace_back(i, line.b);
      order.push_back(line.b);
    }
    std::vector<std::pair<size_t, size_t>> out;
    for (const size_t i : LongestIncreasing(order)) out.push_back(unique[i]);
    return out;
  }

  void Between(Part part) {
    const size_t tail = WithoutEnds(part);
    if (!Myers(part)) Replace(part);
    for (size_t i = 0; i < tail; ++i) Keep(part.end_a + i, part.end_b + i);
  }

  // E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, with all the furthest points remembered. Returns
  // false if more than kMostEdits edits are needed.
  bool Myers(const Part& part) {
    const auto n = static_cast<int>(part.end_a - part.begin_a), m = static_cast<int>(part.end_b - part.begin_b);
    const int most = std::min(n + m, kMostEdits);
    std::vector<int> furthest(static_cast<size_t>(2 * most + 3), 0);
    std::vector<std::vector<int>> rounds;
    const auto at = [most](int k) { return static_cast<size_t>(k + most + 1); };
    for (int d = 0; d <= most; ++d) {
      rounds.push_back(furthest);
      for (int k = -d; k <= d; k += 2) {
        const bool down = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]);
        int x = down ? furthest[at(k + 1)] : furthest[at(k - 1)] + 1;
        while (x < n && x - k < m && x - k >= 0 && Same(part, x, x - k)) ++x;
        furthest[at(k)] = x;
        if (x >= n && x - k >= m) return Trace(part, rounds, most), true;
      }
    }
    return false;
  }

  bool Same(const Part& part, int x, int y) const {
    return a_[part.begin_a + static_cast<size_t>(x)] == b_[part.begin_b + static_cast<size_t>(y)];
  }

  void Trace(const Part& part, const std::vector<std::vector<int>>& rounds, int most) {
    const auto at = [most](int k) { return static_cast<size_t>(k + most + 1); };
    auto x = static_cast<int>(part.end_a - part.begin_a), y = static_cast<int>(part.end_b - part.begin_b);
    std::vector<LineEdit> back;
    const auto add = [&](LineEdit::Kind kind) {
      back.push_back({kind, part.begin_a + static_cast<size_t>(x), part.begin_b + static_cast<size_t>(y)});
    };
    for (auto d = static_cast<int>(rounds.size()) - 1; x > 0 || y > 0; --d) {
      const std::vector<int>& furthest = rounds[static_cast<size_t>(d)];
      const int k = x - y;
      const bool down = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]);
      const int from_x = d == 0 ? 0 : furthest[at(down ? k + 1 : k - 1)];
      const int from_y = d == 0 ? 0 : from_x - (down ? k + 1 : k - 1);
      while (x > from_x && y > from_y) --x, --y, add(LineEdit::Kind::kKeep);
      if (x > from_x) --x, add(LineEdit::Kind::kRemove);
      if (y > from_y) --y, add(LineEdit::Kind::kAdd);
    }
    edits_.insert(edits_.end(), back.rbegin(), back.rend());
  }

  const Ids& a_;
  const Ids& b_;
  std::vector<LineEdit> edits_;
};

// Puts the removals of each run of changes before its additions.
void SortRuns(std::vector<LineEdit>& edits) {
  const auto keeps = [](const LineEdit& edit) { return edit.kind == LineEdit::Kind::kKeep; };
  for (auto begin = edits.begin(); begin != edits.end();) {
    begin = std::find_if_not(begin, edits.end(), keeps);
    const auto end = std::find_if(begin, edits.end(), keeps);
    std::stable_partition(begin, end, [](const LineEdit& edit) { return edit.kind == LineEdit::Kind::kRemove; });
    begin = end;
  }
}

}  // namespace

std::vector<size_t> LongestIncreasing(const std::vector<size_t>& numbers) {
  std::vector<size_t> ends;  // position of the smallest end of the subsequences of each length
  std::vector<size_t> previous(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto place = std::lower_bound(ends.begin(), ends.end(), numbers[i],
                                        [&](size_t end, size_t number) { return numbers[end] < number; });
    previous[i] = place == ends.begin() ? i : *(place - 1);
    if (place == ends.end()) {
      ends.push_back(i);
    } else {
      *place = i;
    }
  }
  std::vector<size_t> out;
  for (size_t i = ends.empty() ? 0 : ends.back(); out.size() < ends.size(); i = previous[i]) out.push_back(i);
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<LineEdit> DiffLines(const Ids& before, const Ids& after) {
  std::vector<LineEdit> edits = Differ(before, after).Edits();
  SortRuns(edits);
  return edits;
}

std::vector<LineEdit> DiffLines(const std::vector<std::string_view>& before,
                                const std::vector<std::string_view>& after) {
  ViewMap<uint32_t> ids;
  const auto ids_of = [&](const std::vector<std::string_view>& lines) {
    Ids out;
    for (const std::string_view line : lines) {
      out.push_back(ids.try_emplace(line, static_cast<uint32_t>(ids.size())).first->second);
    }
    return out;
  };
  const Ids before_ids = ids_of(before);
  return DiffLines(before_ids, ids_of(after));
}

}  // namespace smp
