#include "explain/summary.h"

#include "base/strings.h"
#include "explain/in_words.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

constexpr size_t kActionWidth = 10;  // of "recreate" and "unchanged", and a space

// A new object changes as a whole: its fields say nothing.
std::string Changes(const ObjectReport& object) {
  const size_t count = CountChanges(object);
  if (count == 0 || object.action == Action::kCreate) return {};
  return StrCat(": ", ChangedFields(object), " (", count, count == 1 ? " change)" : " changes)");
}

std::string Line(const ObjectReport& object) {
  std::string action(ActionName(object.action));
  action.resize(kActionWidth, ' ');
  return Visible(StrCat(action, NameOf(object), Changes(object)), Newlines::kEscape) + "\n";
}

}  // namespace

std::string PrintSummary(const Report& report) {
  std::string out;
  for (const ObjectReport& object : report.objects) {
    if (object.action != Action::kUnchanged) out += Line(object);
  }
  return StrCat(out, out.empty() ? "" : "\n", CountObjects(report), "\n");
}

}  // namespace smp::explain
