// kubectl's patch (compat.h) with a plan of what the server makes of it, so that it is explained and sent by the same
// code as our own; and where that is not what the engine would have decided.
//
//   SMP_ASSIGN(const KubectlPatch made, PlanKubectlPatch(input, Overwrite::kYes));
//   for (const Error& deviation : made.deviations) Warn(deviation);   // spec.ports[port=53,protocol=UDP]: … loses it
//   Send(made.patch.body.root());                                     // as kubectl would, whatever was found
#ifndef SMP_COMPAT_COMPAT_PATCH_H_
#define SMP_COMPAT_COMPAT_PATCH_H_

#include <optional>
#include <vector>

#include "base/result.h"
#include "compat/compat.h"
#include "smp/diff.h"
#include "smp/smp.h"

namespace smp {

// Whose patches are made: ours, proved, or those of --compat=kubectl.
enum class Dialect { kVerified, kKubectl };

struct KubectlPatch {
  // The plan leads from live to the outcome of the body, which is all that is known for sure: its reasons are the
  // engine's where both do the same. It may change nothing although the body is not empty.
  VerifiedPatch patch;
  // Why the server will not take the body (or why its outcome cannot be told): then there is no plan.
  std::optional<Error> refusal;
  // Fields and items, by path, that the patch makes something else of than the manifest says, or loses for others.
  std::vector<Error> deviations;
};

// As PlanPatch (smp.h). Errors: those of kubectl itself; conflict, with Overwrite::kNo.
Result<KubectlPatch> PlanKubectlPatch(const DiffInput& input, Overwrite overwrite);

}  // namespace smp

#endif  // SMP_COMPAT_COMPAT_PATCH_H_
