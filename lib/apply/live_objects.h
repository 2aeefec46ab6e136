// LiveObjects: reads the live objects of an input ahead of time. Uses LIST if the input has many objects of one kind
// and namespace, so that a thousand objects take a few requests. The caller reads all other objects by GET.
//
// Secrets are never listed: the user may be allowed to read only those that the input names, and the audit log should
// not show that all Secrets were read. CRDs are not listed either: most of a list would be large CRDs of others, and the server
// writes a list in one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
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
  static constexpr size_t kFewest = 20;          // LIST if at least this many objects share kind and namespace
  static constexpr int64_t kFreshMs = 10'000;    // after this, a listed object is aged
  static constexpr int64_t kUsableMs = 120'000;  // how long a listed object may be used
  static constexpr int64_t kMostForeign = 4;     // stop listing if more unwanted objects remain for each missing one

  LiveObjects(kube::Client& client, Clock& clock) : client_(client), clock_(clock) {}

  // Lists each collection with at least kFewest objects in `wanted`, `parallel` collections at once. Cannot fail: for a
  // collection that cannot be listed or contains mostly other objects, Take returns nullopt. Other threads may call it for
  // other collections.
  void ReadAhead(const std::vector<kube::ObjectRef>& wanted, int parallel);

  // Reads the objects in the background, where they are only supposed to be: the server has not said yet what the kinds are (see
  // SchemaSource::Guess). Saves a round trip. What is elsewhere is never taken.
  void GuessAhead(const std::vector<kube::ObjectRef>& supposed);

  struct Listed {
    Result<Document> live;  // error: not-found, if it is not in the complete list
    bool aged = false;      // others may well have changed it since: a patch must be guarded by its resourceVersion
  };

  // Returns the object if it was listed or guessed; nullopt: the caller must read it by GET. Each object is returned only
  // once, because a second caller wants its newer state. Waits for what is being read. Thread-safe.
  std::optional<Listed> Take(const kube::ObjectRef& ref);

 private:
  // The objects of one kind in one namespace.
  struct Collection {
    int64_t read_at_ms = 0;
    bool complete = false;  // all pages were read: an object missing in `objects` does not exist
    // by name: the page with the object, and the item within the page
    std::map<std::string, std::pair<Document, const Value*>, std::less<>> objects;
    std::map<std::string, bool, std::less<>> wanted;  // by name; true: not taken yet
  };

  void Read(const kube::ObjectRef& collection, Collection& into);
  std::optional<Listed> TakeListed(const kube::ObjectRef& ref);

  kube::Client& client_;
  Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Collection> collections_;  // by the path of the collection
  std::map<std::string, size_t> guesses_;  // by the path of the object, those not taken; the index of the answer
  int64_t guessed_at_ms_ = 0;
  std::shared_future<std::vector<Result<Document>>> answers_;  // last: its destructor waits
};

}  // namespace smp::apply
