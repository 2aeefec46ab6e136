// Plan: what happens to a live object, field by field, and why. A tree with a node for each field or list item that is
// not equal in last-applied, manifest and live. The patch, the outcome and the explanation are made from it. The reason
// is recorded where the decision is made (diff.cc) and never reconstructed.
//
// A Plan points into the three documents it was made from; they must outlive it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "smp/align.h"
#include "smp/meaning.h"
#include "value/path.h"
#include "value/value.h"

namespace smp {

enum class Op {
  kNone,    // nothing to do: live is as the manifest says
  kKeep,    // only live has it and it stays
  kSet,     // write `modified` as a whole
  kDelete,  // remove it
  kPatch,   // the children say what changes (see Shape)
};

// ReasonName returns the names that the explain-diff JSON uses.
enum class Reason {
  kInSync,      // live has it already
  kAdded,       // new in the manifest
  kChanged,     // the manifest changed it; live has the last-applied value
  kConflict,    // the manifest changed it, and so did another manager in live
  kDrift,       // it changed in live; the manifest still has the last-applied value
  kRestored,    // was last applied, and live no longer has it
  kOwned,       // live has another value, last-applied none: from now on the manifest decides
  kRemoved,     // was last applied, is no longer in the manifest
  kRetainKeys,  // cleared because the manifest chose another member ($retainKeys)
  kUnion,       // cleared because the manifest chose another alternative, and the server takes only one
  kDerived,     // a value that the server derived from other fields, updated because those change
  kReordered,   // a merged list has another order
  kAtomic,      // a list or map that can only be replaced as a whole loses what others put there
  kSetAdded,    // an element of a set
  kSetRemoved,
  kExplicitNull,  // the manifest has null
  kDuplicate,     // kubectl's patch mistakes different items for one (only in plans of compat_patch.h)
  kLiveOnly,      // kept
  kKeepLive,      // kept because --keep-live asks for it (only in rows: keep_live.h)
  kGivenUp,       // kept because others own it, too (only in plans of server_side_plan.h)
  kServer,        // the server changes it because of the other changes (only in plans of foretell.h)
};

std::string_view ReasonName(Reason reason);  // "retain-keys"

enum class Shape { kLeaf, kMap, kItems, kElements };

struct PlanNode {
  // The step from the parent: a field name, or (for children of kItems) an item.
  std::string_view name;
  const Value* item = nullptr;  // of modified, else original, else live; contains the key fields

  Shape shape = Shape::kLeaf;
  Op op = Op::kNone;
  Reason reason = Reason::kInSync;

  const Value* original = nullptr;  // nullptr: absent
  const Value* modified = nullptr;
  const Value* live = nullptr;

  const Field* field = nullptr;  // what the schema says about the field (for an item: about its list); nullptr: unknown
  TypeId type = kNoType;         // of the map, or of the list's elements

  // drops: the patch removes something here or below (original had it). sets: it writes something here or below (live
  // differs).
  bool drops = false;
  bool sets = false;
  bool changes() const { return drops || sets; }

  // What live will have here, where that differs from what the plan writes (only in plans of foretell.h): the default of
  // a field that is removed. Below a kSet node, children of reason kServer tell what the server adds.
  const Value* stored = nullptr;
  bool shows_stored = false;  // `stored` has more than reading shows, and no child says what

  std::vector<PlanNode> children;

  bool retain = false;  // kMap: send $retainKeys with the names of modified's non-null members

  // kItems, kElements
  bool order = false;  // send $setElementOrder
  bool moved = false;  // the manifest's items have another relative order in live
  bool irregular =
      false;  // the server's merge key does not identify the items (duplicates, or another identity): a plain patch may
              // not express the outcome, and may have another effect if live changes before it is sent
  size_t dropped_foreign = 0;  // kAtomic: number of live items or members that are in neither original nor modified

  // kElements: the elements added to the set, in the manifest's order, and removed from it, in live's order.
  std::vector<const Value*> adds;
  std::vector<const Value*> removes;
};

struct Plan {
  PlanNode root;
  // For custom resources: the schema, which says where null is a value. nullptr for built-in kinds.
  const Schema* nulls = nullptr;
  bool changed() const { return root.changes(); }
};

// What identifies the items of a list of maps: identity_keys, with the schema's defaults for absent fields.
KeyRule RuleOfKeys(const Field& list, const Schema& schema);

// How the items of a list are paired: maps by RuleOfKeys (an absent port protocol counts as its default TCP), elements
// of sets by themselves. Numbers are compared by value.
KeyRule PairingRule(const PlanNode& list, const Schema& schema);

// The step from `parent` to `child`.
PathStep StepTo(const PlanNode& parent, const PlanNode& child);

// What the schema says about the values of `node`, a child of `parent` or the root itself.
Place PlaceOfNode(const PlanNode& node, const PlanNode& parent, const Schema& schema);

}  // namespace smp
