// What a server-side apply makes of an object, before the server decodes it and sets defaults. Source: structured-merge-diff,
// typed/merge.go, merge/update.go (Apply, prune), typed/remove.go, typed/tofieldset.go.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "schema/schema.h"
#include "smp/align.h"
#include "smp/merge_place.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Entries of managedFields. All are read as if they were of the same API version.
struct OwnedFields {
  std::vector<Value> ours;  // of our last apply
  std::vector<Value> others;
  bool applied_before = false;  // the last apply also had what the manifest has
};

// The items of a merged list by the step that leads to them. A value that is none, or nullptr, has no items.
std::map<std::string, const Value*> ItemsByStep(const Value* list, const MergePlace& at);
std::string ItemStep(const Value& item, const MergePlace& list);
std::string ItemStep(const Value& item, const KeyRule& rule);

// Returns what identifies the items. REQUIRES: the list is merged.
KeyRule RuleOfItems(const MergePlace& list);

// Returns the FieldsV1 of a manager that has set all of the object, but for its status and what names it: so the server makes
// "before-first-apply" the owner of an object without managedFields (apiserver, managedfields/internal/skipnonapplied.go).
Value FieldsOfAll(const Value& object, const Schema& schema, TypeId type, Arena& arena);

// Returns what of an object only `ours` own: what goes as soon as our apply lacks it. An item has its keys, whether they are owned or
// not; what `others` own too is left out. A null, if it is nothing.
Value OwnedByUsAlone(const Value& object, const OwnedFields& owned, const Schema& schema, TypeId type, Arena& arena);

// Returns true if an apply of `modified` changes what is at a place. `alone`: what of it only we own. nullptr: nothing.
bool ApplyChanges(const Value* alone, const Value* modified, const Value* live, const MergePlace& at);

// Returns live with the manifest merged into it. Removes nothing.
Value MergedIntoLive(const Value& live, const Value& manifest, const Schema& schema, TypeId type, Arena& arena);

// Returns `merged`, which MergedIntoLive made of the manifest, without what we owned, the manifest lacks and nobody else owns. A map
// or list that loses all that it has is null, unless it was ours itself. Linear, but for the search of members by name.
Value Pruned(const Value& merged, const Value& manifest, const OwnedFields& owned, const Schema& schema, TypeId type,
             Arena& arena);

}  // namespace smp
