#include "apply/guard.h"

#include "apply/submit.h"
#include "value/at.h"
#include "value/json.h"
#include "value/metadata.h"

namespace smp::apply {

namespace {

// A server compares the resourceVersion of an apply with that of the object, if there is one, and not if it creates the
// object. etcd's revisions are int64 and count up, so no object has the largest.
constexpr std::string_view kVersionOfNoObject = "9223372036854775807";

constexpr std::string_view kUid = "uid", kVersion = "resourceVersion";

// A server takes "", "0" and null to stand for any object.
bool States(const Value& configuration, std::string_view field) {
  const std::string_view text = TextAt(configuration, {"metadata", field});
  return !text.empty() && text != "0";
}

Value With(const Value& configuration, std::string_view field, std::string_view text, Arena& arena) {
  return text.empty() ? configuration : WithAt(configuration, {"metadata", field}, arena.String(text), arena);
}

Value Without(const Value& record, std::string_view field, std::string_view text, Arena& arena) {
  const bool has = !text.empty() && TextAt(record, {"metadata", field}) == text;
  return has ? WithoutAt(record, {"metadata"}, {field}, arena) : record;
}

}  // namespace

Guard GuardOf(const std::optional<Document>& live, bool dry_run) {
  if (!live) return {.uid = {}, .version = std::string(dry_run ? "" : kVersionOfNoObject)};
  return {std::string(TextAt(live->root(), {"metadata", kUid})), std::string(VersionOf(live->root()))};
}

Guard NotStated(const Value& configuration, Guard guard) {
  if (States(configuration, kUid)) guard.uid.clear();
  if (States(configuration, kVersion)) guard.version.clear();
  return guard;
}

Value Guarded(const Value& configuration, const Guard& guard, Arena& arena) {
  const Guard added = NotStated(configuration, guard);
  const Value versioned = With(configuration, kVersion, added.version, arena);
  return With(versioned, kUid, added.uid, arena);
}

std::optional<std::string> RecordWithout(const Guard& guard, const Value& live) {
  const Value* text = live.FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  if (guard.empty() || text == nullptr || !text->is_string()) return std::nullopt;
  const Result<Document> record = ParseJson(std::string(text->AsString()));
  if (!record.ok()) return std::nullopt;
  Arena arena;
  const Value root = Without(Without(record->root(), kUid, guard.uid, arena), kVersion, guard.version, arena);
  return root == record->root() ? std::nullopt : std::optional(WriteJson(root) + "\n");
}

}  // namespace smp::apply
