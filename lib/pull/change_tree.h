// The changes of an object by the fields and items on their paths, so that each of these is found once.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pull/choice.h"
#include "pull/written.h"
#include "value/path.h"

namespace smp::pull {

// What changes at a field or item, or below it.
struct ChangeTree {
  struct Child {
    PathStep step;
    std::unique_ptr<ChangeTree> tree;
  };

  const Change* change = nullptr;  // of the value itself; nullptr: only below it
  Written* written = nullptr;      // of `change`
  std::vector<Child> children = {};

  // Adds a change. Does not own it.
  void Add(const Change& change, Written& written);
  // Returns false if a change sets no value: it removes one.
  bool sets() const { return change != nullptr && change->value.has_value(); }
  // Calls `visit` for each change in the tree.
  template <class F>
  void ForEach(F visit) const {
    if (written != nullptr) visit(*written);
    for (const Child& child : children) child.tree->ForEach(visit);
  }

 private:
  ChangeTree& Below(const PathStep& step);

  std::unordered_map<std::string, size_t> places_;  // of the children
};

}  // namespace smp::pull
