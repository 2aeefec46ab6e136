// The entry point of the engine: three objects in, a verified decision out.
//
//   Decide, from all three objects, how to change the live object, and why (plan); compute the changed object
//   (outcome); encode it as a patch; merge the patch into live by the server's own rules and compare. If a plain
//   strategic merge patch cannot express the outcome, try the other encodings (PatchEncoding).
//
//     DiffInput in{&last_applied, &manifest, &live, schema.get(), resource->type};
//     SMP_ASSIGN(const VerifiedPatch patch, PlanPatch(in));
//     if (!patch.empty()) Send(patch.format, patch.body.root());
//
// The engine uses no server, no files and no clock; its output depends only on its input.
#pragma once

#include <string>

#include "base/result.h"
#include "smp/diff.h"
#include "smp/plan.h"
#include "value/document.h"

namespace smp {

// kApply: no patch is computed here; the server merges the manifest (server_side_plan.h).
enum class PatchEncoding { kPlain, kReplaceList, kGuardedMerge, kGuardedJson, kApply };
std::string_view EncodingName(
    PatchEncoding encoding);  // "plain", "replace-list", "guarded-merge", "guarded-json", "apply"

// The media type of the body: a strategic merge patch, a JSON merge patch (RFC 7386), a JSON patch (RFC 6902) or, for a
// server-side apply, the manifest.
enum class PatchFormat { kStrategic, kMerge, kJson, kApply };

struct VerifiedPatch {
  Plan plan;
  Document outcome;  // live as it should be
  Document body;     // the patch; {} if nothing is to be sent
  PatchFormat format = PatchFormat::kStrategic;
  PatchEncoding encoding = PatchEncoding::kPlain;
  bool guarded = false;  // has metadata.resourceVersion: the server refuses it (409) if live changed since we read it
  std::string why;       // why a plain patch is impossible or a guard necessary; "" for plain patches

  bool empty() const { return !plan.changed(); }
};

// Returns the body with live's resourceVersion in it, whether the patch is guarded or not. Error: refused, if the patch
// removes metadata.
Result<Document> GuardedBody(const VerifiedPatch& patch, const Document& live);

// The three values of `input` must outlive the result; the schema must outlive the result's plan, but not its
// documents. Errors: those of Diff; refused if no encoding yields the outcome.
Result<VerifiedPatch> PlanPatch(const DiffInput& input);

}  // namespace smp
