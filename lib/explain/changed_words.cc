#include "explain/changed_words.h"

#include <algorithm>
#include <span>

#include "base/line_diff.h"
#include "base/strings.h"
#include "value/columns.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

using Spans = std::span<const Span>;

constexpr size_t kNear = 4;                     // bytes between two changes that are shown as one
constexpr size_t kMostUnused = 8;               // bytes of context that a line gives up to be cut as the other one
constexpr size_t kLeastContext = 4;             // bytes around a change
constexpr size_t kLongestCompared = 1UL << 16;  // bytes; what differs in longer ones is one change

bool IsPartOfWord(char c) { return IsAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

// Returns the words, and each other character.
std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    while (IsPartOfWord(text[begin]) && end < text.size() && IsPartOfWord(text[end])) ++end;
    out.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

// Returns the size of what both texts begin with, in whole words.
size_t CommonHead(std::string_view a, std::string_view b) {
  auto size = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const auto splits = [&](std::string_view text) {
    return size > 0 && size < text.size() && IsPartOfWord(text[size - 1]) && IsPartOfWord(text[size]);
  };
  while (splits(a) || splits(b)) --size;
  return size;
}

size_t CommonTail(std::string_view a, std::string_view b) {
  auto size = static_cast<size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
  const auto splits = [&](std::string_view text) {
    const size_t at = text.size() - size;
    return size > 0 && at > 0 && IsPartOfWord(text[at - 1]) && IsPartOfWord(text[at]);
  };
  while (splits(a) || splits(b)) --size;
  return size;
}

// Adds a change, or makes the last one longer if it is near.
void AddChange(Span before, Span after, ChangedWords& out) {
  const bool near =
      !out.before.empty() && before.begin - out.before.back().end < kNear && after.begin - out.after.back().end < kNear;
  if (near) {
    out.before.back().end = before.end;
    out.after.back().end = after.end;
  } else {
    out.before.push_back(before);
    out.after.push_back(after);
  }
}

// Adds the changes between two texts that begin at these bytes of the lines.
void AddChanges(std::string_view before, size_t at_before, std::string_view after, size_t at_after, ChangedWords& out) {
  const std::vector<std::string_view> old = WordsOf(before), now = WordsOf(after);
  Span removed = {at_before, at_before}, added = {at_after, at_after};
  const auto flush = [&] {
    if (removed.begin < removed.end || added.begin < added.end) AddChange(removed, added, out);
  };
  for (const LineEdit& edit : DiffLines(old, now)) {
    if (edit.kind == LineEdit::Kind::kRemove) removed.end += old[edit.before].size();
    if (edit.kind == LineEdit::Kind::kAdd) added.end += now[edit.after].size();
    if (edit.kind != LineEdit::Kind::kKeep) continue;
    flush();
    removed.begin = removed.end += old[edit.before].size();
    added.begin = added.end += now[edit.after].size();
  }
  flush();
}

// Bytes around each change that are shown.
struct Context {
  size_t before = 0, after = 0;
};

// Returns the spans with their context, and … for the rest.
std::string Excerpt(std::string_view line, Spans spans, const Context& context) {
  std::string out;
  size_t shown = 0;  // where the part that is shown ends
  for (size_t i = 0; i < spans.size(); ++i) {
    size_t begin = spans[i].begin > context.before ? spans[i].begin - context.before : 0;
    while (begin > 0 && IsContinuation(line[begin])) --begin;
    if (begin > shown + kNear) {
      out += "…";
      shown = begin;
    }
    size_t end = std::max(std::min(spans[i].end + context.after, line.size()), shown);
    while (end < line.size() && IsContinuation(line[end])) ++end;
    out += line.substr(shown, end - shown);
    shown = end;
  }
  return StrCat(out, shown < line.size() ? "…" : "");
}

bool Fits(std::string_view line, Spans spans, const Context& context, size_t most) {
  return Columns(Excerpt(line, spans, context)) <= most;
}

// Returns the largest number up to `most` for which it holds. REQUIRES: it holds for 0, and not again once it does not.
template <class Condition>
size_t Largest(size_t most, const Condition& holds) {
  size_t least = 0;
  while (least < most) {
    const size_t middle = most - (most - least) / 2;
    if (holds(middle)) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

// In a line that is mostly changed, the words that stay do so by chance: that is one change.
ChangedWords WithoutChance(ChangedWords words, size_t size) {
  size_t changed = 0;
  for (const Span& span : words.before) changed += span.end - span.begin;
  if (changed * 2 < size) return words;
  return {{{words.before.front().begin, words.before.back().end}},
          {{words.after.front().begin, words.after.back().end}}};
}

// Returns the line around the beginning of a change that is too long; its ends, if it is the whole line.
std::string CutFirst(std::string_view line, const Span& first, size_t most) {
  const bool whole = first.begin == 0 && first.end == line.size();
  return whole ? CutMiddle(line, most) : CutAround(line, first.begin, first.end, most);
}

}  // namespace

ChangedWords DiffWords(std::string_view before, std::string_view after) {
  ChangedWords out;
  const size_t head = CommonHead(before, after);
  const std::string_view old = before.substr(head), now = after.substr(head);
  const size_t tail = CommonTail(old, now);
  const size_t old_size = old.size() - tail, now_size = now.size() - tail;
  if (old_size + now_size > kLongestCompared) {
    AddChange({head, head + old_size}, {head, head + now_size}, out);
  } else {
    AddChanges(old.substr(0, old_size), head, now.substr(0, now_size), head, out);
  }
  return out;
}

CutLine CutAroundChanges(std::string_view line, std::string_view other, size_t most) {
  if (Columns(line) <= most) return {std::string(line)};
  const ChangedWords words = WithoutChance(DiffWords(line, other), line.size());
  if (words.before.empty()) return {CutMiddle(line, most)};
  const size_t count = Largest(std::min(words.before.size(), most), [&](size_t n) {
    return n == 0 || Fits(line, Spans(words.before).first(n), {kLeastContext, kLeastContext}, most);
  });
  if (count == 0) return {CutFirst(line, words.before.front(), most), words.before.size() - 1};
  const Spans spans = Spans(words.before).first(count), there = Spans(words.after).first(count);
  const auto largest = [most](std::string_view text, Spans changes) {
    return Largest(most, [&](size_t n) { return n <= kLeastContext || Fits(text, changes, {n, n}, most); });
  };
  // Both lines begin at the same place, so that nobody takes what is left out of one of them for a change.
  const size_t own = largest(line, spans), shared = std::min(own, largest(other, there));
  const size_t after = Largest(most, [&](size_t n) { return n <= shared || Fits(line, spans, {shared, n}, most); });
  return {Excerpt(line, spans, {shared, after - shared > kMostUnused ? after : shared}), words.before.size() - count};
}

}  // namespace smp::explain
