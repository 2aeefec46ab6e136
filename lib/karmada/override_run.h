// The state of one object while policies are applied to it.
#pragma once

#include <string>
#include <vector>

#include "karmada/object_draft.h"
#include "karmada/override.h"
#include "karmada/policy.h"
#include "value/json_pointer.h"
#include "value/redact.h"

namespace smp::karmada {

struct OverrideRun {
  OverrideRun(const Document& object, Record what) : draft(object), record(what), was_secret(IsSecret(object.root())) {}

  ObjectDraft draft;
  Record record;
  bool was_secret;
  const OverridePolicy* policy = nullptr;  // the policy being applied
  std::vector<OverrideStep> steps = {};
  std::vector<Error> notes = {};
};

// Adds a step (operation) to `run.steps` and returns its number. `what`: see OverrideStep.
int BeginStep(OverrideRun& run, const PolicyPlace& place, std::string what);

// Returns `error` as an error of the operation: with its place, its policy and what it does.
Error Failed(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Error& error);
// Returns Failed(…) if `done` is an error, else success.
Status Checked(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Status& done);

void Note(OverrideRun& run, const PolicyPlace& place, const std::string& message);

// Returns true if `value`, at `path` in the object, is one of a Secret or contains one.
bool HoldsSecret(OverrideRun& run, const FieldPath& path, const Value& value);

// Adds, replaces or removes (`kind`) the value at `at` in the object, and records the change as part of `step`.
Status EditObject(OverrideRun& run, int step, edit::EditKind kind, const JsonPointer& at, const Value& value);

// The same for `value` made from the value that is at `at`, if there is one: the steps that wrote that one are among
// those that wrote this one.
Status ChangeObject(OverrideRun& run, int step, const JsonPointer& at, const Value& value);

}  // namespace smp::karmada
