#include "explain/text_object.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "explain/style.h"
#include "explain/text_lines.h"
#include "explain/text_rows.h"
#include "value/at.h"
#include "value/base64.h"
#include "value/document.h"
#include "value/escape.h"
#include "value/metadata.h"

namespace smp::explain {

namespace {

std::string FileBelow(const std::string& file, const std::string& directory) {
  const std::string prefix = directory.ends_with('/') ? directory : directory + "/";
  return !directory.empty() && file.starts_with(prefix) ? file.substr(prefix.size()) : file;
}

}  // namespace

std::string PlaceOf(const Source& source, const TextOptions& options) {
  if (source.file.empty()) return {};
  return ToString(Source{FileBelow(source.file, options.directory), source.line});
}

namespace {

std::string MaskedValues(const ReportRow& row) {
  std::vector<std::string> values;
  for (const std::string* masked : {&row.masked_live, &row.masked_outcome}) {
    if (!masked->empty()) values.push_back(*masked);
  }
  return Join(values, " → ");
}

// Returns "1200 bytes, sha256 6b86b273ff34" for base64.
std::string SizeAndDigest(std::string_view base64) {
  const auto bytes = DecodeBase64(base64);
  if (!bytes) return "invalid base64";
  return StrCat(bytes->size(), bytes->size() == 1 ? " byte" : " bytes", ", sha256 ", Sha256Hex(*bytes).substr(0, 12));
}

// Of binary data, which nobody can read.
std::string BinaryValues(const ReportRow& row) {
  std::vector<std::string> values;
  for (const Value* value : {ValueBefore(row), ValueAfter(row)}) {
    if (value != nullptr && value->is_string()) values.push_back(SizeAndDigest(value->AsString()));
  }
  return Join(values, " → ");
}

bool IsBinary(const FieldPath& path) { return path.size() == 2 && path[0].name == "binaryData"; }

// Returns "value from policy.yaml:3: OverridePolicy p, instead of web.yaml:7"; "" if it is from the object's own file.
std::string Origin(const ReportRow& row, const ObjectReport& object, const TextOptions& options) {
  const bool elsewhere = row.source.line > 0 && row.source.file != object.source.file;
  if (row.policy.empty() && !elsewhere) return {};
  std::vector<std::string> parts;
  if (row.source.line > 0) parts.push_back(PlaceOf(row.source, options));
  if (!row.policy.empty()) parts.push_back(row.policy);
  const std::string overridden = row.overridden.line > 0 ? PlaceOf(row.overridden, options) : "";
  return StrCat("value from ", Join(parts, ": "), overridden.empty() ? "" : StrCat(", instead of ", overridden));
}

std::string Tail(const ReportRow& row, const ObjectReport& object, Places places) {
  const bool here = places == Places::kShow && row.source.line > 0 && row.source.file == object.source.file;
  return StrCat(As(IsSurprise(row.reason) ? Role::kWarning : Role::kDim, ReasonName(row.reason)),
                here ? As(Role::kDim, StrCat(" :", row.source.line)) : "");
}

std::string Note(const ReportRow& row, const ObjectReport& object, Places places, const TextOptions& options) {
  std::vector<std::string> parts;
  if (!IsPlain(row.message) && row.op != RowOp::kMove) parts.push_back(row.message);
  std::string origin = places == Places::kShow ? Origin(row, object, options) : "";
  if (!origin.empty()) parts.push_back(std::move(origin));
  return Join(parts, "; ");
}

// Returns the value without what the path says: the keys of an item. nullptr if nothing else is in it.
const Value* BesidesPath(const Value* value, const FieldPath& path, Arena& arena) {
  if (value == nullptr || path.empty()) return value;
  const PathStep& last = path.back();
  if (last.kind == PathStep::Kind::kElement) return nullptr;
  if (last.kind != PathStep::Kind::kKey || !value->is_object()) return value;
  std::vector<std::string_view> names;
  for (const auto& [name, text] : last.keys) names.push_back(name);
  const Value rest = WithoutAt(*value, {}, names, arena);
  return rest.empty() ? nullptr : arena.Keep(rest);
}

}  // namespace

TextRow ToTextRow(const ReportRow& row, const ObjectReport& object, Places places, const TextOptions& options,
                  Arena& arena) {
  TextRow out;
  out.path = row.path;
  out.sign = Sign(row);
  out.tail = Tail(row, object, places);
  out.note = Note(row, object, places, options);
  if (row.op == RowOp::kMove) {
    out.cell = MovesOf(row.order);
  } else if (row.masked) {
    out.cell = MaskedValues(row);
  } else if (IsBinary(row.path)) {
    out.cell = BinaryValues(row);
  } else {
    out.before = BesidesPath(ValueBefore(row), row.path, arena);
    out.after = BesidesPath(ValueAfter(row), row.path, arena);
    out.stored = row.op == RowOp::kSet ? BesidesPath(row.outcome, row.path, arena) : nullptr;
  }
  return out;
}

// --- new objects

bool IsPartOfManifest(const ReportRow& row) {
  return row.path.size() == 1 && !row.masked && row.reason == Reason::kAdded && ValueAfter(row) != nullptr;
}

namespace {

// Name and namespace are in the head.
Value WithoutName(const Value& metadata, Arena& arena) {
  return metadata.is_object() ? WithoutAt(metadata, {}, {"name", "namespace"}, arena) : metadata;
}

}  // namespace

std::string PrintManifest(const ObjectReport& object, size_t indent, const TextOptions& options) {
  Arena arena;
  std::vector<Member> members;
  for (const ReportRow& row : object.rows) {
    if (!IsPartOfManifest(row)) continue;
    const std::string& name = row.path[0].name;
    const Value value = name == "metadata" ? WithoutName(*ValueAfter(row), arena) : *ValueAfter(row);
    if (name != "metadata" || !value.empty()) members.push_back({name, value});
  }
  return members.empty() ? "" : PrintBlock(arena.Object(std::move(members)), '+', indent, options);
}

// --- below the rows

namespace {

constexpr size_t kMostNamed = 5;  // fields of a manager

bool SameManager(const FieldManager& a, const FieldManager& b) {
  return a.name == b.name && a.operation == b.operation && a.subresource == b.subresource;
}

// Adds what a manager set in an object to what it set in others, with the time of the newest entry.
void AddFields(const FieldsOfManager& fields, std::vector<FieldsOfManager>& out) {
  const auto same = std::find_if(
      out.begin(), out.end(), [&](const FieldsOfManager& other) { return SameManager(other.manager, fields.manager); });
  if (same == out.end()) return out.push_back(fields);
  same->manager.time = std::max(same->manager.time, fields.manager.time);
  for (size_t i = 0; i < fields.paths.size(); ++i) {
    const auto there = std::find(same->paths.begin(), same->paths.end(), fields.paths[i]);
    if (there == same->paths.end()) {
      same->paths.push_back(fields.paths[i]);
      same->values.push_back(fields.values[i]);
    } else if (std::string& value = same->values[static_cast<size_t>(there - same->paths.begin())];
               value != fields.values[i]) {
      value.clear();  // each object has another one
    }
  }
}

// Returns "2 fields only in live and kept, set by mallory (Update; last write 3d ago): spec.hostNetwork: true,
// spec.hostPID: true".
std::string OfOthers(const FieldsOfManager& fields, std::optional<std::chrono::sys_seconds> now) {
  std::vector<std::string> named;
  for (size_t i = 0; i < fields.paths.size(); ++i) {
    named.push_back(StrCat(ToString(fields.paths[i]), fields.values[i].empty() ? "" : ": ", fields.values[i]));
  }
  return StrCat(fields.paths.size(), fields.paths.size() == 1 ? " field" : " fields", " only in live and kept, set by ",
                Describe(fields.manager, now), ": ", NameSome(std::move(named), kMostNamed));
}

// Returns true if a row needs a sentence: something else than the manifest decides what happens, or somebody else wrote
// what is in live.
bool HasSurprise(const ObjectReport& object) {
  return std::any_of(object.rows.begin(), object.rows.end(),
                     [](const ReportRow& row) { return row.op != RowOp::kMove && !IsPlain(row.message); });
}

// Returns true if only client-side apply wrote the field in live, so that its message names no manager.
bool IsOfClientSideApply(const ReportRow& row) { return !row.managers.empty() && AllOfClientSideApply(row.managers); }

std::string_view NameOfPatch(std::string_view type) {
  if (type == "apply") return "server-side apply";
  return type == "strategic" ? "strategic merge" : type == "merge" ? "JSON merge" : "JSON patch";
}

}  // namespace

std::string PatchNote(const ObjectReport& object) {
  if (!object.patch || !(object.patch->guarded || !object.patch->why.empty())) return {};
  return StrCat("patch: ", NameOfPatch(object.patch->type), object.patch->guarded ? ", guarded by resourceVersion" : "",
                object.patch->why.empty() ? "" : StrCat("; why: ", object.patch->why));
}

std::string PrintHead(const ObjectReport& object, std::string_view action, const TextOptions& options) {
  const std::string place = PlaceOf(object.source, options);
  const std::string head = StrCat(NameOf(object), ": ", action, place.empty() ? "" : StrCat(" (", place, ")"));
  return As(object.action == Action::kError ? Role::kError : Role::kHeading, PrintWrapped(head, 0, options));
}

std::string PrintBody(const ObjectReport& object, Places places, const TextOptions& options) {
  const bool is_new = object.action == Action::kCreate;
  std::string out = is_new ? PrintManifest(object, 2, options) : "";
  Arena arena;  // holds the values of items
  std::vector<TextRow> rows;
  for (const ReportRow& row : object.rows) {
    const bool record = IsLastAppliedAnnotation(row.path);  // its message says it shorter
    if (record) out += PrintWrapped(row.message, 2, options);
    if (!record && !(is_new && IsPartOfManifest(row))) rows.push_back(ToTextRow(row, object, places, options, arena));
  }
  return StrCat(out, PrintRows(rows, 2, options), PrintWrapped(PatchNote(object), 2, options));
}

AboutRows DescribeRows(const ObjectReport& object) {
  const bool changes = object.action == Action::kChange || object.action == Action::kRecreate;
  const bool unusual = HasSurprise(object) || !AllOfClientSideApply(object.appliers);
  return {.any = !object.rows.empty(),
          .action = ActionWords(object),
          .changes = CountChanges(object),
          .changed_fields = ChangedFields(object),
          .says_who_applied = changes && !object.appliers.empty() && unusual,
          .names_no_manager = std::any_of(object.rows.begin(), object.rows.end(), IsOfClientSideApply)};
}

std::string LastApplied(const std::vector<const ObjectReport*>& objects, bool names_no_manager) {
  std::vector<FieldManager> appliers;
  for (const ObjectReport* object : objects) {
    for (const FieldManager& manager : object->appliers) {
      const auto same = std::find_if(appliers.begin(), appliers.end(),
                                     [&](const FieldManager& other) { return SameManager(other, manager); });
      if (same == appliers.end()) {
        appliers.push_back(manager);
      } else {
        same->time = std::max(same->time, manager.time);
      }
    }
  }
  if (appliers.empty()) return {};
  return StrCat("last applied by ", Describe(appliers, objects.front()->now),
                names_no_manager ? StrCat("; fields shown without a manager: ", kClientSideManager) : "");
}

std::string PrintFieldsOfOthers(const std::vector<const ObjectReport*>& objects, const TextOptions& options) {
  std::vector<FieldsOfManager> of_others;
  for (const ObjectReport* object : objects) {
    for (const FieldsOfManager& fields : object->of_others) AddFields(fields, of_others);
  }
  std::string out;
  for (const FieldsOfManager& fields : of_others) {
    out += PrintWrapped(OfOthers(fields, objects.front()->now), 2, options);
  }
  return out;
}

std::vector<std::string> Remarks(const ObjectReport& object) {
  std::vector<std::string> out;
  for (const std::string& warning : object.warnings) out.push_back(StrCat("warning: ", warning));
  if (!object.unasked.empty()) out.push_back(StrCat("the server could not be asked: ", object.unasked));
  return out;
}

}  // namespace smp::explain
