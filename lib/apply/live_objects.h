// LiveObjects: the live objects of an input, read ahead by LIST where the input has many of one kind and namespace, so
// that a thousand objects take a few requests. The others are read by GET.
//
// Secrets are never listed: a user who may read the two that the input names need not see the others, and the audit log
// should not say that all were read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::apply {

class LiveObjects {
 public:
  static constexpr size_t kFewest = 20;        // objects of one kind and namespace that make a LIST cheaper
  static constexpr int64_t kFreshMs = 10'000;  // an object read longer ago is read again
  static constexpr int64_t kMostForeign = 4;   // other objects in a page, for each that is wanted

  LiveObjects(kube::Client& client, Clock& clock) : client_(client), clock_(clock) {}

  // Lists the collections of which `wanted` names enough objects, `parallel` at once. Cannot fail: a collection that
  // may not be listed, or that holds mostly other objects, is left to GETs.
  void ReadAhead(const std::vector<kube::ObjectRef>& wanted, int parallel);

  // Returns the object as read ahead, only once: a second call needs it as it is by then. Error: not-found, if the list
  // showed that it does not exist. nullopt: read it by GET. Thread-safe.
  std::optional<Result<Document>> Take(const kube::ObjectRef& ref);

 private:
  // The objects of one kind in one namespace.
  struct Collection {
    int64_t read_at_ms = 0;
    bool complete = false;  // an object that is not in `objects` does not exist
    // by name: its page and the item in it
    std::map<std::string, std::pair<Document, const Value*>, std::less<>> objects;
    std::map<std::string, bool, std::less<>> wanted;  // by name: not taken yet
  };

  void Read(const kube::ObjectRef& collection, Collection& into);

  kube::Client& client_;
  Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Collection> collections_;  // by the path of the collection
};

}  // namespace smp::apply
