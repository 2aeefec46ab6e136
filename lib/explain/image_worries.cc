#include "explain/image_worries.h"

#include <string>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_images.h"
#include "explain/rights.h"
#include "explain/row_values.h"
#include "value/json.h"

namespace smp::explain {

namespace {

// What there is to worry about in the images of an object.
struct ImageWorries {
  NamesOnce places = {}, programs = {}, may_be_older = {};
  std::map<VersionStep, NamesOnce> versions = {};

  void Add(std::string_view before, std::string_view after) {
    const std::string place = ChangeOfPlace(before, after);
    if (!place.empty()) places.Add(place);
    const ChangeOfVersion version = DescribeVersions(before, after);
    if (version.step != VersionStep::kSmall) versions[version.step].Add(version.words);
    const std::string program = version.step == VersionStep::kMajor ? "" : ChangeOfProgram(before, after);
    if (!program.empty()) programs.Add(program);
    const std::string moved = ChangeFromMovingTag(before, after);
    if (!moved.empty()) may_be_older.Add(moved);
  }
};

// Returns true for an object of a kind that Kubernetes does not have itself.
bool IsCustom(const ObjectReport& object) {
  const size_t slash = object.api_version.find('/');
  return slash != std::string::npos && !IsGroupOfKubernetes(object.api_version.substr(0, slash));
}

std::string TextOf(const Value* value) { return value == nullptr || !value->is_scalar() ? "" : TextOfScalar(*value); }

// Adds "version 13 → 16": what an operator is asked to run.
void AddVersionFields(const ObjectReport& object, std::map<VersionStep, NamesOnce>& out) {
  if (!IsCustom(object)) return;
  for (const ReportRow& row : object.rows) {
    const bool is_set = row.op == RowOp::kSet && row.path.size() > 1 && row.path[0].name == "spec";
    if (!is_set || !ToLower(row.path.back().name).ends_with("version")) continue;
    const VersionStep step = StepOfVersions(TextOf(ValueBefore(row)), TextOf(ValueAfter(row)));
    if (step != VersionStep::kSmall) out[step].Add(ChangeInWords(row, object.name));
  }
}

}  // namespace

void AddVersions(const std::map<VersionStep, NamesOnce>& versions, Worry major, FoundWorries& out) {
  for (const auto& [step, names] : versions) {
    const Worry worry = step == VersionStep::kMajor   ? major
                        : step == VersionStep::kOlder ? Worry::kOlderVersion
                                                      : Worry::kSkipsMinor;
    out[worry] = NameInBoth(names, kMostTold);
  }
}

void AddImages(const ObjectReport& object, FoundWorries& out) {
  ImageWorries found;
  for (const ReportRow& row : object.rows) {
    for (const auto& [before, after] : ChangedImages(row)) found.Add(before, after);
  }
  for (const RenamedContainer& container : RenamedContainers(object.rows)) {
    found.Add(container.old_image, container.new_image);
  }
  AddVersionFields(object, found.versions);
  if (!found.places.empty()) out[Worry::kImagePlace] = NameInBoth(found.places, kMostTold);
  if (!found.programs.empty()) out[Worry::kOtherProgram] = NameInBoth(found.programs, kMostTold);
  if (!found.may_be_older.empty()) out[Worry::kMayBeOlder] = NameInBoth(found.may_be_older, kMostTold);
  const bool on_data = object.action == Action::kChange && object.pods.keeps_data;
  AddVersions(found.versions, on_data ? Worry::kMajorVersion : Worry::kMajorVersionElsewhere, out);
}

}  // namespace smp::explain
