#include "value/metadata.h"

namespace smp {

bool IsLastAppliedAnnotation(const FieldPath& path) {
  return path.size() == 3 && path[0].name == "metadata" && path[1].name == "annotations" &&
         path[2].name == kLastAppliedAnnotation;
}

}  // namespace smp
