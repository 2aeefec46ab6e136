#include "pull/replan.h"

#include <map>
#include <set>
#include <utility>

#include "base/strings.h"
#include "value/metadata.h"

namespace smp::pull {

namespace {

using explain::ReportRow;
using explain::RowOp;

// Returns the text of each path from the root to this one.
std::vector<std::string> Prefixes(const FieldPath& path) {
  std::vector<std::string> out;
  FieldPath prefix;
  for (const PathStep& step : path) {
    prefix.push_back(step);
    out.push_back(ToString(prefix));
  }
  return out;
}

// Where the changes are.
class Places {
 public:
  explicit Places(const std::vector<const Change*>& written) {
    for (const Change* change : written) {
      Add(change->path);
      if (!change->instead_of) continue;
      FieldPath former = change->path;
      former.back() = *change->instead_of;
      Add(former);
    }
  }

  bool IsAtOrBelow(const FieldPath& path) const {
    for (const std::string& prefix : Prefixes(path)) {
      if (changed_.contains(prefix)) return true;
    }
    return false;
  }
  bool IsAt(const FieldPath& path) const { return changed_.contains(ToString(path)); }
  bool IsAbove(const FieldPath& path) const { return around_.contains(ToString(path)); }

 private:
  void Add(const FieldPath& path) {
    std::vector<std::string> prefixes = Prefixes(path);
    changed_.insert(std::move(prefixes.back()));
    prefixes.pop_back();
    around_.insert(prefixes.begin(), prefixes.end());
  }

  std::set<std::string> changed_, around_;
};

// Rows of a plan that other rows bring with them: they may come and go.
bool Follows(Reason reason) {
  switch (reason) {
    case Reason::kUnion:
    case Reason::kRetainKeys:
    case Reason::kDerived:
    case Reason::kReordered:
    case Reason::kServer: return true;
    default: return false;
  }
}

using Rows = std::map<std::pair<std::string, RowOp>, const ReportRow*>;

Rows ByPath(const explain::ObjectReport& report) {
  Rows out;
  for (const ReportRow& row : report.rows) {
    if (row.op != RowOp::kKeep && !IsLastAppliedAnnotation(row.path))
      out.emplace(std::pair(ToString(row.path), row.op), &row);
  }
  return out;
}

bool SameManifest(const ReportRow& a, const ReportRow& b) {
  if (a.modified == nullptr || b.modified == nullptr) return a.modified == b.modified;
  return *a.modified == *b.modified;
}

std::string Still(const FieldPath& path) {
  return StrCat("the edited manifest would still differ from live at ", ToString(path), "; edit the file by hand");
}

std::string Also(const FieldPath& path) {
  return StrCat("the edited manifest would also say something else at ", ToString(path), "; edit the file by hand");
}

}  // namespace

std::string WhyUnsettled(const explain::ObjectReport& before, const explain::ObjectReport& after,
                         const std::vector<const Change*>& written) {
  const Places places(written);
  const Rows rows_before = ByPath(before), rows_after = ByPath(after);
  for (const auto& [key, row] : rows_after) {
    if (places.IsAtOrBelow(row->path)) return Still(row->path);
    const auto former = rows_before.find(key);
    const bool known =
        former != rows_before.end() && (places.IsAbove(row->path) || SameManifest(*former->second, *row));
    if (!known) return Also(row->path);
  }
  for (const auto& [key, row] : rows_before) {
    const bool touched = places.IsAtOrBelow(row->path) || places.IsAbove(row->path) || Follows(row->reason);
    if (!touched && !rows_after.contains(key)) return Also(row->path);
  }
  for (const ReportRow& row : after.rows) {
    if (row.op == RowOp::kKeep && places.IsAt(row.path)) return Still(row.path);
  }
  return "";
}

}  // namespace smp::pull
