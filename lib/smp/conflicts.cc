#include "smp/conflicts.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "smp/list_changes.h"
#include "smp/meaning.h"

namespace smp {

namespace {

constexpr size_t kMaxNamed = 20;

// A null in last-applied set no value (decide.h), so it counts as absent.
const Value* OrAbsent(const Value* value) { return value == nullptr || value->is_null() ? nullptr : value; }

bool Same(const Value* a, const Value* b, const Place& place) {
  a = OrAbsent(a);
  b = OrAbsent(b);
  return a == nullptr || b == nullptr ? a == b : SameMeaning(*a, *b, place);
}

bool IsConflict(const PlanNode& node, const Place& place) {
  if (node.op != Op::kSet && node.op != Op::kDelete) return false;
  if (node.reason == Reason::kRetainKeys || node.reason == Reason::kUnion || node.reason == Reason::kDerived) {
    return false;
  }
  const Value* outcome = node.op == Op::kSet ? node.modified : nullptr;
  return !Same(node.live, node.original, place) && !Same(node.live, outcome, place);
}

class Collector {
 public:
  explicit Collector(const Schema& schema) : schema_(schema) {}

  void Collect(const PlanNode& node, const PlanNode& parent, const FieldOwners::Position& at) {
    const Place place = PlaceOfNode(node, parent, schema_);
    if (IsConflict(node, place)) {
      std::vector<FieldManager> owners = node.live == nullptr ? std::vector<FieldManager>() : at.Nearest();
      const bool is_of_server = ServerAddedItems(node, owners) || ServerStoredOtherwise(node, owners, place.storage);
      if (!is_of_server) found_.push_back({path_, std::move(owners)});
    }
    for (const Value* element : RemovedElements(node)) {
      path_.push_back(PathStep::Element(*element));
      found_.push_back({path_, {}});
      path_.pop_back();
    }
    if (IsReorderedInLive(node, schema_)) found_.push_back({path_, {}});
    for (const PlanNode& child : node.children) {
      path_.push_back(StepTo(node, child));
      Collect(child, node, StepTo(at, node, child));
      path_.pop_back();
    }
  }

  std::vector<OverwrittenField> Found() && { return std::move(found_); }

 private:
  const Schema& schema_;
  FieldPath path_;
  std::vector<OverwrittenField> found_;
};

std::string OwnedBy(const OverwrittenField& field) {
  return field.owners.empty() ? "" : StrCat(", owned by ", Describe(field.owners));
}

// Returns the paths with their owners, each path once (duplicate items share one), without that of the first field.
std::vector<std::string> OtherPaths(const std::vector<OverwrittenField>& fields) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const OverwrittenField& field : fields) {
    const std::string path = ToString(field.path);
    const bool first = seen.empty();
    if (seen.insert(path).second && !first) out.push_back(StrCat(path, OwnedBy(field)));
  }
  return out;
}

}  // namespace

std::vector<OverwrittenField> OverwrittenFields(const Plan& plan, const Value& live, const Schema& schema) {
  const FieldOwners owners(live);
  Collector collector(schema);
  collector.Collect(plan.root, plan.root, owners.root());
  return std::move(collector).Found();
}

Status RefuseToOverwrite(const std::vector<OverwrittenField>& fields) {
  if (fields.empty()) return Ok();
  const std::string others = NameSome(OtherPaths(fields), kMaxNamed - 1, "; ");
  Error error =
      Error::Conflict(StrCat("the patch would overwrite what live has, neither last-applied nor as in the manifest",
                             OwnedBy(fields.front()), others.empty() ? "" : "; likewise ", others,
                             "; put the live values into the manifest, or overwrite them (--overwrite)"));
  error.path = ToString(fields.front().path);
  return error;
}

}  // namespace smp
