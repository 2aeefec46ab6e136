#include "explain/worries.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/nested_changes.h"
#include "explain/of_others.h"
#include "explain/rights.h"
#include "explain/schema_changes.h"
#include "smp/foretell.h"
#include "value/path.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kMostUndone = 5;   // of an object
constexpr size_t kLongestWhy = 80;  // bytes

bool Undoes(const ReportRow& row) {
  if (row.op != RowOp::kSet && row.op != RowOp::kDelete) return false;
  switch (row.reason) {
    case Reason::kConflict:
    case Reason::kDrift:
    case Reason::kRestored:
    case Reason::kAtomic: return true;
    case Reason::kOwned: return !IsPlain(row.message);
    default: return row.live != nullptr && std::ranges::any_of(row.managers, IsOfOthers);
  }
}

std::vector<std::string> UndoneFields(const ObjectReport& object) {
  std::vector<std::string> names;
  for (const ReportRow& row : object.rows) {
    if (!Undoes(row)) continue;
    std::string name = FieldInWords(row);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

void AddRights(const ReportRow& row, std::map<Worry, std::string>& out) {
  const auto rights = ChangedRights(*row.live, *row.outcome);
  if (!rights) return;
  std::vector<std::string> lost;
  for (const ChangedRight& right : *rights) {
    if (right.sign == '-') lost.push_back(StrCat(right.verbs, " ", right.resources));
  }
  if (!lost.empty()) out[Worry::kRightsGone] = NameSome(std::move(lost), 2, "; ");
}

void AddSchemas(const ReportRow& row, std::map<Worry, std::string>& out) {
  const auto changes = NestedChanges(*row.live, *row.outcome);
  if (!changes) return;
  for (const SchemaOfVersions& schema : DivideSchemaChanges(*changes).schemas) {
    for (const SchemaChange& change : schema.changes) {
      if (change.effect == SchemaChange::Effect::kMayRefuse) out[Worry::kMayRefuse];
      if (change.effect == SchemaChange::Effect::kFieldsGone) out[Worry::kFieldsGone];
    }
  }
}

// Returns "replicas: field is immutable".
std::string InShort(const Error& error) {
  std::string_view message = error.message;
  if (message.starts_with(kForetold)) message.remove_prefix(kForetold.size());
  message = message.substr(0, message.find('\n'));
  const bool quoted = error.path.find('"') != std::string::npos;
  const std::string field = quoted ? error.path : error.path.substr(error.path.rfind('.') + 1);
  return CutEnd(StrCat(field, field.empty() ? "" : ": ", message), kLongestWhy);
}

}  // namespace

std::map<Worry, std::string> WorriesOf(const ObjectReport& object) {
  std::map<Worry, std::string> out;
  if (object.compared) return out;
  if (object.action == Action::kError) {
    if (object.rows.empty()) return {{Worry::kFailed, ""}};
    return {{Worry::kRefused, InShort(*object.error)}};
  }
  if (std::vector<std::string> fields = UndoneFields(object); !fields.empty()) {
    out[Worry::kUndoes] = NameSome(std::move(fields), kMostUndone);
  }
  if (!object.privileges.empty()) out[Worry::kPrivileges] = NamedPaths(object.privileges);
  // Why is only said where it was not asked for.
  if (object.patch && object.patch->type == "apply" && !object.patch->why.empty()) out[Worry::kServerSide];
  for (const ReportRow& row : object.rows) {
    if (row.op != RowOp::kSet || row.path.empty() || row.live == nullptr || row.outcome == nullptr) continue;
    if (row.path.back().name == "rules") AddRights(row, out);
    if (row.path.back().name == "versions" && object.kind == "CustomResourceDefinition") AddSchemas(row, out);
  }
  return out;
}

std::string_view WordsOf(Worry worry) {
  switch (worry) {
    case Worry::kFailed: return "cannot be explained";
    case Worry::kRefused: return "will be refused, and stays as it is";
    case Worry::kUndoes: return "undoes changes that were made in live";
    case Worry::kPrivileges: return "keeps privileges that others added";
    case Worry::kRightsGone: return "takes rights away";
    case Worry::kMayRefuse: return "may make the server refuse objects that exist, when they are written again";
    case Worry::kFieldsGone:
      return "removes fields from a schema: objects that have them lose them when they are written";
    case Worry::kServerSide: return "will be sent as a server-side apply";
  }
  return "";
}

}  // namespace smp::explain
