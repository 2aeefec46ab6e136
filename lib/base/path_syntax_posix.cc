#include "base/path_syntax.h"
#include "base/strings.h"

namespace smp {

bool IsPathSeparator(char c) { return c == '/'; }

bool IsOfFileName(char c) { return c != '/' && c != '\0'; }

bool IsProgramPath(std::string_view program) { return program.find('/') != program.npos; }

std::vector<std::string_view> SplitPathList(std::string_view list) { return Split(list, ':'); }

}  // namespace smp
