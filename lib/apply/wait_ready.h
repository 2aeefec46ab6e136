// Waits until objects are ready (ready.h). By reading them again and again, all at once: a watch would have to survive
// the silence of a long rollout, and proxies that end it.
#ifndef SMP_APPLY_WAIT_READY_H_
#define SMP_APPLY_WAIT_READY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "apply/ready.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"

namespace smp {

struct WaitedObject {
  ObjectRef ref;
  ReadyState state = {Readiness::kNotYet, "was not looked at yet"};
  // kFailed: the object is gone, or may not be read.
  std::optional<Error> error = {};

  bool done() const { return state.readiness != Readiness::kNotYet; }
};

struct WaitOptions {
  int64_t timeout_ms = 300'000;  // of all of it; 0: one look
  // An object's state is another than before, the first one included; not for kinds of which nothing can be said.
  std::function<void(const WaitedObject&)> changed = {};
  std::function<bool()> interrupted = {};  // asked before each pause; true ends the waiting
  // The clock's seam: monotonic milliseconds, and a pause. Real by default.
  std::function<int64_t()> now_ms = {};
  std::function<void(int64_t)> sleep_ms = {};
};

// The objects in order, each with the last that was known of it; the waiting ends when none can change any more, or
// when the time is over. Errors of the connection are reasons to look again, not to give up.
std::vector<WaitedObject> WaitUntilReady(Client& client, const std::vector<ObjectRef>& refs,
                                         const WaitOptions& options);

}  // namespace smp

#endif  // SMP_APPLY_WAIT_READY_H_
