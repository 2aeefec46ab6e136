// The state of one object while policies are applied to it.
#pragma once

#include <string>
#include <vector>

#include "karmada/object_draft.h"
#include "karmada/override.h"
#include "karmada/policy.h"
#include "value/json_pointer.h"

namespace smp::karmada {

struct OverrideRun {
  explicit OverrideRun(const Document& object, Record what) : draft(object), record(what) {}

  ObjectDraft draft;
  Record record;
  const OverridePolicy* policy = nullptr;  // the one being applied
  std::vector<OverrideStep> steps = {};
  std::vector<Error> notes = {};
};

int BeginStep(OverrideRun& run, const PolicyPlace& place, std::string what);

// Returns the error of an operation, with its place, its policy and what it was to do.
Error Failed(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Error& error);
// The same if `done` is an error.
Status Checked(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Status& done);

void Note(OverrideRun& run, const PolicyPlace& place, const std::string& message);

// Adds, replaces or removes at a place of the object, and records it as part of `step`.
Status EditObject(OverrideRun& run, int step, edit::EditKind kind, const JsonPointer& at, const Value& value);

}  // namespace smp::karmada
