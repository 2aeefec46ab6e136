#include "apply/planned_writes.h"

#include <utility>

#include "apply/chosen_server_side.h"
#include "apply/recreate.h"
#include "apply/server_side.h"
#include "kube/requests.h"
#include "value/json.h"

namespace smp::apply {

namespace {

PlannedWrite ToWrite(net::HttpRequest request, Document body) {
  std::string type;
  for (auto& [name, value] : request.headers) {
    if (name == "Content-Type") type = std::move(value);
  }
  return {std::move(request.method), std::move(request.path), std::move(type), std::move(body)};
}

Result<PlannedWrite> Creation(const Prepared& prepared, const SubmitOptions& options) {
  Document object = NewObject(prepared);
  SMP_ASSIGN(net::HttpRequest request, kube::CreateRequest(prepared.ref, object.root(), ToWriteOptions(options)));
  return ToWrite(std::move(request), std::move(object));
}

Result<PlannedWrite> Patching(const Prepared& prepared, const SubmitOptions& options) {
  const VerifiedPatch& patch = *prepared.patch;
  const kube::PatchType type = ToPatchType(patch.format);
  SMP_ASSIGN(net::HttpRequest request,
             kube::PatchRequest(prepared.ref, type, patch.body.root(), ToWriteOptions(options)));
  return ToWrite(std::move(request), patch.body);
}

Result<PlannedWrite> Applying(const Prepared& prepared, const Document& manifest, const kube::WriteOptions& options) {
  SMP_ASSIGN(net::HttpRequest request,
             kube::PatchRequest(prepared.ref, kube::PatchType::kApply, manifest.root(), options));
  return ToWrite(std::move(request), manifest);
}

Result<PlannedWrite> Write(const Prepared& prepared, const SubmitOptions& options, const Planning& planning) {
  if (const auto& how = planning.server_side) {
    return Applying(prepared, prepared.manifest,
                    ApplyRequestOptions({.force_conflicts = how->force_conflicts, .field_manager = how->manager}));
  }
  if (prepared.mode.server_side) {
    return Applying(prepared, prepared.desired, ChosenApplyOptions(prepared, planning, ToWriteOptions(options)));
  }
  return prepared.live ? Patching(prepared, options) : Creation(prepared, options);
}

Result<PlannedWrite> Deleting(const kube::ObjectRef& ref, const kube::DeleteOptions& options) {
  SMP_ASSIGN(net::HttpRequest request, kube::DeleteRequest(ref, options));
  SMP_ASSIGN(Document body, ParseJson(request.body));
  return ToWrite(std::move(request), std::move(body));
}

}  // namespace

Result<std::vector<PlannedWrite>> PlannedWrites(const Prepared& prepared, const SubmitOptions& options,
                                                const Planning& planning) {
  const bool shows_none = prepared.live && (!prepared.patch || prepared.patch->body.root().empty());
  // A server-side apply may do what only the server's answer shows.
  if (shows_none && !prepared.answer) return std::vector<PlannedWrite>();
  SMP_ASSIGN(PlannedWrite write, Write(prepared, options, planning));
  return std::vector<PlannedWrite>{std::move(write)};
}

Result<std::vector<PlannedWrite>> PlannedRecreation(const Prepared& prepared, const SubmitOptions& options,
                                                    const Deletion& deletion) {
  SMP_ASSIGN(PlannedWrite deleting, Deleting(prepared.ref, DeletionOf(prepared.live->root(), deletion)));
  SMP_ASSIGN(PlannedWrite creation, Creation(prepared, options));
  return std::vector<PlannedWrite>{std::move(deleting), std::move(creation)};
}

Result<PlannedWrite> PlannedDeletion(const Stale& stale, const Deletion& deletion) {
  return Deleting(stale.ref, ToDeleteOptions(deletion, stale.uid));
}

}  // namespace smp::apply
