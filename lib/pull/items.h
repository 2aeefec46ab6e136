// Which values of an object a path means. Items are found by what identifies them to the server: a key that an item leaves out
// counts as its default, so that `- port: 53` is [port=53,protocol=TCP] and nothing else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explain/report.h"
#include "schema/schema.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::pull {

// What the schema says of a value on the way down an object.
struct Spot {
  const Schema* schema = nullptr;
  TypeId type = kNoType;         // of the value; of a list: of its items
  const Field* field = nullptr;  // nullptr: unknown, an item or the object itself

  static Spot Of(const explain::KindOfObject& kind) { return {kind.schema, kind.type}; }
  Spot Member(std::string_view name) const;
  Spot Item() const;
  Spot At(const PathStep& step) const;
  bool is_keyed_list() const { return field != nullptr && field->is_list && field->patch.list == ListMerge::kKeyed; }
};

// Returns what identifies the item that the step means, or the item, as text that is the same for all that are one to the
// server. `list`: of the items.
std::string IdentityOf(const PathStep& step, const Spot& list);
std::string IdentityOf(const Value& item, const Spot& list);

// Returns the name of a field. In a path that somebody wrote, a quoted name may mean an element, too.
std::string NameOf(const PathStep& step);

// The items of a list by what identifies them. Points into the list.
class ItemIndex {
 public:
  ItemIndex(const Value& list, const Spot& spot);

  // Returns the positions of the items that the step means, in their order. More than one: it is not known which.
  std::vector<size_t> Find(const PathStep& step) const;
  const std::vector<size_t>& Find(const std::string& identity) const;

 private:
  const Value& list_;
  const Spot spot_;
  std::unordered_map<std::string, std::vector<size_t>> places_;
};

// Finds what paths mean in an object. Each list is indexed once. Points into the object.
class PathFinder {
 public:
  PathFinder(const Value& object, const explain::KindOfObject& kind) : object_(object), kind_(kind) {}

  const Value& object() const { return object_; }
  // Returns the value that the path means; nullptr if there is none, or if it is not known which one.
  const Value* Find(const FieldPath& path) const { return Down(path).value; }
  // Returns the step on which several items of the object are meant; nullopt if there is none.
  std::optional<size_t> AmbiguousStep(const FieldPath& path) const;

 private:
  // The way down to what the path means, or to where nothing is meant or several items are.
  struct Descent {
    const Value* value = nullptr;
    size_t steps = 0;
    bool ambiguous = false;
  };

  Descent Down(const FieldPath& path) const;
  const Value* Item(const Value& list, const Spot& spot, const PathStep& step, bool& ambiguous) const;

  const Value& object_;
  const explain::KindOfObject kind_;
  mutable std::unordered_map<const Value*, std::unique_ptr<ItemIndex>> lists_;
};

}  // namespace smp::pull
