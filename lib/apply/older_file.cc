#include "apply/older_file.h"

#include "apply/last_applied.h"
#include "base/read_file.h"
#include "base/rfc3339.h"
#include "base/strings.h"

namespace smp::apply {

namespace {

constexpr std::chrono::minutes kClockSkew{1};  // the times are of two machines

// The newest one of those that wrote the annotation; nullopt if managedFields do not tell.
std::optional<FieldManager> RecordWriter(const std::vector<FieldManager>& appliers) {
  std::optional<FieldManager> newest;
  for (const FieldManager& manager : appliers) {
    if (manager.operation == "Update" && (!newest || newest->time < manager.time)) newest = manager;
  }
  return newest;
}

// The text of a large manifest is not written once more if the plan has it, and not only from the manifest.
bool SaysTheSame(const Prepared& prepared) {
  const std::string_view live = LastAppliedTextOf(prepared.live->root());
  const std::string_view planned = LastAppliedTextOf(prepared.modified.root());
  const bool is_record = !planned.empty() && LastAppliedTextOf(prepared.manifest.root()).empty();
  return is_record ? live == planned : live == LastAppliedText(prepared.manifest.root());
}

}  // namespace

std::optional<FieldManager> AppliedSince(const Prepared& prepared, const std::vector<FieldManager>& appliers,
                                         std::chrono::sys_seconds file_changed) {
  if (!prepared.live || prepared.lacks_last_applied()) return std::nullopt;
  const std::optional<FieldManager> writer = RecordWriter(appliers);
  const auto record_time = writer ? ParseRfc3339(writer->time) : std::nullopt;
  const bool newer = record_time && record_time->seconds > file_changed + kClockSkew;
  return newer && !SaysTheSame(prepared) ? writer : std::nullopt;
}

std::string AppliedSinceFile(const Prepared& prepared, const std::vector<FieldManager>& appliers) {
  const auto file_time = ModificationTime(prepared.manifest.source_name());
  const auto writer = file_time ? AppliedSince(prepared, appliers, *file_time) : std::nullopt;
  return writer ? writer->name : "";
}

std::string OlderFileWarning(const std::string& writer) {
  if (writer.empty()) return {};
  return StrCat("last-applied is newer than this file, so another manifest was applied since: by ", writer);
}

}  // namespace smp::apply
