#include "explain/summary.h"

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/in_words.h"
#include "explain/style.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

constexpr size_t kActionWidth = 10;      // of "recreate" and "unchanged", and a space
constexpr size_t kComparisonWidth = 11;  // of "only there", and a space

// A new object changes as a whole: its fields say nothing.
std::string Changes(const ObjectReport& object) {
  const size_t count = CountChanges(object);
  if (count == 0 || object.action == Action::kCreate) return {};
  return StrCat(": ", ChangedFields(object), " (", Counted(count, "change"), ")");
}

Role RoleOf(Action action) {
  switch (action) {
    case Action::kCreate: return Role::kAdded;
    case Action::kPrune: return Role::kRemoved;
    case Action::kRecreate: return Role::kWarning;
    case Action::kError: return Role::kError;
    default: return Role::kChanged;
  }
}

std::string Line(const ObjectReport& object) {
  std::string action(object.compared && !object.error ? ActionWords(object) : ActionName(object.action));
  action.resize(object.compared ? kComparisonWidth : kActionWidth, ' ');
  return StrCat(As(RoleOf(object.action), action), Visible(StrCat(NameOf(object), Changes(object)), Newlines::kEscape),
                "\n");
}

}  // namespace

void SummaryPrinter::Add(const ObjectReport& object) {
  if (object.action != Action::kUnchanged) lines_ += Line(object);
  ++added_;
}

std::string SummaryPrinter::Print(const Report& report, Color color) {
  for (size_t i = added_; i < report.objects.size(); ++i) Add(report.objects[i]);
  const std::string left_out = NotCompared(report);
  const std::string lines = StrCat(ComparedPlaces(report), lines_, lines_.empty() ? "" : "\n", left_out,
                                   left_out.empty() ? "" : "\n", As(Role::kHeading, CountObjects(report)), "\n");
  return WithoutWorkflowCommands(Rendered(lines, color));
}

std::string PrintSummary(const Report& report, Color color) { return SummaryPrinter().Print(report, color); }

}  // namespace smp::explain
