#include "karmada/override_run.h"

#include "base/strings.h"
#include "karmada/policy_reader.h"
#include "value/json.h"

namespace smp::karmada {

namespace {

Status EditAt(ObjectDraft& draft, int step, edit::EditKind kind, const JsonPointer& at, const Value& value) {
  switch (kind) {
    case edit::EditKind::kAdd: return draft.Add(at, value, step);
    case edit::EditKind::kReplace: return draft.Replace(at, value, step);
    default: return draft.Remove(at, step);
  }
}

Status ChangeAt(ObjectDraft& draft, int step, const JsonPointer& at, const Value& value) {
  return draft.Has(at) ? draft.Rewrite(at, value, {step}) : draft.Add(at, value, step);
}

// Returns the status of `edit`, which changes the value at `at` to `after` (nullptr: removes it). Records the change.
template <class Edit>
Status Recorded(OverrideRun& run, int step, const JsonPointer& at, const Value* after, Edit edit) {
  if (run.record == Record::kSteps) return edit();
  const FieldPath path = run.draft.PathOf(at);
  StepChange change = {.path = ToString(path)};
  const auto text_of = [&](const Value& value) {
    change.secret |= HoldsSecret(run, path, value);
    return WriteJson(value);
  };
  if (const auto before = run.draft.Get(at); before.ok()) change.before = text_of(*before);
  SMP_TRY(edit());
  if (after != nullptr) change.after = text_of(*after);
  run.steps[static_cast<size_t>(step)].changes.push_back(std::move(change));
  return Ok();
}

}  // namespace

int BeginStep(OverrideRun& run, const PolicyPlace& place, std::string what) {
  run.steps.push_back({place, run.policy->Label(), std::move(what), {}});
  return static_cast<int>(run.steps.size()) - 1;
}

Error Failed(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Error& error) {
  return {ErrorCode::kPolicy, StrCat(run.policy->Label(), " cannot ", what, ": ", error.message), place.path,
          place.source};
}

Status Checked(const OverrideRun& run, const PolicyPlace& place, const std::string& what, const Status& done) {
  return done.ok() ? Ok() : Status(Failed(run, place, what, done.error()));
}

void Note(OverrideRun& run, const PolicyPlace& place, const std::string& message) {
  run.notes.push_back({ErrorCode::kPolicy, StrCat(run.policy->Label(), ": ", message), place.path, place.source});
}

bool HoldsSecret(OverrideRun& run, const FieldPath& path, const Value& value) {
  if (!run.was_secret && !IsSecret(run.draft.TextAt({"apiVersion"}), run.draft.TextAt({"kind"}))) return false;
  Arena arena;
  const Value secret = arena.Object({{"apiVersion", arena.String("v1")}, {"kind", arena.String("Secret")}});
  return RedactedAt(path, value, secret, Digests::kHide, arena) != value;
}

Status EditObject(OverrideRun& run, int step, edit::EditKind kind, const JsonPointer& at, const Value& value) {
  const Value* after = kind == edit::EditKind::kRemove ? nullptr : &value;
  return Recorded(run, step, at, after, [&] { return EditAt(run.draft, step, kind, at, value); });
}

Status ChangeObject(OverrideRun& run, int step, const JsonPointer& at, const Value& value) {
  return Recorded(run, step, at, &value, [&] { return ChangeAt(run.draft, step, at, value); });
}

}  // namespace smp::karmada
