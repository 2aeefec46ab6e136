// kubectl's patch (compat.h) with a plan of its effect on the server, so that the code for our own patches can explain
// and send it, too, and a list of the places where its effect differs from what our engine would do.
//
//   SMP_ASSIGN(const KubectlPatch made, PlanKubectlPatch(input, Overwrite::kYes));
//   for (const Error& deviation : made.deviations) Warn(deviation);   // spec.ports[port=53,protocol=UDP]: … loses it
//   Send(made.patch.body.root());                                     // as kubectl would, despite the deviations
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "compat/compat.h"
#include "smp/diff.h"
#include "smp/smp.h"

namespace smp::compat {

// Which patches to make: ours, which are verified, or kubectl's (--compat=kubectl).
enum class Dialect { kVerified, kKubectl };

struct KubectlPatch {
  // The plan describes the change from live to the outcome of the body. Its reasons are the engine's where the engine
  // would do the same. The plan may change nothing although the body is not empty.
  VerifiedPatch patch;
  // If set, there is no plan: the server will refuse the body, or its outcome is unknown, for this reason.
  std::optional<Error> refusal;
  // One error per field or item that gets another value than in the manifest, or that is taken from other managers.
  std::vector<Error> deviations;
};

// Like PlanPatch (smp.h). Errors: those of kubectl itself; conflict with Overwrite::kNo.
Result<KubectlPatch> PlanKubectlPatch(const DiffInput& input, Overwrite overwrite);

}  // namespace smp::compat
