#include "cmd/pull_new.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "apply/find_kind.h"
#include "apply/last_applied.h"
#include "apply/manifest_form.h"
#include "apply/prepare.h"
#include "base/replace_file.h"
#include "base/strings.h"
#include "cmd/connection.h"
#include "cmd/exit_code.h"
#include "cmd/last_applied.h"
#include "cmd/object_selection.h"
#include "pull/written_value.h"
#include "value/at.h"
#include "value/escape.h"
#include "value/redact.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

// The annotation has an empty map of annotations where the manifest had none.
std::string TextOfRecord(const Value& record) {
  Arena arena;
  const Value* annotations = record.FindPath({"metadata", "annotations"});
  const bool none = annotations != nullptr && annotations->is_object() && annotations->empty();
  return yaml::WriteVisibleYaml(none ? WithoutAt(record, {"metadata"}, {"annotations"}, arena) : record);
}

// Returns true if the record names the object: whoever may write an annotation may write a record of any other object into it.
bool IsOf(const Value& record, const kube::ObjectRef& object) {
  const Result<GroupVersionKind> gvk = GvkOf(record);
  const std::string_view name_space = TextAt(record, {"metadata", "namespace"});
  return gvk.ok() && gvk->group == object.gvk.group && gvk->kind == object.gvk.kind &&
         TextAt(record, {"metadata", "name"}) == object.name && (name_space.empty() || name_space == object.name_space);
}

Result<std::string> TextOf(const apply::Selected& selected, const apply::Target& target, Io& io) {
  SMP_ASSIGN(const std::optional<Document> record, apply::ReadLastApplied(selected.live.root()));
  if (record && IsOf(record->root(), selected.ref)) return TextOfRecord(record->root());
  if (record) {
    Warn(io, StrCat("the last-applied annotation of ", apply::Label(selected.ref.gvk, selected.ref.name),
                    " is of another object; the manifest is made from the live object"));
  }
  SMP_ASSIGN(const apply::Manifest manifest, apply::ToManifest(selected.live));
  apply::Prepared found;
  SMP_TRY(apply::FindKind(manifest.gvk, target, found));
  const TypeId type = found.resource.type;
  const Document form = apply::ManifestForm(selected.live, *found.schema, type);
  Arena arena;
  const pull::ValueWriter writer(selected.live.root(), arena);
  return yaml::WriteVisibleYaml(writer.Written(form.root(), nullptr, PlaceOfObject(*found.schema, type)));
}

std::string FileOf(const std::string& folder, const kube::ObjectRef& ref) {
  std::string name = StrCat(ToLower(ref.gvk.kind), "-", ref.name, ".yaml");
  // Names of RBAC objects may have any character but / and %: in a file's name, others than these mislead a reader or a shell.
  for (char& c : name) c = IsAlnum(c) || c == '-' || c == '.' ? c : '_';
  return (std::filesystem::path(folder) / name).string();
}

// Returns the exit status.
Result<int> WriteNew(const apply::Selected& selected, const ParsedFlags& flags, const apply::Target& target, Io& io) {
  const std::string label = apply::Label(selected.ref.gvk, selected.ref.name);
  const bool secret = IsSecret(selected.live.root());
  if (secret && !flags.On("secrets")) {
    Tell(io, StrCat("left: ", label, ": it is a Secret; --secrets writes its values into the file\n"));
    return kExitDifferences;
  }
  SMP_ASSIGN(const std::string text, TextOf(selected, target, io));
  if (flags.On("dry-run")) {
    Print(io, secret ? StrCat("# ", label, ": a Secret is not shown\n") : StrCat("---\n", text));
    return kExitDifferences;
  }
  const std::string file = FileOf(flags.Text("new"), selected.ref);
  SMP_TRY(CreateFile(file, text, secret ? Readers::kOwner : Readers::kAll));
  Print(io, Visible(StrCat(label, " written to ", file), Newlines::kEscape) + "\n");
  return kExitOk;
}

}  // namespace

Result<int> PullNew(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  SMP_ASSIGN(const ChosenObjects chosen,
             ChooseObjects(flags, flags.arguments(), apply::ObjectArguments::BareType::kMeansAll, connection, io));
  int exit = kExitOk;
  for (const Result<apply::Selected>& selected : chosen.objects) {
    const auto written =
        selected.ok() ? WriteNew(*selected, flags, connection.target(), io) : Result<int>(selected.error());
    exit = std::max(exit, written.ok() ? *written : Fail(io, written.error(), kExitDiffError));
  }
  return exit;
}

}  // namespace smp::cmd
