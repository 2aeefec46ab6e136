// --live and --original of explain-diff: objects from a file instead of a cluster.
#ifndef SMP_CMD_OFFLINE_OBJECTS_H_
#define SMP_CMD_OFFLINE_OBJECTS_H_

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "base/result.h"
#include "value/document.h"

namespace smp {

using OfflineObjects = std::vector<Manifest>;  // few, looked up by kind and name

// Returns nothing if `file` is "". Secret values in it are scrubbed from later messages. Error: that of the first
// object that cannot be read.
Result<OfflineObjects> ReadOfflineObjects(const std::string& file);

// Matches group, kind and name, and the namespace if both have one. nullopt if there is no such object.
std::optional<Document> FindObject(const OfflineObjects& objects, const Manifest& wanted);

}  // namespace smp

#endif  // SMP_CMD_OFFLINE_OBJECTS_H_
