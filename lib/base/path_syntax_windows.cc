#include "base/path_syntax.h"
#include "base/strings.h"

namespace smp {

bool IsPathSeparator(char c) { return c == '/' || c == '\\'; }

// What follows a colon would be written into a stream of the file, which nobody sees.
bool IsOfFileName(char c) {
  return static_cast<unsigned char>(c) >= ' ' && std::string_view("<>:\"/\\|?*").find(c) == std::string_view::npos;
}

bool IsProgramPath(std::string_view program) { return program.find_first_of("/\\:") != program.npos; }

// As Go's filepath.SplitList, but for quotes, which may hold a semicolon there and which nobody uses.
std::vector<std::string_view> SplitPathList(std::string_view list) { return Split(list, ';'); }

}  // namespace smp
