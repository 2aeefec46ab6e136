// --live and --original of explain-diff: objects in a file in place of a cluster's.
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

// "": none. Secret values in it are scrubbed from later messages. Error: the first object that cannot be read.
Result<OfflineObjects> ReadOfflineObjects(const std::string& file);

// By group, kind and name, and by namespace where both say one.
std::optional<Document> FindObject(const OfflineObjects& objects, const Manifest& wanted);

}  // namespace smp

#endif  // SMP_CMD_OFFLINE_OBJECTS_H_
