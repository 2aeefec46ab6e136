#include "value/metadata.h"

#include <algorithm>
#include <iterator>

namespace smp {

std::string_view GroupOf(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view() : api_version.substr(0, slash);
}

bool IsLastAppliedAnnotation(const FieldPath& path) {
  return path.size() == 3 && path[0].name == "metadata" && path[1].name == "annotations" &&
         path[2].name == kLastAppliedAnnotation;
}

bool IsServerMetadata(std::string_view name) {
  return std::find(std::begin(kServerMetadata), std::end(kServerMetadata), name) != std::end(kServerMetadata);
}

}  // namespace smp
