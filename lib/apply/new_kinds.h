// NewKinds: the kinds that the input has brought in this run, by a CustomResourceDefinition or an APIService, and when the
// server is ready for their objects. Thread-safe, except where a function says otherwise.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"
#include "value/value.h"

namespace smp::apply {

struct NewKind {
  Status served;         // whether the server serves it
  int64_t since_ms = 0;  // of the clock
};

class NewKinds {
 public:
  // The references must outlive this object. `clock`: an interrupt ends the waiting.
  NewKinds(kube::Client& client, kube::SchemaSource& schemas, Clock& clock)
      : client_(client), schemas_(schemas), clock_(clock) {}

  // Remembers what the server will serve in a moment. `answer`: its answer to the write of `manifest`.
  void Note(const Manifest& manifest, const kube::ObjectRef& ref, const Value& answer);

  // Returns true for a kind that the input has brought, and that nobody has waited for yet. Not while Note is called.
  bool IsToAwait(const GroupVersionKind& kind) const;
  // Returns nullopt for a kind that was not waited for.
  std::optional<NewKind> Find(const GroupVersionKind& kind) const;

  // Waits for kinds that IsToAwait, in the order in which the server learns of them, and calls `release` once for each,
  // from several threads, when its objects can be sent or the server will not serve it. `on_wait`: gets the CRD or
  // APIService that is waited for.
  //
  // The server holds each creation of an object for 2 s if its CRD was established less than 2 s before
  // (apiextensions-apiserver, customresource_handler.go), and builds the storage of a kind at the first request, while
  // it is still establishing others. So objects of a created CRD are released 2 s after it is served, and not before the
  // other kinds are served, but after 5 s at the latest.
  void Await(std::vector<GroupVersionKind> kinds, const std::function<void(const GroupVersionKind&)>& release,
             const std::function<void(const kube::ObjectRef&)>& on_wait);

 private:
  struct Bringer {
    kube::ObjectRef ref;
    size_t number = 0;        // in the order in which they were written
    bool is_new_crd = false;  // the server had not established it when it answered
  };

  struct Held {
    GroupVersionKind kind;
    int64_t since_ms;
  };

  const Bringer& BringerOf(const GroupVersionKind& kind) const;
  bool AwaitOne(const GroupVersionKind& kind, const Bringer& bringer);
  void ReleaseHeld(const std::function<void(const GroupVersionKind&)>& release);
  std::vector<Held> TakeDue();

  kube::Client& client_;
  kube::SchemaSource& schemas_;
  Clock& clock_;
  mutable std::mutex mutex_;
  // A kind "" stands for all of an APIService.
  std::map<GroupVersionKind, Bringer> bringers_;
  std::map<GroupVersionKind, NewKind> awaited_;
  std::deque<Held> held_;            // in the order of since_ms
  size_t unserved_ = 0;              // of the kinds that Await waits for
  std::condition_variable changed_;  // held_ or unserved_
};

}  // namespace smp::apply
