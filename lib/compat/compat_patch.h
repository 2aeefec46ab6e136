// kubectl's patch (compat.h) with a plan of its effect on the server, so that the same code explains and sends it as
// our own patches, and a list of the places where the effect is not what the engine would have decided.
//
//   SMP_ASSIGN(const KubectlPatch made, PlanKubectlPatch(input, Overwrite::kYes));
//   for (const Error& deviation : made.deviations) Warn(deviation);   // spec.ports[port=53,protocol=UDP]: … loses it
//   Send(made.patch.body.root());                                     // as kubectl would, whatever was found
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "compat/compat.h"
#include "smp/diff.h"
#include "smp/smp.h"

namespace smp::compat {

// Which patches to make: ours, which are proved, or kubectl's (--compat=kubectl).
enum class Dialect { kVerified, kKubectl };

struct KubectlPatch {
  // The plan describes the change from live to the outcome of the body. Its reasons are the engine's where both do the
  // same. The plan may change nothing although the body is not empty.
  VerifiedPatch patch;
  // Why the server will refuse the body, or why its outcome is unknown. There is no plan then.
  std::optional<Error> refusal;
  // The paths of fields and items that the patch sets to something else than the manifest says, or that others lose.
  std::vector<Error> deviations;
};

// Like PlanPatch (smp.h). Errors: those of kubectl itself; conflict with Overwrite::kNo.
Result<KubectlPatch> PlanKubectlPatch(const DiffInput& input, Overwrite overwrite);

}  // namespace smp::compat
