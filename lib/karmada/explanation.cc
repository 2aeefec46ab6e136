#include "karmada/explanation.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "value/escape.h"
#include "value/utf8.h"

namespace smp::karmada {

namespace {

constexpr size_t kMaxLines = 40;  // shown of one change
constexpr size_t kMaxLine = 120;  // bytes; longer lines are clipped around the change
constexpr size_t kContext = 40;

std::vector<std::string_view> Lines(std::string_view text) {
  if (text.empty()) return {};
  std::vector<std::string_view> out = Split(text, '\n');
  if (out.back().empty()) out.pop_back();
  return out;
}

template <class Sequence>
size_t CommonHead(const Sequence& a, const Sequence& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

template <class Sequence>
size_t CommonTail(const Sequence& a, const Sequence& b) {
  return static_cast<size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
}

// Returns the part of a long line around the bytes [from, to).
std::string Clip(std::string_view line, size_t from, size_t to) {
  if (line.size() <= kMaxLine) return std::string(line);
  const size_t begin = Utf8Prefix(line, from > kContext ? from - kContext : 0).size();
  const size_t end = Utf8Prefix(line, std::min(to + kContext, begin + 2 * kMaxLine)).size();
  return StrCat(begin > 0 ? "…" : "", line.substr(begin, end - begin), end < line.size() ? "…" : "");
}

// The differing lines of two texts, without the lines that they have in common at the beginning and the end.
struct Difference {
  std::vector<std::string_view> before;
  std::vector<std::string_view> after;
};

Difference Compare(std::string_view before, std::string_view after) {
  Difference out = {Lines(before), Lines(after)};
  const size_t head = CommonHead(out.before, out.after);
  const auto drop_head = [head](auto& lines) {
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(head));
  };
  drop_head(out.before);
  drop_head(out.after);
  const size_t tail = CommonTail(out.before, out.after);
  out.before.resize(out.before.size() - tail);
  out.after.resize(out.after.size() - tail);
  return out;
}

std::string Shown(char sign, const std::vector<std::string_view>& lines, const std::vector<std::string_view>& others) {
  std::string out;
  for (size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) {
    const std::string_view line = lines[i];
    const std::string_view other = i < others.size() ? others[i] : std::string_view();
    const size_t head = CommonHead(line, other);
    const size_t tail = std::min(CommonTail(line, other), line.size() - head);
    out += StrCat("      ", sign, " ", Visible(Clip(line, head, line.size() - tail), Newlines::kEscape), "\n");
  }
  if (lines.size() > kMaxLines) out += StrCat("      ", sign, " … and ", lines.size() - kMaxLines, " more lines\n");
  return out;
}

std::string_view TextOf(const std::optional<std::string>& text) { return text ? *text : std::string_view(); }

std::string ExplainMasked(const StepChange& change) {
  return StrCat(change.before ? "      - ***\n" : "", change.after ? "      + ***\n" : "");
}

std::string Explain(const StepChange& change, Secrets secrets) {
  if (change.before == change.after) return "";
  std::string out = StrCat("    ", Visible(change.path.empty() ? "the object" : change.path, Newlines::kEscape), "\n");
  if (change.secret && secrets == Secrets::kMask) return out + ExplainMasked(change);
  const Difference difference = Compare(TextOf(change.before), TextOf(change.after));
  out += Shown('-', difference.before, difference.after);
  out += Shown('+', difference.after, difference.before);
  if (difference.before.empty() && difference.after.empty()) out += "      only line endings differ\n";
  return out;
}

std::string Explain(const OverrideStep& step, Secrets secrets) {
  std::string changes;
  for (const StepChange& change : step.changes) changes += Explain(change, secrets);
  Error place = {ErrorCode::kPolicy, StrCat(step.policy, " ", step.place.path), {}, step.place.source};
  return StrCat("  ", Visible(step.what, Newlines::kEscape), "\n    by ", Visible(ToString(place), Newlines::kEscape),
                "\n", changes.empty() ? "    changes nothing\n" : changes);
}

}  // namespace

std::string ExplainSteps(const Overridden& overridden, Secrets secrets) {
  if (overridden.steps.empty()) return "  no policy changes it\n";
  std::string out;
  for (const OverrideStep& step : overridden.steps) out += Explain(step, secrets);
  return out;
}

}  // namespace smp::karmada
