#include "apply/edit_session.h"

#include <optional>
#include <utility>

#include "apply/last_applied.h"
#include "apply/manifests.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "yaml/write_yaml.h"

namespace smp::apply {

namespace {

// kubectl's wording.
constexpr std::string_view kHeader =
    "# Please edit the 'last-applied-configuration' annotations below.\n"
    "# Lines beginning with a '#' will be ignored, and an empty file will abort the edit.\n"
    "#\n";

EditedName NameOf(const Value& object) {
  const auto text = [&](Names path) { return std::string(TextAt(object, path)); };
  return {text({"apiVersion"}), text({"kind"}), text({"metadata", "namespace"}), text({"metadata", "name"})};
}

std::string WithWindowsLineEndings(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

std::string BodyOf(const EditSession& session) {
  Arena arena;
  std::vector<Value> records;
  for (const Annotated& object : session.objects) records.push_back(object.last_applied.root());
  const Value root = ListOf(records, arena);
  return session.json ? WriteIndentedJson(root) + "\n" : yaml::WriteVisibleYaml(root);
}

// JSON has no comments, so a JSON file has no header (as in kubectl).
std::string FileText(const EditSession& session, const std::string& reason, std::string_view body) {
  std::string header(session.json ? "" : kHeader);
  if (!session.json && !reason.empty()) {
    for (const std::string_view line : Split(reason, '\n')) header += StrCat("# ", line, "\n");
    header += "#\n";
  }
  const std::string text = StrCat(header, body);
  return session.windows_line_endings ? WithWindowsLineEndings(text) : text;
}

// Returns the text without comment lines.
std::string Stripped(std::string_view text) {
  std::string out;
  for (const std::string_view line : Split(text, '\n')) {
    if (!line.starts_with('#')) out += StrCat(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, "\n");
  }
  return out;
}

// Takes the text with its comments, so that line numbers in errors match the file.
Result<std::map<EditedName, Document>> ReadEdited(const std::string& text) {
  std::map<EditedName, Document> out;
  for (const Result<Manifest>& item : ParseManifests(text, "the edited file").items) {
    if (!item.ok()) return item.error();
    out.insert_or_assign(NameOf(item->document.root()), item->document);
  }
  return out;
}

// The change fails with a conflict if the annotation is no longer the one that the user edited.
RecordChange Replace(const Annotated& object, const std::string& text) {
  return [&object, text](const Document& live) -> Result<std::optional<std::string>> {
    if (LastAppliedTextOf(live.root()) != LastAppliedTextOf(object.selected.live.root())) {
      return Error::Conflict("the last-applied annotation was changed by someone else in the meantime; edit it again");
    }
    return std::optional(text);
  };
}

Status StoreOne(const Annotated& object, const Document& edited, kube::Client& client, const RecordOptions& options,
                const EditDone& done) {
  const kube::ObjectRef& ref = object.selected.ref;
  if (edited.root() == object.last_applied.root()) {
    done(ref, "skipped", edited);
    return Ok();
  }
  const RecordChange change = Replace(object, LastAppliedText(edited.root()));
  Result<std::optional<Document>> changed = ChangeRecord(client, ref, object.selected.live, change, options);
  if (!changed.ok()) {
    Error error = std::move(changed).error();
    error.path = Label(ref.gvk, ref.name);
    return error;
  }
  done(ref, "edited", edited);
  return Ok();
}

}  // namespace

Result<EditResult> EditUntilValid(const EditSession& session, const RunEditor& run_editor) {
  const std::string original = BodyOf(session);
  std::string body = original, reason;
  while (true) {
    SMP_ASSIGN(const std::string text, run_editor(FileText(session, reason, body)));
    const std::string stripped = Stripped(text);
    if (Trim(stripped).empty()) return EditResult{EditEnd::kEmpty};
    const bool same = Trim(stripped) == Trim(body);
    if (same) return EditResult{reason.empty() ? EditEnd::kNoChange : EditEnd::kRejected};
    Result<std::map<EditedName, Document>> edited = ReadEdited(text);
    if (edited.ok()) return EditResult{EditEnd::kEdited, *std::move(edited)};
    reason = StrCat("The edited file had a syntax error: ", ToString(edited.error()));
    body = stripped;
  }
}

Status StoreEdited(const EditSession& session, std::map<EditedName, Document> edited, kube::Client& client,
                   const RecordOptions& options, const EditDone& done) {
  for (const Annotated& object : session.objects) {
    const auto at = edited.find(NameOf(object.last_applied.root()));
    if (at == edited.end()) continue;
    SMP_TRY(StoreOne(object, at->second, client, options, done));
    edited.erase(at);
  }
  if (edited.empty()) return Ok();
  const auto& [api_version, kind, name_space, name] = edited.begin()->first;
  return Error::InvalidArgument(StrCat("no original object found for ", kind, " \"", name,
                                       "\": apiVersion, kind, namespace and name must not be changed"));
}

}  // namespace smp::apply
