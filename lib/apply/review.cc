#include "apply/review.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "apply/reviewed_apply.h"
#include "apply/submit.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/path_match.h"

namespace smp::apply {

namespace {

// --- what a plan has for an object

struct ChangedPath {
  FieldPath path;
  bool whole = true;  // all that live has there is replaced or deleted; false: items of a list come, go or move
};

// Returns the paths that the plan writes or deletes, but that of last-applied, which the manifest determines. Of a list with
// another order, the path is there, and those of the items that change.
void CollectChanges(const PlanNode& node, FieldPath& path, std::vector<ChangedPath>& out) {
  if (!node.changes() || IsLastAppliedAnnotation(path)) return;
  const bool set = node.op == Op::kSet || node.op == Op::kDelete;
  const bool items = !set && (node.moved || !node.adds.empty() || !node.removes.empty());
  if (set || items || node.children.empty()) out.push_back({path, !items});
  for (size_t i = 0; !set && i < node.children.size(); ++i) {
    path.push_back(StepTo(node, node.children[i]));
    CollectChanges(node.children[i], path, out);
    path.pop_back();
  }
}

std::vector<ChangedPath> ChangesOf(const Prepared& prepared) {
  std::vector<ChangedPath> out;
  FieldPath path;
  CollectChanges(prepared.patch->plan.root, path, out);
  return out;
}

// Returns a patch without its guard.
std::string Unguarded(const VerifiedPatch& patch) {
  Arena arena;
  const Value& body = patch.body.root();
  if (patch.format != PatchFormat::kJson) return WriteJson(WithoutAt(body, {"metadata"}, {"resourceVersion"}, arena));
  std::vector<Value> operations(body.Items().begin(), body.Items().end());
  std::erase_if(operations, [](const Value& one) { return one.StringOr("path") == "/metadata/resourceVersion"; });
  return WriteJson(arena.Array(operations));
}

std::string RequestOf(const Prepared& prepared, PlannedAction action) {
  const std::string whole = action == PlannedAction::kChange ? "" : WriteJson(NewObject(prepared).root());
  if (!prepared.live) return whole;
  return StrCat(static_cast<int>(prepared.patch->format), Unguarded(*prepared.patch), whole);
}

std::string JsonAt(const Value& object, const FieldPath& path) {
  const Value* value = ValueAt(object, path);
  return value == nullptr ? "" : WriteJson(*value);
}

// Returns what live has and will have where it changes: what somebody wrote there after the review was never looked at. Of a
// list that is not written as a whole, the patch says what becomes of it.
std::string ChangesIn(const std::vector<ChangedPath>& changes, const Prepared& prepared) {
  std::string out;
  for (const auto& [path, whole] : changes) {
    out += ToString(path);
    if (whole) {
      out += StrCat("\n", JsonAt(prepared.live->root(), path), "\n", JsonAt(prepared.patch->outcome.root(), path));
    }
    out += "\n";
  }
  return out;
}

// What a recreation loses: all that live has, but for what is never the same.
std::string WhatIsLost(const Value& live) {
  Arena arena;
  const Value spec = WithoutAt(live, {}, {"status"}, arena);
  return WriteJson(WithoutAt(spec, {"metadata"}, {"managedFields", "resourceVersion", "generation"}, arena));
}

// Returns the uid as the plan has it: of a Namespace, which may be the anchor, a digest. The key is made of the anchor's uid.
std::string UidIn(const GroupVersionKind& gvk, std::string_view uid, const PlanKey& key) {
  const bool is_namespace = gvk.group.empty() && gvk.kind == "Namespace";
  return is_namespace ? key.DigestOfPlan(uid) : std::string(uid);
}

// Returns true if reading shows that nothing is left to do. A server-side apply may still be sent (reviewed_apply.h).
bool IsDone(const Prepared& prepared) { return prepared.live && prepared.patch && prepared.patch->body.root().empty(); }

PlannedAction ActionOf(const Prepared& prepared, Recreation recreation) {
  if (!prepared.live) return PlannedAction::kCreate;
  if (IsDone(prepared)) return prepared.answer ? PlannedAction::kChange : PlannedAction::kUnchanged;
  return recreation == Recreation::kYes ? PlannedAction::kRecreate : PlannedAction::kChange;
}

// --- a server-side apply of an object in which reading shows no change

std::vector<std::string> PathsOf(const Value& operations) {
  std::vector<std::string> out;
  for (const Value& operation : operations.Items()) out.emplace_back(operation.StringOr("path"));
  return out;
}

// Adds what the apply would do. `out` has the rest.
void AddApply(const Prepared& prepared, const auto& digest, PlannedObject& out) {
  if (!prepared.server_side || (!prepared.answer && IsRecordedAlready(prepared))) return;
  out.request = digest(WriteJson(prepared.desired.root()));
  if (!prepared.answer) return;
  Arena arena;
  const Value effect = EffectOf(*prepared.live, *prepared.answer, arena);
  const std::vector<std::string> paths = PathsOf(effect);
  out.changes.insert(out.changes.end(), paths.begin(), paths.end());
  out.outcome = digest(WriteJson(effect));
}

// --- differences

std::string NameOf(const PlannedObject& object) {
  return Label({std::string(GroupOf(object.api_version)), "", object.kind}, object.name);
}

std::vector<std::string> OnlyIn(std::vector<std::string> one, std::vector<std::string> other) {
  std::ranges::sort(one);
  std::ranges::sort(other);
  std::vector<std::string> out;
  std::ranges::set_difference(one, other, std::back_inserter(out));
  return out;
}

std::string Moves(const PlannedObject& reviewed, const PlannedObject& now) {
  const std::vector<std::string> more = OnlyIn(now.changes, reviewed.changes);
  const std::vector<std::string> less = OnlyIn(reviewed.changes, now.changes);
  std::vector<std::string> out;
  if (!more.empty()) out.push_back(StrCat("apply would also change ", NameSome(more, kMostNamed)));
  if (!less.empty()) out.push_back(StrCat("apply would no longer change ", NameSome(less, kMostNamed)));
  return out.empty() ? "live has other values where apply writes, or apply would write something else"
                     : Join(out, ", and ");
}

// Returns what differs from the plan; "" if nothing does.
std::string Difference(const PlannedObject& reviewed, const PlannedObject& now) {
  if (now.manifest != reviewed.manifest) return "the manifest is another one";
  if (now.action == PlannedAction::kCreate && reviewed.action != now.action)
    return "the object does not exist any more";
  if (reviewed.action == PlannedAction::kCreate && reviewed.action != now.action) return "the object exists now";
  if (now.uid != reviewed.uid) return "the object was deleted and created again";
  const bool loses_more = !OnlyIn(now.changes, reviewed.changes).empty();  // what no request says
  const bool same = now.action == reviewed.action && now.request == reviewed.request &&
                    now.outcome == reviewed.outcome && !loses_more;
  return same ? "" : Moves(reviewed, now);
}

}  // namespace

PlannedObject PlanOf(const Prepared& prepared, Recreation recreation, const PlanKey& key) {
  const Value& manifest = prepared.manifest.root();
  const auto digest = [&](const std::string& text) { return key.Digest(text, manifest); };
  PlannedObject out = {prepared.ref.gvk.ApiVersion(), prepared.ref.gvk.kind, prepared.ref.name_space,
                       prepared.ref.name};
  out.action = ActionOf(prepared, recreation);
  out.manifest = digest(WriteJson(manifest));
  out.changes = prepared.lost;
  if (prepared.live) out.uid = UidIn(prepared.ref.gvk, TextAt(prepared.live->root(), {"metadata", "uid"}), key);
  if (IsDone(prepared)) {
    AddApply(prepared, digest, out);
    return out;
  }
  out.request = digest(RequestOf(prepared, out.action));
  if (!prepared.live) return out;
  const std::vector<ChangedPath> changes = ChangesOf(prepared);
  for (const ChangedPath& change : changes) out.changes.push_back(ToString(change.path));
  const bool recreates = out.action == PlannedAction::kRecreate;
  out.outcome = digest(recreates ? WhatIsLost(prepared.live->root())
                                 : StrCat(ChangesIn(changes, prepared), prepared.lost_values));
  return out;
}

PlannedObject PlanOf(const Stale& stale, const PlanKey& key) {
  PlannedObject out = {stale.ref.gvk.ApiVersion(), stale.ref.gvk.kind, stale.ref.name_space, stale.ref.name};
  out.action = PlannedAction::kPrune;
  out.uid = UidIn(stale.ref.gvk, stale.uid, key);
  if (!stale.revision.empty()) out.outcome = key.DigestOfPlan(stale.revision);
  return out;
}

Review::Review(PlanFile plan, PlanKey key) : plan_(std::move(plan)), key_(std::move(key)) {
  for (const PlannedObject& object : plan_.objects) objects_.emplace(IdOf(object), &object);
}

Review::Id Review::IdOf(const PlannedObject& object) {
  return {std::string(GroupOf(object.api_version)), object.kind, object.name_space, object.name};
}

const PlannedObject* Review::Find(const Id& id) const {
  const auto found = objects_.find(id);
  return found == objects_.end() ? nullptr : found->second;
}

// Before the schema is read, it is unknown whether the kind is namespaced.
const PlannedObject* Review::Find(const Manifest& manifest, const std::string& name_space) const {
  const PlannedObject* namespaced = Find(IdentityOf(manifest, name_space));
  return namespaced != nullptr ? namespaced : Find(Id(manifest.gvk.group, manifest.gvk.kind, "", manifest.name));
}

std::string Review::DifferenceOf(const Manifest& manifest, const PlannedObject* reviewed) const {
  const std::string name = StrCat(ToString(manifest.source()), ": ", Label(manifest.gvk, manifest.name));
  if (reviewed == nullptr || reviewed->action == PlannedAction::kPrune) return StrCat(name, " is not in the plan");
  const Document document = DocumentIn(manifest, reviewed->name_space);
  const bool same = key_.Digest(WriteJson(document.root()), document.root()) == reviewed->manifest;
  return same ? "" : StrCat(name, " has another manifest");
}

Status Review::CheckInput(const Manifests& input, const std::string& name_space) const {
  std::vector<std::string> differences;
  std::set<const PlannedObject*> found;
  for (const Result<Manifest>& manifest : input.items) {
    if (!manifest.ok()) return manifest.error();
    const PlannedObject* reviewed = Find(*manifest, name_space);
    std::string difference = DifferenceOf(*manifest, reviewed);
    if (difference.empty() && !found.insert(reviewed).second) difference = StrCat(NameOf(*reviewed), " is there twice");
    if (reviewed != nullptr) found.insert(reviewed);
    if (!difference.empty()) differences.push_back(std::move(difference));
  }
  for (const PlannedObject& object : plan_.objects) {
    if (object.action == PlannedAction::kPrune || found.contains(&object)) continue;
    differences.push_back(StrCat(NameOf(object), " is in the plan, but not in the input"));
  }
  if (differences.empty()) return Ok();
  return Error::Refused(StrCat("the input is not that of the plan, so nothing was applied: ",
                               NameSome(std::move(differences), kMostNamed)));
}

Status Review::Check(const Prepared& prepared) const {
  if (IsDone(prepared)) return Ok();
  const kube::ObjectRef& ref = prepared.ref;
  const PlannedObject* reviewed = Find(Id(ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name));
  if (reviewed == nullptr) return Error::Refused("the object is not in the plan, so it was not applied");
  const bool recreates = reviewed->action == PlannedAction::kRecreate;
  const PlannedObject now = PlanOf(prepared, recreates ? Recreation::kYes : Recreation::kNo, key_);
  const std::string difference = Difference(*reviewed, now);
  if (difference.empty()) return Ok();
  return Error::Conflict(StrCat("not applied, because it is not as reviewed: ", difference));
}

bool Review::Foresees(const Prepared& prepared) const {
  const kube::ObjectRef& ref = prepared.ref;
  const PlannedObject* reviewed = Find(Id(ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name));
  if (reviewed == nullptr || reviewed->action == PlannedAction::kPrune) return false;
  return reviewed->action != PlannedAction::kUnchanged || !reviewed->request.empty();
}

Status Review::CheckEffect(const Prepared& prepared) const {
  const kube::ObjectRef& ref = prepared.ref;
  const PlannedObject* reviewed = Find(Id(ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name));
  const PlannedObject now = PlanOf(prepared, Recreation::kNo, key_);
  if (reviewed != nullptr && reviewed->request == now.request && reviewed->outcome == now.outcome) return Ok();
  return Error::Conflict(
      StrCat("not applied, because it is not as reviewed: a dry run shows that the server would also change ",
             NameSome(now.changes, kMostNamed), "; make a new plan with explain-diff --ask-server --plan-out"));
}

Status Review::CheckRecreation(const kube::ObjectRef& ref) const {
  const PlannedObject* reviewed = Find(Id(ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name));
  if (reviewed != nullptr && reviewed->action == PlannedAction::kRecreate) return Ok();
  return Error::Refused("the plan does not delete the object and create it again");
}

void Review::AddTo(Applied& applied) const {
  for (const auto& [id, object] : objects_) {
    if (object->action == PlannedAction::kPrune) continue;
    const auto& [group, kind, name_space, name] = id;
    Arena arena;
    const Value live = WithAt(Value(), {"metadata", "uid"}, arena.String(object->uid), arena);
    applied.AddObject({{group, "", kind}, "", name_space, name}, live);
  }
}

Status Review::CheckPruned(const std::vector<Stale>& stale) const {
  std::vector<std::string> others;
  for (const Stale& one : stale) {
    const kube::ObjectRef& ref = one.ref;
    const PlannedObject* reviewed = Find(Id(ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name));
    const PlannedObject now = PlanOf(one, key_);
    const bool planned = reviewed != nullptr && reviewed->action == PlannedAction::kPrune && reviewed->uid == now.uid;
    const bool changed = planned && reviewed->outcome != now.outcome;
    if (!planned || changed) {
      others.push_back(StrCat(Label(ref.gvk, ref.name), changed ? " (changed since the review)" : ""));
    }
  }
  if (others.empty()) return Ok();
  return Error::Refused(StrCat("--prune would delete what the plan does not, so nothing is deleted: ",
                               NameSome(std::move(others), kMostNamed)));
}

}  // namespace smp::apply
