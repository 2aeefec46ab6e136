#include "lint/live_rules.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "apply/foretold_refusals.h"
#include "apply/harm.h"
#include "base/clock.h"
#include "base/strings.h"
#include "smp/foretell.h"
#include "smp/managed_fields.h"
#include "value/path_match.h"

namespace smp::lint {

namespace {

// Returns the longest part of the path that names something in the object.
const Value* NearestAt(const Value& root, FieldPath path) {
  for (; !path.empty(); path.pop_back()) {
    if (const Value* value = ValueAt(root, path)) return value;
  }
  return &root;
}

FieldPath ToFieldPath(const std::string& text) {
  const Result<PathPattern> steps = ParsePathPattern(text);
  FieldPath out;
  for (size_t i = 0; steps.ok() && i < steps->size(); ++i) {
    if ((*steps)[i]) out.push_back(*(*steps)[i]);
  }
  return out;
}

void SayRefusal(Sink& sink, const apply::ForetoldRefusal& refusal) {
  std::string_view words = refusal.error.message;
  if (words.starts_with(kForetold)) words.remove_prefix(kForetold.size());
  FieldPath path = ToFieldPath(refusal.error.path);
  const Value* at = NearestAt(sink.object().root(), path);
  sink.Add({.rule = "immutable-field",
            .at = at,
            .path = std::move(path),
            .mark = Mark::kKey,
            .message = StrCat("the server will refuse this change of the live object: ", words),
            .advice = refusal.recreatable ? "undo it, or recreate the object with apply --force" : "undo it"});
}

}  // namespace

void CheckLive(Sink& sink, const apply::Prepared& prepared) {
  if (const auto refusal = apply::ForetellRefusal(prepared)) SayRefusal(sink, *refusal);
  if (!prepared.live) return;
  const FieldOwners owners(prepared.live->root());
  for (apply::Harm& harm : apply::FindHarm(prepared, std::nullopt, owners)) {
    const bool loses = harm.kind == apply::Harm::Kind::kLosesItems;
    const Value* at = NearestAt(sink.object().root(), harm.path);
    sink.Add({.rule = loses ? "lost-items" : "taken-field",
              .at = at,
              .path = std::move(harm.path),
              .mark = Mark::kKey,
              .message = StrCat("apply ", harm.text)});
  }
}

}  // namespace smp::lint
