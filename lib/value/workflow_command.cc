#include "value/workflow_command.h"

#include "base/strings.h"
#include "value/escape.h"

namespace smp {

namespace {

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

}  // namespace

std::string WorkflowCommand(const Annotation& annotation) {
  std::string out = StrCat("::", annotation.level, " ");
  const Source& source = annotation.source;
  if (IsFile(source)) {
    out += StrCat("file=", Property(source.file), ",");
    if (source.line > 0) out += StrCat("line=", source.line, ",");
    if (source.line > 0 && annotation.column > 0) out += StrCat("col=", annotation.column, ",");
  }
  return out + StrCat("title=", Property(annotation.title), "::", Escaped(annotation.text, "%"), "\n");
}

}  // namespace smp
