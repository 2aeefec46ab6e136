#include "apply/apply_set.h"

#include <algorithm>
#include <utility>

#include "apply/input_definitions.h"
#include "apply/keep_annotation.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "kube/resource_mapper.h"
#include "value/at.h"
#include "value/derived_document.h"
#include "value/path_match.h"

namespace smp::apply {

namespace {

Document WithLabel(const Document& document, const std::string& id) {
  Arena arena;
  arena.Retain(document);
  const Value root = WithAt(document.root(), {"metadata", "labels", kPartOfLabel}, arena.String(id), arena);
  return DerivedDocument(document, std::move(arena), root);
}

// Adds the label. Like kubectl, which reads the labels for it, takes null for "" in them. Error: invalid-argument, with kubectl's message.
Status AddLabel(Manifest& manifest, const std::string& id) {
  const Value* labels = manifest.document.root().FindPath({"metadata", "labels"});
  if (labels != nullptr && labels->is_object() && labels->Find(kPartOfLabel) != nullptr) {
    Error error = Error::InvalidArgument(StrCat("ApplySet label \"", kPartOfLabel, "\" already set in input data"));
    error.source = manifest.source();
    error.path = Label(manifest.gvk, manifest.name);
    return error;
  }
  manifest.document = WithLabel(WithTextsForNulls(manifest.document, {"metadata", "labels"}), id);
  return Ok();
}

// A list of labels, say, must not be replaced by a map without a word.
Status CheckLabels(const Manifest& manifest) {
  const Value* labels = manifest.document.root().FindPath({"metadata", "labels"});
  if (labels == nullptr || labels->is_null() || labels->is_object()) return Ok();
  Error error = Error::Schema("must be a map");
  error.source = manifest.source();
  error.path = "metadata.labels";
  return error;
}

bool IsParent(const Stale& stale, const kube::ObjectRef& parent) {
  const kube::ObjectRef& ref = stale.ref;
  return ref.gvk.group == parent.gvk.group && ref.gvk.kind == parent.gvk.kind && ref.name_space == parent.name_space &&
         ref.name == parent.name;
}

// Controllers copy labels to what they make, such as those of a Service to its Endpoints.
bool HasController(const Value& object) {
  return std::ranges::any_of(ItemsAt(object, {"metadata", "ownerReferences"}),
                             [](const Value& owner) { return IsTrueAt(owner, {"controller"}); });
}

// The label would stay as live has it: without one, or with that of another set.
Status CheckSetsLabel(const Manifest& manifest, const std::vector<KeepPath>& given) {
  SMP_ASSIGN(const std::vector<KeepPath> paths, KeepPathsOf(manifest.document.root(), given));
  Arena arena;
  const Value label = WithAt(arena.Object({}), {"metadata", "labels", kPartOfLabel}, arena.String(""), arena);
  for (const KeepPath& path : paths) {
    if (!NamesPart(path.pattern, label)) continue;
    Error error = Error::InvalidArgument(StrCat(path.by, " ", path.text, " would keep the label of the ApplySet, ",
                                                kPartOfLabel, ", as live has it; name the other labels one by one"));
    error.source = manifest.source();
    error.path = Label(manifest.gvk, manifest.name);
    return error;
  }
  return Ok();
}

ApplySetSets Union(ApplySetSets a, const ApplySetSets& b) {
  a.kinds.insert(b.kinds.begin(), b.kinds.end());
  a.namespaces.insert(b.namespaces.begin(), b.namespaces.end());
  return a;
}

}  // namespace

std::string SetLeftBy(const Value& before, const Value& after) {
  const std::string_view set = TextAt(before, {"metadata", "labels", kPartOfLabel});
  return set == TextAt(after, {"metadata", "labels", kPartOfLabel}) ? "" : std::string(set);
}

ApplySet::ApplySet(kube::Client& client, ApplySetOptions options, ApplySetParent parent, ApplySetState before)
    : client_(&client), options_(std::move(options)), parent_(std::move(parent)), before_(std::move(before)) {}

Result<ApplySet> ApplySet::Open(kube::Client& client, ApplySetOptions options) {
  kube::ResourceMapper mapper(&client);
  SMP_ASSIGN(ApplySetParent parent, FindApplySetParent(client, mapper, options));
  SMP_ASSIGN(ApplySetState before, ReadApplySetParent(client, mapper, parent, options));
  for (const std::string& kind : before.unserved) {
    options.warn(StrCat(
        "the server does not have the kind ", kind,
        " of the ApplySet any more; its objects count as gone, as those "
        "of a deleted CRD are; if it was of an aggregated API that was removed, the ApplySet forgets its objects"));
  }
  return ApplySet(client, std::move(options), std::move(parent), std::move(before));
}

Status ApplySet::AddLabels(Manifests& manifests) const {
  for (Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    if (Status fit = CheckLabels(*manifest); !fit.ok()) {
      manifest = std::move(fit).error();
    } else {
      SMP_TRY(CheckSetsLabel(*manifest, options_.keep_live));
      SMP_TRY(AddLabel(*manifest, parent_.id));
    }
  }
  return Ok();
}

Status ApplySet::AddInput(const Manifests& manifests, const Target& target) {
  const InputDefinitions definitions = DefinitionsOf(manifests);
  for (const Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    const std::string& name_space = manifest->name_space.empty() ? target.name_space : manifest->name_space;
    const GroupVersionKind& gvk = manifest->gvk;
    if (const Result<kube::ObjectRef> ref = FindRef(*manifest, target); ref.ok()) {
      AddMember(gvk, ref->plural, ref->name_space);
    } else if (const auto brought = definitions.kinds.find(gvk); brought != definitions.kinds.end()) {
      const Resource& resource = brought->second.resource;
      AddMember(gvk, resource.plural, resource.namespaced ? name_space : "");
    } else if (definitions.api_services.contains({gvk.group, gvk.version, ""})) {
      AddMember(gvk, "", name_space);
    } else if (ref.error().code != ErrorCode::kInvalidArgument) {
      Error error = ref.error();
      if (error.source.file.empty()) error.source = manifest->source();
      return error;
    }
  }
  return Ok();
}

void ApplySet::AddMember(const GroupVersionKind& gvk, const std::string& plural, const std::string& name_space) {
  input_.kinds.insert(GroupKindText(gvk));
  resources_.insert(FullName(gvk, plural));
  if (!name_space.empty()) input_.namespaces.insert(name_space);
}

Status ApplySet::ReadAgain() {
  kube::ResourceMapper mapper(client_);
  SMP_ASSIGN(before_, ReadApplySetParent(*client_, mapper, parent_, options_));
  return Ok();
}

Status ApplySet::WriteSuperset() {
  superset_ = input_;
  superset_.kinds.insert(before_.unserved.begin(), before_.unserved.end());
  for (const ListedKind& kind : before_.kinds) superset_.kinds.insert(GroupKindText(kind.gvk));
  superset_.namespaces.insert(before_.namespaces.begin(), before_.namespaces.end());
  return WriteApplySetParent(*client_, parent_, before_.tooling, superset_, options_);
}

// Writes what `after` makes of what the parent says, and of what it says then if another run has written it in between.
Status ApplySet::Update(const std::function<ApplySetSets(const ApplySetSets&)>& after) const {
  constexpr int kMostTries = 5;
  for (int tries = 1;; ++tries) {
    SMP_ASSIGN(const WrittenSets now, ReadWrittenSets(*client_, parent_));
    const ApplySetSets sets = after(now.sets);
    if (AreSame(parent_, sets, now.sets)) return Ok();
    Status written = WriteApplySetParent(*client_, parent_, before_.tooling, sets, options_, now.version);
    if (written.ok() || written.error().code != ErrorCode::kConflict || tries == kMostTries) return written;
  }
}

Status ApplySet::KeepSuperset() const {
  if (options_.dry_run != DryRun::kNone) return Ok();
  return Update([&](const ApplySetSets& now) { return Union(now, superset_); });
}

// kubectl overwrites what another run has written meanwhile.
Status ApplySet::WriteExact() const {
  bool others_wrote = false;
  const auto exact = [&](const ApplySetSets& now) {
    others_wrote = others_wrote || !AreSame(parent_, now, superset_);
    return others_wrote ? Union(now, input_) : input_;
  };
  const bool is_dry = options_.dry_run != DryRun::kNone;
  Status written = is_dry ? WriteApplySetParent(*client_, parent_, before_.tooling, input_, options_) : Update(exact);
  if (others_wrote) {
    options_.warn(
        StrCat(NameOf(parent_),
               " was changed by another run meanwhile, so it keeps the kinds and namespaces of both; the next "
               "run corrects that"));
  }
  if (written.ok()) return written;
  Error error = std::move(written).error();
  error.message = StrCat("apply and prune succeeded, but ApplySet update failed: ", error.message);
  return error;
}

// Differs from kubectl: it deletes a Namespace or CRD with the objects that the same run applied.
Status ApplySet::CheckKeepsInput(const Stale& stale) const {
  const kube::ObjectRef& ref = stale.ref;
  const bool has_parent = (kube::IsNamespace(ref.gvk) && parent_.ref.name_space == ref.name) ||
                          (kube::IsDefinition(ref.gvk) && FullName(parent_.ref.gvk, parent_.ref.plural) == ref.name);
  const bool has_input = (kube::IsNamespace(ref.gvk) && input_.namespaces.contains(ref.name)) ||
                         (kube::IsDefinition(ref.gvk) && resources_.contains(ref.name));
  if (!has_parent && !has_input) return Ok();
  return Error::Refused(
      StrCat(Label(ref.gvk, ref.name), " is no longer in any manifest, but deleting it would also delete ",
             has_input ? "objects that are" : "the parent of the ApplySet",
             "; nothing was pruned: put it back into the manifests, or remove its label ", kPartOfLabel));
}

Result<std::vector<Stale>> ApplySet::PlanPrune(const Applied& applied) const {
  const PruneSearch search = {
      .kinds = before_.kinds,
      .namespaces = before_.namespaces,
      .selector = StrCat(kPartOfLabel, "=", parent_.id),
      .counts = [id = parent_.id](const Value& object) {
        return TextAt(object, {"metadata", "labels", kPartOfLabel}) == id && !HasController(object);
      }};
  SMP_ASSIGN(std::vector<Stale> out, FindStale(*client_, search, applied));
  std::erase_if(out, [&](const Stale& stale) { return IsParent(stale, parent_.ref); });
  for (const Stale& stale : out) SMP_TRY(CheckKeepsInput(stale));
  return out;
}

}  // namespace smp::apply
