// TreeBuilder: builds Values from the events of a parser. Used only by json.cc and yaml.cc. The items and members of
// all unfinished objects and arrays share one stack, so that an object needs no allocation except in the arena, and the
// builder does not recurse.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "value/document.h"

namespace smp {

enum class Lines { kDrop, kKeep };

class TreeBuilder {
 public:
  // `expected_bytes`: memory to reserve for the result.
  explicit TreeBuilder(Lines lines, size_t expected_bytes = 0) : lines_(lines), arena_(expected_bytes) {
    values_.reserve(kExpectedWidth);
    names_.reserve(kExpectedWidth);
  }

  Arena& arena() { return arena_; }
  void Push(Value value, int line) {
    values_.push_back(value);
    if (lines_ == Lines::kKeep) value_lines_.push_back(line);
  }
  // REQUIRES: exactly one value is pushed next; `name` is in the arena. `line` is 0 for a name that the file does not
  // contain. If lines are kept, duplicate names in one object of the file cause a warning.
  void PushName(std::string_view name, int line) {
    names_.push_back(name);
    if (lines_ == Lines::kKeep) name_lines_.push_back(line);
  }
  // Replaces the last `count` values by one array that begins on `line`.
  void EndArray(size_t count, int line);
  // Replaces the last `count` names and values by one object; keeps the last of duplicate names.
  void EndObject(size_t count, int line);

  // The value pushed last, e.g. for an anchor.
  const Value& Top() const { return values_.back(); }
  // Removes and returns the last value, e.g. because it was the name of a member.
  Value Pop();

  void Warn(ReadWarning::Kind kind, int line, std::string message);

  // REQUIRES: exactly one value is left.
  Document Finish(const std::string& source_name) &&;

 private:
  static constexpr size_t kExpectedWidth = 64;  // items and members of all unfinished objects and arrays

  void Remember(const Value* at, int line);
  void Drop(size_t count);
  void WarnOfDuplicates(size_t first_name);

  Lines lines_;
  Arena arena_;
  std::vector<Value> values_;
  std::vector<int> value_lines_;  // parallel to values_ if lines are kept, else empty
  std::vector<std::string_view> names_;
  std::vector<int> name_lines_;  // parallel to names_ if lines are kept, else empty; 0: not from the file
  std::vector<std::pair<const Value*, int>> kept_;
  std::vector<ReadWarning> warnings_;
};

}  // namespace smp
