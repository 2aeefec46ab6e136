// Items whose key was changed in live: the plan has one that live lost, and another one that only live has. Both get into the
// file, or neither.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explain/report.h"
#include "pull/choice.h"
#include "pull/items.h"
#include "pull/written_value.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::pull {

class Renames {
 public:
  // Neither is owned; `manifest`: as it is planned.
  Renames(const PathFinder& live, const PathFinder& manifest, const explain::KindOfObject& kind)
      : live_(live), manifest_(manifest), kind_(kind) {}

  // Rows of the plan: what live lost, and what only live has.
  void AddRemoved(const FieldPath& path, const Value* manifest);
  void AddNew(const FieldPath& path, const Value* live);

  // A row of what live lost and the file keeps. `item`: as it was applied, or as the file has it.
  void AddKept(const FieldPath& path, const Value* item);

  // Returns the new items that may be a kept one under another name, each with the path of that one.
  std::map<std::string, FieldPath> MayBeKept() const;

  // Tells that the row at the path is taken, after all rows are added.
  void AddTaken(const FieldPath& path);

  // Returns true if the row at the path is one half, and the other half is taken.
  bool HasTakenPartner(const FieldPath& path) const;

  // Makes one change of a removed item and a new one that takes its place, and groups those that belong together. Takes
  // removals out that must be left, and returns them: without new items a list would be empty in the file that is not empty
  // in live. `owners_known`: live has managedFields.
  std::vector<Left> Combine(std::vector<Change>& changes, const ValueWriter& writer, bool owners_known) const;

 private:
  // A list or map, with its halves by path.
  struct Group {
    FieldPath path;
    bool is_map = false;
    std::map<std::string, const Value*> removed = {}, added = {};
    std::vector<std::pair<FieldPath, const Value*>> kept = {};
    std::set<std::string> taken_removed = {}, taken_added = {};  // what Shared returns of those that are taken
  };
  class Combiner;
  class Partners;

  Group& GroupOf(const FieldPath& path);
  const Group* FindGroup(const FieldPath& path) const;
  // Returns a text that is the same for a removed value and a new one that may belong together.
  static std::string Shared(const Group& group, const Value& half);
  void AddMayBeKept(const Group& group, std::map<std::string, FieldPath>& out) const;

  const PathFinder& live_;
  const PathFinder& manifest_;
  const explain::KindOfObject kind_;
  std::map<std::string, Group> groups_;  // by path
};

}  // namespace smp::pull
