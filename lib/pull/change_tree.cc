#include "pull/change_tree.h"

namespace smp::pull {

void ChangeTree::Add(const Change& added, Written& of) {
  ChangeTree* tree = this;
  for (const PathStep& step : added.path) tree = &tree->Below(step);
  tree->change = &added;
  tree->written = &of;
}

ChangeTree& ChangeTree::Below(const PathStep& step) {
  const auto [at, is_new] = places_.try_emplace(ToString(step), children.size());
  if (is_new) children.push_back({step, std::make_unique<ChangeTree>()});
  return *children[at->second].tree;
}

}  // namespace smp::pull
