// metadata.managedFields: who owns which field (KEP-555). A FieldsV1 is a trie: {"f:spec":{"f:replicas":{}}}. {} marks
// an owned field; the member "." marks a node with children as owned, too; "k:{…}" is a list item, given by its keys,
// "v:…" an element of a set, "i:N" an index.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "smp/plan.h"
#include "value/document.h"
#include "value/path.h"
#include "value/value.h"

namespace smp {

inline constexpr std::string_view kClientSideManager = "kubectl-client-side-apply";  // of kubectl's apply and ours
inline constexpr std::string_view kServerSideManager = "kubectl";                    // of both, with --server-side
inline constexpr std::string_view kCreateManager = "kubectl-create";
inline constexpr std::string_view kAnnotationManager = "kubectl-last-applied";  // of last-applied, after a migration

// The member of a FieldsV1 that marks a node with children as owned.
inline constexpr std::string_view kItself = ".";

// Whoever wrote an entry of managedFields: a program, never a person.
struct FieldManager {
  std::string name;
  std::string operation;    // "Apply" or "Update"
  std::string subresource;  // "": the object itself
  std::string time;         // RFC 3339: the entry's last write, so no field of it was written later; "" if unknown
  bool is_own = false;      // the field manager of this run (--field-manager), where FieldOwners was told of it

  friend bool operator==(const FieldManager&, const FieldManager&) = default;
};
FieldManager ManagerOf(const Value& entry);
std::vector<FieldManager> ManagersOf(const Value& object);  // of all entries; without what they own
// Returns true for the manager of a server-side apply.
inline bool IsOfApply(const FieldManager& manager) { return manager.operation == "Apply"; }

// What an owner is by its name: managedFields do not tell kubectl and this program apart. Who writes under the name of this run applies,
// too.
enum class ManagerKind { kClientSideApply, kServerSideApply, kCreate, kOther };
ManagerKind KindOf(const FieldManager& manager);
// Returns true if each of them is client-side apply, as where there are none.
bool AllOfClientSideApply(const std::vector<FieldManager>& managers);

// Returns true for a list or map that is replaced as a whole and loses what the server added to it (defaults, admission): nobody
// but `kubectl apply` wrote it, and that did not apply what goes.
bool ServerAddedItems(const PlanNode& node, const std::vector<FieldManager>& owners);

// Returns true for a list or map that is owned as a whole, and that live has otherwise than it was applied (`reason`: drift), though only
// `kubectl apply` wrote it: the server dropped or changed something in it then (a feature gate, a webhook), and nobody did since. Of a custom
// resource (Storage::kAsWritten) that is only said where live has all that was applied: the versions of a CRD may merge a list differently,
// and who takes an item away through one that merges it leaves no entry.
bool ServerStoredOtherwise(const PlanNode& node, const std::vector<FieldManager>& owners, Storage storage);

// Returns true for a controller, by its name. Who writes a subresource such as scale is one, too, unless a person did it with
// kubectl. The HorizontalPodAutoscaler that targets an object is not read: once it has scaled, its write of scale tells.
bool IsController(const FieldManager& manager);

// Returns "3d ago"; without `now`, the time as it is.
std::string TimeText(const std::string& time, std::optional<std::chrono::sys_seconds> now);

// Returns "kubectl-edit (Update; last write 3d ago)", "controller (Update of status; last write 5m ago)". Without
// `now`, the time is as the server wrote it: "kubectl-edit (Update; last write 2026-01-02T03:04:05Z)". The server records
// no time for some writes, e.g. of the subresource scale: "autoscaler (Update of scale; time unknown)".
std::string Describe(const FieldManager& manager, std::optional<std::chrono::sys_seconds> now = std::nullopt);

// Returns the descriptions of several managers: "a (…), b (…) and c (…)".
std::string Describe(const std::vector<FieldManager>& managers,
                     std::optional<std::chrono::sys_seconds> now = std::nullopt);

// Returns true if an entry of another API version than the object's owns what the object has under no such name: the versions
// name it differently.
bool NamesFieldsOtherwise(const Value& entry, const Value& object);

// Who set fields through another API version, where these have other names.
struct OtherVersionManager {
  FieldManager manager;
  std::string version;  // "autoscaling/v1"
};

// Returns the step of FieldsV1 to an item with these keys, and to an element of a set.
std::string StepOfKeys(const Value& keys);
std::string StepOfElement(const Value& element);
// Returns a step of an entry as these write it.
std::string CanonicalStep(std::string_view step);

// The owners of each field of an object, of all entries and subresources. Compiled once; then each step down the object
// takes O(log n). Does not point into the object.
//
//   const FieldOwners owners(live);
//   owners.root().Field("spec").Field("replicas").Nearest();
class FieldOwners {
  struct Node {
    // By the step as in FieldsV1, with the members of `k:{…}` sorted: "f:spec", "k:{\"port\":80}", "v:\"a\"", "i:3".
    std::map<std::string, std::unique_ptr<Node>, std::less<>> below;
    // Of the `k:` steps below, more keys before fewer: entries of different API versions may have different keys.
    std::set<std::vector<std::string>, std::greater<>> key_names;
    std::vector<size_t> owners;   // entries that own the field itself
    std::vector<size_t> holders;  // entries that own the field itself or something in it
  };

 public:
  // Of a Secret, who applied stringData owns data. `own`: the field manager of this run; "": unknown.
  explicit FieldOwners(const Value& object, std::string_view own = {});
  explicit FieldOwners(const std::vector<Value>& entries, bool of_secret = false);  // of managedFields

  // Returns true if the object has managedFields at all. kubectl get -o yaml leaves them out.
  bool recorded() const { return !managers_.empty(); }
  const std::vector<FieldManager>& managers() const { return managers_; }  // of all entries
  // Of the entries that NamesFieldsOtherwise. One of them may have set what seems to have no owner.
  const std::vector<OtherVersionManager>& of_other_versions() const { return of_other_versions_; }

  // A place in the object. REQUIRES: the FieldOwners outlive it.
  class Position {
   public:
    Position Field(std::string_view name) const;
    Position Item(const Value& live_item) const;   // of a list, by the keys that the item has in live
    Position Element(const Value& element) const;  // of a set
    // Returns the names of the keys by which an entry lists items here; empty if none does.
    std::vector<std::string> KeyNames() const;
    // Returns true if an entry lists something in the field.
    bool IsListed() const { return node_ != nullptr && !node_->below.empty(); }
    Position Nowhere() const { return Position(all_, nullptr, nullptr); }  // what live does not have

    // Returns the managers that own the field itself, in the order of the entries.
    std::vector<FieldManager> Owners() const;
    // Returns the managers that own the field or something in it.
    std::vector<FieldManager> Holders() const;
    // Returns the holders; if there are none, the managers that own the nearest enclosing list or map: an atomic list
    // is owned as a whole. Empty if there are none either.
    std::vector<FieldManager> Nearest() const;
    // Likewise, but only the managers that set the field: an owner of an enclosing list or map counts only if no entry lists
    // what is in that, so that it is atomic. A default beside fields of a server-side apply has none.
    std::vector<FieldManager> Setters() const;

   private:
    friend class FieldOwners;
    Position(const FieldOwners* all, const Node* node, const Node* enclosing)
        : all_(all), node_(node), enclosing_(enclosing) {}
    Position Below(std::string_view step) const;

    const FieldOwners* all_;
    const Node* node_;       // nullptr: no entry lists the field
    const Node* enclosing_;  // the nearest node above it that has owners; nullptr: none
  };
  Position root() const { return Position(this, &root_, nullptr); }

 private:
  void Compile(const Value& fields, size_t entry, bool is_root, Node& into);
  void AddStringData(const Value& fields, size_t entry);
  std::vector<FieldManager> Named(const std::vector<size_t>& entries) const;

  std::vector<FieldManager> managers_;
  std::vector<OtherVersionManager> of_other_versions_;
  Node root_;
};

// Returns the managers that applied the object: the owners of the last-applied annotation, and kubectl's or our
// server-side apply. Empty if managedFields have neither.
std::vector<FieldManager> Appliers(const FieldOwners& owners);

// Returns the position of a plan's node, a child of `parent`, which is at `at`.
FieldOwners::Position StepTo(const FieldOwners::Position& at, const PlanNode& parent, const PlanNode& child);

// Returns true if a FieldsV1 owns what its node stands for, and not only something in it.
bool IsOwned(const Value& node);

// Returns an entry for what a manager set in the object. `fields`: a FieldsV1.
Value EntryOf(const Value& object, const FieldManager& manager, const Value& fields, Arena& arena);

// Returns an Apply entry of this manager that owns one annotation of the object.
Value ApplyEntryOfAnnotation(const Value& object, std::string_view manager, std::string_view annotation, Arena& arena);

// Returns the entry, which then also owns this annotation.
Value OwningAnnotation(const Value& entry, std::string_view annotation, Arena& arena);

// Returns the managedFields entries of an object; empty if it has none.
std::vector<Value> ManagedFields(const Value& object);

// Returns the keys of a Secret or ConfigMap that the entry owns.
std::set<std::string> DataKeysOf(const Value& entry);

// Returns true if the entry is of this manager and operation, and not of a subresource.
bool IsEntryOf(const Value& entry, std::string_view manager, std::string_view operation);

// Calls `visit` for each owned field of an entry. `server_path` is written as in the server's conflict messages
// (.spec.containers[name="web"].image), `path` in our notation.
using OwnedField = std::function<void(const std::string& server_path, const FieldPath& path)>;
void ForEachOwnedField(const Value& entry, const OwnedField& visit);

// Returns the fields of two FieldsV1 that are owned in either of them.
Value UnionOfFields(const Value& a, const Value& b, Arena& arena);

// Returns `entries` with the fields of the client-side `managers` moved to the server-side `manager`, as kubectl
// migrates them (client-go, util/csaupgrade). nullopt if there is nothing to move.
std::optional<std::vector<Value>> MigratedToServerSide(const std::vector<Value>& entries,
                                                       const std::set<std::string>& managers,
                                                       const std::string& manager, Arena& arena);

// Returns `entries` with the fields of the server-side `manager` moved to the manager `client_side`. nullopt if there is
// nothing to move.
std::optional<std::vector<Value>> MigratedToClientSide(const std::vector<Value>& entries, std::string_view manager,
                                                       std::string_view client_side, Arena& arena);

}  // namespace smp
