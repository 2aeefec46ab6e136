#include "cmd/left_files.h"

#include <cstdio>
#include <string>

#include "apply/deletion.h"
#include "base/strings.h"
#include "cmd/object_printer.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

// Returns the object that the file is of. Error: not-found, if the server does not know its kind any more.
Result<kube::ObjectRef> RefOfLeft(const Value& object, kube::SchemaSource& schemas) {
  SMP_ASSIGN(const GroupVersionKind gvk, GvkOf(object));
  SMP_ASSIGN(const Resource resource, schemas.FindResource(gvk));
  return kube::ObjectRef{gvk, resource.plural, std::string(TextAt(object, {"metadata", "namespace"})),
                         std::string(TextAt(object, {"metadata", "name"}))};
}

std::string WhatToDo(const kube::ObjectRef& ref, const std::string& path, const Result<Document>& live) {
  const std::string restore =
      StrCat("apply it again, or restore the old one: ", apply::RestoreCommand(ref, path), "; then remove the file");
  if (!live.ok() && live.error().code == ErrorCode::kNotFound) return StrCat("the object does not exist; ", restore);
  if (!live.ok()) return StrCat("it is not known whether the object exists: ", live.error().message);
  if (apply::IsBeingDeleted(live->root())) return StrCat("the object is being deleted; when it is gone, ", restore);
  return "the object exists; remove the file unless you need it";
}

}  // namespace

LeftFiles::LeftFiles(const Connection& connection)
    : connection_(connection), files_(apply::FindLeftFiles(ServerIdentity(connection.config))) {}

void LeftFiles::AddResult(const apply::ObjectResult& result, bool keeps) {
  if (result.fate != apply::ObjectResult::Fate::kDone || !result.ref) return;
  const Value& object = result.submitted.object.root();
  // What is kept as live has it is only in the file if the object had to be created.
  const bool lacks_kept = keeps && result.submitted.done == apply::Done::kCreated;
  if (!lacks_kept && !apply::IsBeingDeleted(object)) applied_.AddObject(*result.ref, object);
}

std::string LeftFiles::Advice(const std::string& path, const Result<kube::ObjectRef>& ref) const {
  if (!ref.ok()) return StrCat("the file ", path, " is of an earlier --force that was ended: ", ref.error().message);
  const std::string space = ref->name_space.empty() ? "" : StrCat(" in namespace ", Visible(ref->name_space));
  return StrCat("an earlier --force was ended before it was done; the old ", LabelOf(*ref), space, " is saved in ",
                path, "; ", WhatToDo(*ref, path, connection_.client->Get(*ref)));
}

void LeftFiles::Settle(Io& io) const {
  for (const apply::LeftFile& left : files_) {
    const auto ref = RefOfLeft(left.object.root(), *connection_.schemas);
    // Without verification, the file may be of another cluster behind the same URL, and the only copy of its object.
    if (!ref.ok() || !applied_.Has(*ref, "") || !IsVerified(connection_.config)) {
      Warn(io, Advice(left.saved.path, ref));
    } else if (std::remove(left.saved.path.c_str()) == 0) {
      Tell(io, StrCat("removed ", left.saved.path, ", which an earlier --force left when it was ended: ", LabelOf(*ref),
                      " is applied\n"));
    }
  }
}

}  // namespace smp::cmd
