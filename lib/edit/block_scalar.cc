#include "edit/block_scalar.h"

#include <algorithm>

#include "base/strings.h"
#include "edit/scalar_text.h"
#include "yaml/characters.h"

namespace smp::edit {

namespace {

bool CanBeInLine(std::string_view line) {
  std::string visible(line);
  std::replace(visible.begin(), visible.end(), '\t', ' ');
  return IsAllPrintable(visible);
}

// Readers take the indentation of the first line that is not empty for that of the block.
bool BeginsWithBlank(const std::vector<std::string_view>& lines) {
  const auto first = std::ranges::find_if(lines, [](std::string_view line) { return !line.empty(); });
  return first != lines.end() && yaml::IsBlank(first->front());
}

}  // namespace

std::optional<BlockScalar> AsBlockScalar(std::string_view text) {
  const size_t end = text.find_last_not_of('\n');
  if (end == std::string_view::npos) return std::nullopt;
  BlockScalar out = {Split(text.substr(0, end + 1), '\n'), text.size() - end - 1};
  if (!std::ranges::all_of(out.lines, CanBeInLine)) return std::nullopt;
  out.needs_indicator = BeginsWithBlank(out.lines);
  return out;
}

}  // namespace smp::edit
