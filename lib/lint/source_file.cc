#include "lint/source_file.h"

#include <algorithm>
#include <utility>

#include "value/utf8.h"

namespace smp::lint {

namespace {

std::vector<size_t> BeginsOfLines(std::string_view text) {
  std::vector<size_t> out = {0};
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) out.push_back(at + 1);
  return out;
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), parts_(apply::PartsOf(text_)), lines_(BeginsOfLines(text_)) {
  for (const apply::TextPart& part : parts_) {
    auto tree = apply::TreeOf(part.text);
    trees_.push_back(tree.ok() ? *std::move(tree) : nullptr);
  }
}

Span SourceFile::SpanOf(size_t part, size_t begin, size_t end) const {
  return {parts_[part].begin + begin, parts_[part].begin + end};
}

LineColumn SourceFile::At(size_t offset) const {
  const auto after = std::ranges::upper_bound(lines_, offset);
  const size_t begin = *(after - 1);
  std::string_view before = std::string_view(text_).substr(begin, offset - begin);
  if (begin == 0 && before.starts_with(kByteOrderMark)) before.remove_prefix(kByteOrderMark.size());
  const auto columns = std::ranges::count_if(before, [](char c) { return !IsContinuation(c); });
  return {static_cast<int>(after - lines_.begin()), static_cast<int>(columns) + 1};
}

size_t SourceFile::OffsetOfLine(int line) const { return lines_[static_cast<size_t>(line) - 1]; }

std::string_view SourceFile::Line(int line) const {
  if (line < 1 || static_cast<size_t>(line) > lines_.size()) return {};
  std::string_view rest = std::string_view(text_).substr(OffsetOfLine(line));
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

}  // namespace smp::lint
