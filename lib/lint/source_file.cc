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

size_t CharactersIn(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

}  // namespace

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), parts_(apply::PartsOf(text_)), lines_(BeginsOfLines(text_)) {
  for (const apply::TextPart& part : parts_) {
    auto tree = apply::TreeOf(part.text);
    trees_.push_back(tree.ok() ? *std::move(tree) : nullptr);
  }
  const std::string_view whole = text_;
  characters_.push_back(0);
  for (size_t at = 0; at + kStride <= whole.size(); at += kStride) {
    characters_.push_back(characters_.back() + CharactersIn(whole.substr(at, kStride)));
  }
}

size_t SourceFile::CharactersBefore(size_t offset) const {
  offset = std::min(offset, text_.size());
  const size_t known = offset / kStride;
  return characters_[known] + CharactersIn(std::string_view(text_).substr(known * kStride, offset % kStride));
}

Span SourceFile::SpanOf(size_t part, size_t begin, size_t end) const {
  return {parts_[part].begin + begin, parts_[part].begin + end};
}

LineColumn SourceFile::At(size_t offset) const {
  const auto after = std::ranges::upper_bound(lines_, offset);
  const size_t begin = *(after - 1);
  const bool has_mark = begin == 0 && offset >= kByteOrderMark.size() && text_.starts_with(kByteOrderMark);
  const size_t columns = CharactersBefore(offset) - CharactersBefore(begin) - (has_mark ? 1 : 0);
  return {static_cast<int>(after - lines_.begin()), static_cast<int>(columns) + 1};
}

size_t SourceFile::OffsetOfLine(int line) const { return lines_[static_cast<size_t>(line) - 1]; }

std::string_view SourceFile::Line(int line) const {
  if (line < 1 || static_cast<size_t>(line) > lines_.size()) return {};
  const size_t begin = OffsetOfLine(line);
  const bool is_last = line == LineCount();
  std::string_view rest =
      std::string_view(text_).substr(begin, is_last ? text_.npos : OffsetOfLine(line + 1) - 1 - begin);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

}  // namespace smp::lint
