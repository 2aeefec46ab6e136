// LiveObjects: the live objects of an input, read ahead by LIST where many of one kind and namespace are wanted, so
// that a thousand objects take a few requests instead of a thousand. What was not read ahead is for a GET.
//
// Secrets are never listed: whoever may read the two that the input names need not see the others, and an audit log
// should not say that everything was read.
#ifndef SMP_APPLY_LIVE_OBJECTS_H_
#define SMP_APPLY_LIVE_OBJECTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp {

class LiveObjects {
 public:
  static constexpr size_t kFewest = 20;        // of one kind and namespace, for a LIST to be cheaper
  static constexpr int64_t kFreshMs = 10'000;  // older than this an object is read again before it is compared
  static constexpr int64_t kMostForeign = 4;   // objects of others in a page, for each that is wanted

  LiveObjects(Client& client, Clock& clock) : client_(client), clock_(clock) {}

  // Lists what `wanted` has often enough, `parallel` collections at once. A collection that may not be listed, or that
  // holds mostly objects of others, is left for GETs; so this cannot fail.
  void ReadAhead(const std::vector<ObjectRef>& wanted, int parallel);

  // The object as it was read ahead, once (a second call wants it as it is by then); error not-found where the list
  // showed that there is none. nullopt: it must be read by GET. From any thread.
  std::optional<Result<Document>> Take(const ObjectRef& ref);

 private:
  // One kind in one namespace.
  struct Collection {
    int64_t read_at_ms = 0;
    bool complete = false;  // an object that is not in it does not exist
    std::map<std::string, std::pair<Document, const Value*>, std::less<>> objects;  // by name: its page, and where
    std::map<std::string, bool, std::less<>> wanted;                                // by name: was not taken yet
  };

  void Read(const ObjectRef& collection, Collection& into);

  Client& client_;
  Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, Collection> collections_;  // by the path of the collection
};

}  // namespace smp

#endif  // SMP_APPLY_LIVE_OBJECTS_H_
