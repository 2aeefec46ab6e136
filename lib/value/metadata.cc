#include "value/metadata.h"

#include <algorithm>
#include <iterator>

namespace smp {

bool IsLastAppliedAnnotation(const FieldPath& path) {
  return path.size() == 3 && path[0].name == "metadata" && path[1].name == "annotations" &&
         path[2].name == kLastAppliedAnnotation;
}

bool IsServerMetadata(std::string_view name) {
  return std::find(std::begin(kServerMetadata), std::end(kServerMetadata), name) != std::end(kServerMetadata);
}

}  // namespace smp
