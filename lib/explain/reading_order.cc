#include "explain/reading_order.h"

#include <algorithm>
#include <iterator>

namespace smp::explain {

namespace {

using UnsortedRows = std::span<const ReportRow*>;

template <size_t kSize>
int IndexOf(std::string_view name, const std::string_view (&names)[kSize]) {
  return static_cast<int>(std::ranges::find(names, name) - std::begin(names));
}

bool IsItemOfContainers(const FieldPath& path, size_t depth) {
  return depth > 0 && path[depth].kind == PathStep::Kind::kKey && IsContainerList(path[depth - 1].name);
}

int RankAt(const FieldPath& path, size_t depth) {
  if (depth >= path.size()) return -1;  // the whole map or list
  const PathStep& step = path[depth];
  if (step.kind != PathStep::Kind::kField) return 0;
  if (depth > 0 && IsItemOfContainers(path, depth - 1)) return RankInContainer(step.name);
  if (depth > 0 && path[depth - 1].name == "spec") return RankInPodSpec(step.name);
  return step.name == "metadata" ? 1 : 0;
}

// Returns the end of the rows with the same step at the depth as the first one.
size_t EndOfRun(UnsortedRows rows, size_t begin, size_t depth) {
  size_t end = begin + 1;
  const FieldPath& first = rows[begin]->path;
  while (end < rows.size() && first.size() > depth && rows[end]->path.size() > depth &&
         rows[end]->path[depth] == first[depth]) {
    ++end;
  }
  return end;
}

// Sorts rows that share their first `depth` steps. The recursion is bounded by the length of the paths.
void Arrange(UnsortedRows rows, size_t depth) {
  std::vector<UnsortedRows> runs;
  for (size_t begin = 0; begin < rows.size(); begin += runs.back().size()) {
    runs.push_back(rows.subspan(begin, EndOfRun(rows, begin, depth) - begin));
    if (runs.back().size() > 1) Arrange(runs.back(), depth + 1);
  }
  std::ranges::stable_sort(runs, {}, [depth](const UnsortedRows& run) { return RankAt(run.front()->path, depth); });
  std::vector<const ReportRow*> sorted;
  for (const UnsortedRows& run : runs) sorted.insert(sorted.end(), run.begin(), run.end());
  std::ranges::copy(sorted, rows.begin());
}

bool IsAboutContainers(const ReportRow& row) {
  return std::ranges::any_of(row.path, [](const PathStep& step) { return IsContainerList(step.name); });
}

}  // namespace

bool IsContainerList(std::string_view field) { return field == "containers" || field == "initContainers"; }

int RankInContainer(std::string_view field) {
  constexpr std::string_view kFirst[] = {"name",         "image",     "command",       "args",
                                         "ports",        "resources", "livenessProbe", "readinessProbe",
                                         "startupProbe", "lifecycle", "workingDir",    "securityContext",
                                         "env",          "envFrom",   "volumeMounts",  "volumeDevices"};
  return IndexOf(field, kFirst);
}

int RankInPodSpec(std::string_view field) {
  constexpr std::string_view kFirst[] = {"replicas", "containers", "initContainers"};
  return IndexOf(field, kFirst);
}

std::vector<const ReportRow*> InReadingOrder(const std::vector<ReportRow>& rows) {
  std::vector<const ReportRow*> out;
  for (const ReportRow& row : rows) out.push_back(&row);
  if (std::ranges::any_of(rows, IsAboutContainers)) Arrange(out, 0);
  return out;
}

}  // namespace smp::explain
