#include "explain/refusal_worries.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_images.h"
#include "explain/image_words.h"
#include "explain/message.h"
#include "explain/undone_words.h"
#include "explain/undone_worries.h"
#include "smp/foretell.h"
#include "value/json.h"
#include "value/path.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestWhy = 80;      // bytes
constexpr size_t kLongestChange = 40;   // likewise
constexpr size_t kLongestBriefly = 60;  // likewise, where a screen is too short

// Returns "replicas" of "spec.replicas", and "ports[1].name" with an index, without which nobody knows which one.
std::string_view ShortField(std::string_view path) {
  const size_t last = path.rfind('.');
  if (last == std::string_view::npos) return path;
  const size_t item = path.rfind('[', last);
  const bool is_index = item != std::string_view::npos && path.find_first_not_of("0123456789", item + 1) == last - 1;
  return path.substr((is_index ? path.rfind('.', item) : last) + 1);
}

// Returns "\"v1alpha1\": missing from spec.versions" of "Invalid value: \"v1alpha1\": missing from spec.versions; …".
std::string_view WithoutAdvice(std::string_view message) {
  constexpr std::string_view kInvalid = "Invalid value: \"";
  if (!message.starts_with(kInvalid) || message.find("\": ", kInvalid.size()) == message.npos) return message;
  message.remove_prefix(kInvalid.size() - 1);
  return message.substr(0, message.find("; "));
}

// The server names what may change, which says too much, and is too long.
std::string_view WithoutList(std::string_view message) {
  constexpr std::string_view kLists[] = {"updates to statefulset spec for fields other than",
                                         "pod updates may not change fields other than"};
  const bool lists = std::ranges::any_of(kLists, [&](std::string_view start) { return message.starts_with(start); });
  return lists ? "may not change once set" : message;
}

// Returns "replicas 1 → 2: field is immutable"; without values where these are long, or where several fields are refused.
std::string InShort(const ObjectReport& object, size_t longest) {
  const Error& error = *object.error;
  std::string_view message = error.message;
  if (message.starts_with(kForetold)) message.remove_prefix(kForetold.size());
  message = WithoutList(WithoutAdvice(FirstCause(message)));
  const bool quoted = error.path.find('"') != std::string::npos;
  const std::string_view field = quoted ? error.path : ShortField(error.path);
  // The values say how much is refused: "storage 20Gi → 30Gi".
  const auto row = std::ranges::find_if(
      object.rows, [&](const ReportRow& one) { return !error.path.empty() && ToString(one.path) == error.path; });
  if (!object.also_refused.empty()) {
    NamesOnce fields;
    fields.Add(std::string(field));
    for (const std::string& path : object.also_refused) fields.Add(std::string(ShortField(path)));
    const std::string names = fields.Some(3);
    return CutEnd(StrCat(names, ": ", message), longest + names.size());
  }
  const std::string change = row == object.rows.end() ? "" : ChangeInWords(*row, object.name);
  const std::string_view what = change.empty() || change.size() > kLongestChange ? field : change;
  const size_t added = std::max(what.size(), field.size()) - field.size();
  return CutEnd(StrCat(what, field.empty() ? "" : ": ", message), longest + added);
}

// Returns " (labels version)" for what changes below the field that the server refuses to change.
std::string FieldsBelow(const ObjectReport& object) {
  NamesOnce fields;
  for (const ReportRow& row : object.rows) {
    const bool below = ToString(row.path).starts_with(StrCat(object.error->path, "."));
    if (below && !object.error->path.empty()) fields.Add(ChangeInWords(row, object.name));
  }
  return fields.empty() ? "" : StrCat(" (", fields.Some(2), ")");
}

// Returns "; it goes on giving admin to ServiceAccount shop/web, not Role shop/reader" of a binding whose role cannot change.
std::string RoleNotGiven(const ObjectReport& object) {
  const auto row = std::ranges::find_if(object.rows, [](const ReportRow& one) {
    return one.path.size() == 2 && one.path[0].name == "roleRef" && one.path[1].name == "name";
  });
  const auto& [role, subjects] = std::tie(object.role.role, object.role.subjects_before);
  if (row == object.rows.end() || row->live == nullptr || role.empty() || subjects.empty()) return {};
  return StrCat("; it goes on giving ", TextOfScalar(*row->live), " to ", NameSome(subjects, 1), ", not ", role);
}

// Returns "; not applied: operator 1.2 → 1.3".
std::string ImagesNotApplied(const ObjectReport& object) {
  NamesOnce images;
  for (const ReportRow& row : object.rows) {
    for (const auto& [before, after] : ChangedImages(row)) images.Add(ChangeOfImage(before, after, ""));
  }
  return images.empty() ? "" : StrCat("; not applied: ", images.Some(1));
}

// Returns "conflict with kubectl-set 5m ago over requests cpu 500m → 100m"; nullopt for other refusals.
std::optional<WorryWords> ConflictInWords(const ObjectReport& object) {
  if (object.error->code != ErrorCode::kConflict) return std::nullopt;
  NamesOnce fields, managers;
  for (const ReportRow& row : object.rows) {
    if (row.reason != Reason::kConflict) continue;
    fields.Add(UndoneInWords(row, object.name));
    const NamesOnce others = OthersOf(row, object);
    for (const std::string& manager : others.all()) managers.Add(manager);
  }
  if (fields.empty() || managers.empty()) return std::nullopt;
  const WorryWords over = NameInBoth(fields, kMostTold), with = NameInBoth(managers, kMostTold);
  return WorryWords{StrCat("conflict with ", with.all, " over ", over.all),
                    StrCat("conflict with ", with.brief, " over ", over.brief)};
}

}  // namespace

FoundWorries OfFailure(const ObjectReport& object) {
  const bool refused = !object.rows.empty() || object.error->message.starts_with(kForetold);
  const Worry worry = object.is_absent ? Worry::kNotCreated : refused ? Worry::kRefused : Worry::kFailed;
  const std::string images = ImagesNotApplied(object);
  FoundWorries out;
  if (refused) AddKept(object, out);
  if (const auto conflict = ConflictInWords(object)) {
    out[worry] = {.all = StrCat(conflict->all, images), .brief = StrCat(conflict->brief, images)};
    return out;
  }
  const std::string role = RoleNotGiven(object);
  out[worry] = {.all = StrCat(InShort(object, kLongestWhy), FieldsBelow(object), role, images),
                .brief = StrCat(InShort(object, kLongestBriefly), role, images)};
  return out;
}

}  // namespace smp::explain
