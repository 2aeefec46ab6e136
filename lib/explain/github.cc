#include "explain/github.h"

#include <array>

#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/row_values.h"
#include "explain/worry_lines.h"
#include "value/workflow_command.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestAnnotated = 100;

enum class Level { kError, kWarning, kNotice };
constexpr std::array<std::string_view, 3> kLevels = {"error", "warning", "notice"};

class Annotations {
 public:
  // Failures are errors of their objects.
  void AddWorries(const Report& report) {
    for (const WorryLine& line : WorryLines(report)) {
      if (!line.fails) Add(Level::kWarning, Source{}, kLookAtThis, line.text);
    }
  }

  void AddObject(const ObjectReport& object) {
    if (object.error) Add(Level::kError, object, object.source, ToString(*object.error));
    for (const std::string& warning : object.warnings) Add(Level::kWarning, object, object.source, warning);
    if (!object.differs()) return;
    const bool absent = object.action == Action::kPrune || object.action == Action::kRecreate;
    const bool deletes = absent && !object.compared;
    if (absent || object.action == Action::kCreate) {
      Add(deletes ? Level::kWarning : Level::kNotice, object, object.source, ActionWords(object));
    }
    if (object.action == Action::kCreate) return;
    for (const ReportRow& row : object.rows) AddRow(object, row);
  }

  std::string Text() const { return StrCat(lines_[0], lines_[1], lines_[2]); }

 private:
  void AddRow(const ObjectReport& object, const ReportRow& row) {
    const std::string before = ValueBefore(row, kLongestAnnotated), after = ValueAfter(row, kLongestAnnotated);
    const std::string values = before.empty() || after.empty() ? StrCat(before, after) : StrCat(before, " -> ", after);
    Add(IsSurprise(row.reason) ? Level::kWarning : Level::kNotice, object,
        row.source.file.empty() ? object.source : row.source,
        StrCat(std::string(1, Sign(row)), " ", ToString(row.path), values.empty() ? "" : ": ", values, " (",
               ReasonName(row.reason), ": ", row.message, ")"));
  }

  void Add(Level level, const ObjectReport& object, const Source& source, std::string_view text) {
    Add(level, source, NameOf(object), text);
  }

  void Add(Level level, const Source& source, std::string_view title, std::string_view text) {
    const Annotation annotation = {kLevels[static_cast<size_t>(level)], source, 0, std::string(title), text};
    lines_[static_cast<size_t>(level)] += WorkflowCommand(annotation);
  }

  std::array<std::string, 3> lines_;  // by level
};

}  // namespace

std::string PrintGithub(const Report& report) {
  Annotations annotations;
  annotations.AddWorries(report);
  for (const ObjectReport& object : report.objects) annotations.AddObject(object);
  return annotations.Text();
}

}  // namespace smp::explain
