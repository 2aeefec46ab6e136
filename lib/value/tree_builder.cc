#include "value/tree_builder.h"

#include <algorithm>

#include "base/strings.h"

namespace smp {

void TreeBuilder::EndArray(size_t count, int line) {
  const Value array = arena_.Array({values_.data() + values_.size() - count, count});
  if (lines_ == Lines::kKeep) {
    const int* item_line = value_lines_.data() + value_lines_.size() - count;
    for (const Value& item : array.Items()) Remember(&item, *item_line++);
  }
  Drop(count);
  Push(array, line);
}

void TreeBuilder::EndObject(size_t count, int line) {
  const size_t first_value = values_.size() - count;
  const size_t first_name = names_.size() - count;
  if (lines_ == Lines::kKeep) WarnOfDuplicates(first_name);
  const Value object =
      arena_.Object({names_.data() + first_name, count}, std::span<const Value>(values_.data() + first_value, count));
  if (lines_ == Lines::kKeep) {
    // In source order, so that of duplicate names the last line is kept, like the last value.
    for (size_t i = 0; i < count; ++i) Remember(object.Find(names_[first_name + i]), value_lines_[first_value + i]);
  }
  names_.resize(first_name);
  if (lines_ == Lines::kKeep) name_lines_.resize(first_name);
  Drop(count);
  Push(object, line);
}

Value TreeBuilder::Pop() {
  const Value top = values_.back();
  Drop(1);
  return top;
}

void TreeBuilder::WarnOfDuplicates(size_t first_name) {
  std::vector<size_t> written;
  for (size_t i = first_name; i < names_.size(); ++i) {
    if (name_lines_[i] > 0) written.push_back(i);
  }
  std::stable_sort(written.begin(), written.end(), [&](size_t a, size_t b) { return names_[a] < names_[b]; });
  for (size_t i = 1; i < written.size(); ++i) {
    const size_t last = written[i];
    const size_t before = written[i - 1];
    if (names_[last] != names_[before]) continue;
    Warn(ReadWarning::Kind::kDuplicateKey, name_lines_[last],
         StrCat("duplicate key \"", names_[last], "\" on line ", name_lines_[last], " (first on line ",
                name_lines_[before], "); the server would keep the last one"));
  }
}

void TreeBuilder::Warn(ReadWarning::Kind kind, int line, std::string message) {
  warnings_.push_back({kind, std::move(message), {{}, line}});
}

Document TreeBuilder::Finish(const std::string& source_name) && {
  Document document(std::move(arena_), values_.back());
  document.SetSource(source_name);
  for (ReadWarning& warning : warnings_) warning.source.file = source_name;
  document.SetWarnings(std::move(warnings_));
  if (lines_ == Lines::kKeep) {
    Remember(&document.root(), value_lines_.back());
    document.SetLines(std::move(kept_));
  }
  return document;
}

void TreeBuilder::Remember(const Value* at, int line) { kept_.emplace_back(at, line); }

void TreeBuilder::Drop(size_t count) {
  values_.resize(values_.size() - count);
  if (lines_ == Lines::kKeep) value_lines_.resize(value_lines_.size() - count);
}

}  // namespace smp
