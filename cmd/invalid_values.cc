#include "cmd/invalid_values.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "lint/invalid.h"
#include "schema/builtin.h"
#include "value/path.h"

namespace smp::cmd {

namespace {

// Returns true if the value at `path` is `above`, or in it.
bool IsIn(std::string_view path, std::string_view above) {
  if (!path.starts_with(above)) return false;
  return path.size() == above.size() || above.empty() || path[above.size()] == '.' || path[above.size()] == '[';
}

bool Changes(const explain::ObjectReport& object, std::string_view path) {
  if (object.action == explain::Action::kCreate || object.action == explain::Action::kRecreate) return true;
  return std::ranges::any_of(object.rows, [&](const explain::ReportRow& row) {
    const std::string changed = ToString(row.path);
    return row.op != explain::RowOp::kKeep && (IsIn(path, changed) || IsIn(changed, path));
  });
}

}  // namespace

ToValidate::ToValidate(const apply::Prepared& prepared)
    : release(prepared.schema->release().value_or(BuiltinRelease())) {
  if (prepared.resource.strategic) after = prepared.live ? prepared.patch->outcome : prepared.desired;
}

void FindInvalidValues(const ToValidate& planned, explain::ObjectReport& object) {
  if (!planned.after || object.error || !object.differs()) return;
  for (const lint::Finding& finding : lint::InvalidValues(*planned.after, planned.release)) {
    if (Changes(object, finding.path)) object.invalid.push_back(StrCat(finding.path, ": ", finding.message));
  }
}

}  // namespace smp::cmd
