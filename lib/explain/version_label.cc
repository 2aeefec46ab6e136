#include "explain/version_label.h"

#include <string_view>
#include <utility>

#include "base/strings.h"
#include "explain/image_words.h"
#include "explain/row_values.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

// Returns how surely the label is that of the program's version, the lowest first; 0: it is not. A generator's version is another's.
int RankOfLabel(const FieldPath& path) {
  if (path.size() < 3) return 0;
  const std::string_view map = path[path.size() - 2].name, name = path.back().name;
  if (map != "labels" && map != "annotations") return 0;
  if (name == "app.kubernetes.io/version") return 1;
  if (name == "version") return 2;
  const bool is_generators = name.starts_with("controller-gen.") || name.starts_with("helm.");
  return !is_generators && (name.ends_with("/version") || name.ends_with("/release")) ? 3 : 0;
}

}  // namespace

std::string ChangeOfVersionLabel(const ObjectReport& object) {
  constexpr size_t kLongest = 24;  // bytes
  std::pair<int, std::string> best = {0, ""};
  for (const ReportRow& row : object.rows) {
    const int rank = RankOfLabel(row.path);
    const Value *before = ValueBefore(row), *after = ValueAfter(row);
    const bool is_text = before != nullptr && after != nullptr && before->is_string() && after->is_string();
    if (rank == 0 || row.masked || !is_text || (best.first != 0 && best.first <= rank)) continue;
    best = {rank, StrCat(CutEnd(before->AsString(), kLongest), " → ", CutEnd(after->AsString(), kLongest))};
  }
  return best.second;
}

std::string WithVersionLabel(std::string image_words, const std::string& version) {
  if (version.empty() || !image_words.ends_with(kNewDigest)) return image_words;
  return StrCat(image_words, ", version label ", version);
}

}  // namespace smp::explain
