#include "explain/text.h"

#include <algorithm>

#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/message.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/metadata.h"
#include "yaml/write_yaml.h"

namespace smp::explain {

namespace {

constexpr size_t kInlineWidth = 80;  // longer values are printed as a block

bool FitsInline(const Value& value, const std::string& json) {
  const bool text_block = value.is_string() && value.AsString().find('\n') != std::string_view::npos;
  return json.size() <= kInlineWidth && !text_block;
}

// Returns "\n        + key: value" lines; prints a multi-line string as it is.
std::string Block(const Value& value, char sign) {
  std::string text = value.is_string() ? std::string(value.AsString()) : yaml::WriteYaml(value);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  std::string out;
  for (const std::string_view line : Split(text, '\n')) {
    out += StrCat("\n        ", sign, " ", Visible(line, Newlines::kEscape));
  }
  return out;
}

std::string InlineOrBlock(const Value* value, char sign, bool* inline_value) {
  const std::string json = WriteJson(*value);
  *inline_value = FitsInline(*value, json);
  return *inline_value ? Visible(json, Newlines::kEscape) : Block(*value, sign);
}

std::string MaskedValues(const ReportRow& row) {
  if (row.masked_live.empty()) return ": " + row.masked_outcome;
  if (row.masked_outcome.empty()) return ": " + row.masked_live;
  return StrCat(": ", row.masked_live, " -> ", row.masked_outcome);
}

// Returns ": 2 -> 3", or blocks of removed and added lines if a value is too long.
std::string Values(const ReportRow& row) {
  if (row.op == RowOp::kMove || IsLastAppliedAnnotation(row.path)) return {};  // the message says it shorter
  if (row.masked) return MaskedValues(row);
  const Value* outcome = ValueAfter(row);
  const Value* live = ValueBefore(row);
  bool live_inline = true, outcome_inline = true;
  const std::string before = live == nullptr ? "" : InlineOrBlock(live, '-', &live_inline);
  const std::string after = outcome == nullptr ? "" : InlineOrBlock(outcome, '+', &outcome_inline);
  if (!live_inline || !outcome_inline) {
    if (live != nullptr && live_inline) return StrCat(":", Block(*live, '-'), after);
    if (outcome != nullptr && outcome_inline) return StrCat(":", before, Block(*outcome, '+'));
    return StrCat(":", before, after);
  }
  if (before.empty() && after.empty()) return {};
  if (before.empty() || after.empty()) return StrCat(": ", before, after);
  return StrCat(": ", before, " -> ", after);
}

std::string Origin(const ReportRow& row) {
  std::vector<std::string> parts;
  if (row.source.line > 0) parts.push_back(Visible(FileAndLine(row.source), Newlines::kEscape));
  if (!row.policy.empty()) parts.push_back(Visible(row.policy, Newlines::kEscape));
  if (parts.empty()) return {};
  const std::string overridden = row.overridden.line > 0 ? Visible(FileAndLine(row.overridden), Newlines::kEscape) : "";
  return StrCat(" (", Join(parts, ": "), overridden.empty() ? "" : StrCat(", instead of ", overridden), ")");
}

std::string PrintRow(const ReportRow& row) {
  return StrCat("  ", std::string(1, Sign(row)), " ", Visible(ToString(row.path), Newlines::kEscape), Values(row),
                "\n      ", ReasonName(row.reason), ": ", Visible(row.message, Newlines::kEscape), Origin(row), "\n");
}

std::string Title(const ObjectReport& object) {
  std::string out = StrCat(NameOf(object), " (", object.api_version, ")");
  if (!object.source.file.empty()) {
    out += StrCat(" from ", object.source.file);
    if (object.source.line > 0) out += StrCat(":", object.source.line);
  }
  return Visible(out, Newlines::kEscape);
}

std::string_view NameOfPatch(std::string_view type) {
  return type == "strategic" ? "strategic merge" : type == "merge" ? "JSON merge" : "JSON patch";
}

// Returns "2 fields only in live, set by mallory (Update; last write 3d ago): spec.hostNetwork, spec.hostPID".
std::string OfOthers(const FieldsOfManager& fields, const ObjectReport& object) {
  return StrCat("  ", fields.paths.size(), fields.paths.size() == 1 ? " field" : " fields", " only in live, set by ",
                Describe(fields.manager, object.now), ": ", NamedPaths(fields.paths));
}

std::string Footer(const ObjectReport& object) {
  std::vector<std::string> parts;
  if (object.patch) {
    std::string patch = StrCat("patch: ", NameOfPatch(object.patch->type), ", ");
    patch += object.patch->bytes ? StrCat(*object.patch->bytes, " bytes") : "redacted";
    if (object.patch->guarded) patch += ", guarded by resourceVersion";
    parts.push_back(std::move(patch));
  }
  if (const size_t kept = object.hidden.live_only - object.kept_of_others; kept > 0) {
    parts.push_back(StrCat(kept, kept == 1 ? " field" : " fields", " only in live, kept (--show=live-only)"));
  }
  if (parts.empty()) return {};
  std::string out = StrCat("  ", Join(parts, "; "), "\n");
  if (object.patch && !object.patch->why.empty()) {
    out += StrCat("  why: ", Visible(object.patch->why, Newlines::kEscape), "\n");
  }
  return out;
}

// Whoever reads of drift wants to know since when it may be. Nothing for objects without a change.
std::string LastApplied(const ObjectReport& object) {
  const bool changes = object.action == Action::kChange || object.action == Action::kRecreate;
  if (!changes || object.appliers.empty()) return {};
  return StrCat("  last applied by ", Visible(Describe(object.appliers, object.now), Newlines::kEscape), "\n");
}

std::string PrintObject(const ObjectReport& object) {
  std::string out = StrCat(Title(object), ": ", ActionWords(object), "\n");
  for (const std::string& warning : object.warnings) out += StrCat("  warning: ", Visible(warning), "\n");
  if (!object.unasked.empty()) out += StrCat("  the server could not be asked: ", Visible(object.unasked), "\n");
  for (const ReportRow& row : object.rows) out += PrintRow(row);
  for (const FieldsOfManager& fields : object.of_others) {
    out += StrCat(Visible(OfOthers(fields, object), Newlines::kEscape), "\n");
  }
  return out + LastApplied(object) + Footer(object);
}

// Said once, where it may matter.
std::string NotAsked(const Report& report) {
  const bool offline = !report.context.has_value();
  const auto sends = [](const ObjectReport& object) { return object.patch || object.action == Action::kCreate; };
  if (offline || report.asked == Asked::kServer) return {};
  if (std::none_of(report.objects.begin(), report.objects.end(), sends)) return {};
  return "the server was not asked (validation, admission, webhooks); use --ask-server\n";
}

std::string Head(const ReportContext& context) {
  return Visible(StrCat("context ", context.name.empty() ? "-" : context.name, ", server ", context.server, ", user ",
                        context.user.empty() ? "-" : context.user, ", namespace ", context.name_space),
                 Newlines::kEscape) +
         "\n\n";
}

}  // namespace

std::string PrintText(const Report& report) {
  std::string out;
  if (report.context) out += Head(*report.context);
  for (const ObjectReport& object : report.objects) {
    // An object without a kind could not be read; the caller prints its error.
    if (!object.kind.empty()) out += PrintObject(object) + "\n";
  }
  return StrCat(out, CountObjects(report), "\n", NotAsked(report));
}

}  // namespace smp::explain
