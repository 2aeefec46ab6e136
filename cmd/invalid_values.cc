#include "cmd/invalid_values.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "lint/invalid.h"
#include "schema/builtin.h"
#include "value/path.h"

namespace smp::cmd {

namespace {

// The paths of the rows that change something.
class ChangedPaths {
 public:
  explicit ChangedPaths(const explain::ObjectReport& object)
      : all_(object.action == explain::Action::kCreate || object.action == explain::Action::kRecreate) {
    for (const explain::ReportRow& row : object.rows) {
      if (row.op != explain::RowOp::kKeep) paths_.insert(ToString(row.path));
    }
  }

  // Returns true if the value at the path changes, or one above or below it.
  bool Touch(const std::string& path) const {
    return all_ || HasAbove(path) || HasBelow(path, '.') || HasBelow(path, '[');
  }

 private:
  bool HasAbove(const std::string& path) const {
    for (size_t end = path.find_first_of(".["); end != path.npos; end = path.find_first_of(".[", end + 1)) {
      if (paths_.contains(path.substr(0, end))) return true;
    }
    return paths_.contains(path) || paths_.contains("");
  }

  bool HasBelow(const std::string& path, char separator) const {
    const std::string begin = path.empty() ? "" : path + separator;
    const auto at = paths_.lower_bound(begin);
    return at != paths_.end() && at->starts_with(begin);
  }

  const bool all_;  // of a new object
  std::set<std::string> paths_;
};

// Returns "spec.ports[].name" of "spec.ports[2].name": items may get another place.
std::string WithoutPlaces(std::string path) {
  std::erase_if(path, IsDigit);
  return path;
}

}  // namespace

ToValidate::ToValidate(const apply::Prepared& prepared)
    : release(prepared.schema->release().value_or(BuiltinRelease())) {
  if (!prepared.resource.strategic) return;
  after = prepared.live ? prepared.patch->outcome : prepared.desired;
  before = prepared.live;
}

void FindInvalidValues(const ToValidate& planned, explain::ObjectReport& object) {
  if (!planned.after || object.error || !object.differs()) return;
  const std::vector<lint::Finding> findings = lint::InvalidValues(*planned.after, planned.release);
  if (findings.empty()) return;
  const ChangedPaths changed(object);
  std::set<std::pair<std::string, std::string>> known;
  const bool exists = planned.before && object.action == explain::Action::kChange;
  for (const lint::Finding& finding :
       exists ? lint::InvalidValues(*planned.before, planned.release) : std::vector<lint::Finding>()) {
    known.emplace(WithoutPlaces(finding.path), finding.message);
  }
  for (const lint::Finding& finding : findings) {
    const bool is_new = exists && !known.contains({WithoutPlaces(finding.path), finding.message});
    if (is_new || changed.Touch(finding.path)) object.invalid.push_back(StrCat(finding.path, ": ", finding.message));
  }
}

}  // namespace smp::cmd
