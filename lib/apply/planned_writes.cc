#include "apply/planned_writes.h"

#include <utility>

#include "apply/recreate.h"
#include "apply/submit.h"
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

Result<PlannedWrite> Creation(const Prepared& prepared) {
  Document object = NewObject(prepared);
  SMP_ASSIGN(net::HttpRequest request, kube::CreateRequest(prepared.ref, object.root(), ToWriteOptions({})));
  return ToWrite(std::move(request), std::move(object));
}

Result<PlannedWrite> Patching(const Prepared& prepared) {
  const VerifiedPatch& patch = *prepared.patch;
  const kube::PatchType type = ToPatchType(patch.format);
  SMP_ASSIGN(net::HttpRequest request, kube::PatchRequest(prepared.ref, type, patch.body.root(), ToWriteOptions({})));
  return ToWrite(std::move(request), patch.body);
}

Result<PlannedWrite> Deleting(const kube::ObjectRef& ref, const kube::DeleteOptions& options) {
  SMP_ASSIGN(net::HttpRequest request, kube::DeleteRequest(ref, options));
  SMP_ASSIGN(Document body, ParseJson(request.body));
  return ToWrite(std::move(request), std::move(body));
}

}  // namespace

Result<std::vector<PlannedWrite>> PlannedWrites(const Prepared& prepared) {
  if (prepared.live && (!prepared.patch || prepared.patch->body.root().empty())) return std::vector<PlannedWrite>();
  SMP_ASSIGN(PlannedWrite write, prepared.live ? Patching(prepared) : Creation(prepared));
  return std::vector<PlannedWrite>{std::move(write)};
}

Result<std::vector<PlannedWrite>> PlannedRecreation(const Prepared& prepared, const Deletion& deletion) {
  SMP_ASSIGN(PlannedWrite deleting, Deleting(prepared.ref, DeletionOf(prepared.live->root(), deletion)));
  SMP_ASSIGN(PlannedWrite creation, Creation(prepared));
  return std::vector<PlannedWrite>{std::move(deleting), std::move(creation)};
}

Result<PlannedWrite> PlannedDeletion(const Stale& stale, const Deletion& deletion) {
  return Deleting(stale.ref, ToDeleteOptions(deletion, stale.uid));
}

}  // namespace smp::apply
