#include "value/tree_builder.h"

namespace smp {

void TreeBuilder::Push(Value value, int line) {
  values_.push_back(value);
  if (lines_ == Lines::kKeep) value_lines_.push_back(line);
}

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
  members_.clear();
  for (size_t i = 0; i < count; ++i) members_.push_back({names_[first_name + i], values_[first_value + i]});
  SortKeepLast(members_);
  const Value object = arena_.SortedObject(members_);
  if (lines_ == Lines::kKeep) {
    // In the order of writing, so that of equal names the last line stays, as the last value does.
    for (size_t i = 0; i < count; ++i) Remember(object.Find(names_[first_name + i]), value_lines_[first_value + i]);
  }
  names_.resize(first_name);
  Drop(count);
  Push(object, line);
}

Value TreeBuilder::Pop() {
  const Value top = values_.back();
  Drop(1);
  return top;
}

Document TreeBuilder::Finish(const std::string& source_name) && {
  Document document(std::move(arena_), values_.back());
  document.SetSource(source_name);
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
