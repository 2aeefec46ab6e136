#include "explain/github.h"

#include <array>

#include "base/strings.h"
#include "explain/in_words.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestAnnotated = 100;

enum class Level { kError, kWarning, kNotice };
constexpr std::array<std::string_view, 3> kLevels = {"error", "warning", "notice"};

// Source: actions/toolkit, packages/core/src/command.ts. What ends a line is visible already.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : Visible(text, Newlines::kEscape)) {
    const bool is_special = special.find(c) != std::string_view::npos;
    out += !is_special ? std::string(1, c) : c == '%' ? "%25" : c == ':' ? "%3A" : "%2C";
  }
  return out;
}

std::string Property(std::string_view text) { return Escaped(text, "%:,"); }

// Annotations are about files of the repository only.
bool IsFile(const Source& source) {
  return !source.file.empty() && source.file != "STDIN" && source.file.find("://") == std::string::npos;
}

class Annotations {
 public:
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
    std::string properties;
    if (IsFile(source)) properties += StrCat("file=", Property(source.file), ",");
    if (IsFile(source) && source.line > 0) properties += StrCat("line=", source.line, ",");
    lines_[static_cast<size_t>(level)] += StrCat("::", kLevels[static_cast<size_t>(level)], " ", properties,
                                                 "title=", Property(NameOf(object)), "::", Escaped(text, "%"), "\n");
  }

  std::array<std::string, 3> lines_;  // by level
};

}  // namespace

std::string PrintGithub(const Report& report) {
  Annotations annotations;
  for (const ObjectReport& object : report.objects) annotations.AddObject(object);
  return annotations.Text();
}

}  // namespace smp::explain
