#include "edit/folded_text.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "yaml/characters.h"

namespace smp::edit {

namespace {

using Words = std::vector<std::string_view>;

// Returns the words between single spaces; the whole line if it may not be broken anywhere.
Words WordsOf(std::string_view line) {
  const bool has_wide_gap = line.find("  ") != std::string_view::npos || line.find('\t') != std::string_view::npos;
  return has_wide_gap ? Words{line} : Split(line, ' ');
}

// Returns the number of words of each written line; empty if the lines are not those of `line`.
std::vector<size_t> CountsOf(const std::vector<std::string>& written, std::string_view line) {
  if (Join(written, " ") != line) return {};
  std::vector<size_t> out;
  for (const std::string& part : written) out.push_back(WordsOf(part).size());
  return out;
}

std::string Joined(const Words& words, size_t begin, size_t count) {
  return Join(Words(words.begin() + static_cast<std::ptrdiff_t>(begin),
                    words.begin() + static_cast<std::ptrdiff_t>(begin + count)),
              " ");
}

// Breaks the words where the line would become longer than `width`.
void AddFilled(const Words& words, size_t begin, size_t end, size_t width, std::vector<std::string>& out) {
  std::string line;
  for (size_t i = begin; i < end; ++i) {
    if (!line.empty() && line.size() + 1 + words[i].size() > width) out.push_back(std::exchange(line, ""));
    line += StrCat(line.empty() ? "" : " ", words[i]);
  }
  if (!line.empty()) out.push_back(line);
}

// Returns the new line, broken as the old one: in the same places if both have as many words, else with the same lines at
// its beginning and end.
std::vector<std::string> Broken(const std::vector<std::string>& written, std::string_view before,
                                std::string_view now) {
  const Words words = WordsOf(now);
  const std::vector<size_t> counts = CountsOf(written, before);
  std::vector<std::string> out;
  size_t total = 0, width = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    total += counts[i];
    width = std::max(width, written[i].size());
  }
  if (counts.empty()) return {std::string(now)};
  if (total == words.size()) {
    for (size_t i = 0, at = 0; i < counts.size(); at += counts[i++]) out.push_back(Joined(words, at, counts[i]));
    return out;
  }
  size_t head = 0, tail = 0, begin = 0, end = words.size();
  for (; head < counts.size() && begin + counts[head] <= end && Joined(words, begin, counts[head]) == written[head];
       ++head) {
    out.push_back(written[head]);
    begin += counts[head];
  }
  for (; tail < counts.size() - head; ++tail) {
    const size_t at = counts.size() - 1 - tail;
    if (begin + counts[at] > end || Joined(words, end - counts[at], counts[at]) != written[at]) break;
    end -= counts[at];
  }
  AddFilled(words, begin, end, width, out);
  for (size_t i = counts.size() - tail; i < counts.size(); ++i) out.push_back(written[i]);
  return out;
}

bool CanBeFolded(const std::vector<std::string_view>& lines) {
  return std::ranges::none_of(lines, [](std::string_view line) {
    return !line.empty() && (yaml::IsBlank(line.front()) || yaml::IsBlank(line.back()));
  });
}

}  // namespace

FoldedLines Grouped(const std::vector<std::string_view>& written) {
  FoldedLines out(1);
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i].empty()) {
      out.emplace_back();
    } else {
      out.back().emplace_back(written[i]);
    }
  }
  return out;
}

std::vector<std::string> Ungrouped(const FoldedLines& folded) {
  std::vector<std::string> out;
  for (size_t i = 0; i < folded.size(); ++i) {
    if (i > 0) out.emplace_back();
    out.insert(out.end(), folded[i].begin(), folded[i].end());
  }
  return out;
}

std::optional<FoldedLines> Refolded(const FoldedLines& written, std::string_view before, std::string_view now) {
  const std::vector<std::string_view> old_lines = Split(before, '\n'), lines = Split(now, '\n');
  if (written.size() != old_lines.size() || !CanBeFolded(lines)) return std::nullopt;
  for (size_t i = 0; i < written.size(); ++i) {
    if (Join(written[i], " ") != old_lines[i]) return std::nullopt;
  }
  const size_t least = std::min(lines.size(), old_lines.size());
  size_t head = 0, tail = 0;
  while (head < least && lines[head] == old_lines[head]) ++head;
  while (tail < least - head && lines[lines.size() - 1 - tail] == old_lines[old_lines.size() - 1 - tail]) ++tail;
  FoldedLines out(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(head));
  for (size_t i = head; i + tail < lines.size(); ++i) {
    const bool has_former = lines.size() == old_lines.size() && !lines[i].empty();
    out.push_back(has_former         ? Broken(written[i], old_lines[i], lines[i])
                  : lines[i].empty() ? std::vector<std::string>()
                                     : std::vector<std::string>{std::string(lines[i])});
  }
  out.insert(out.end(), written.end() - static_cast<std::ptrdiff_t>(tail), written.end());
  return out;
}

}  // namespace smp::edit
