// Names in an object's metadata that mean something to every part of the program.
#pragma once

#include <string_view>

#include "value/path.h"

namespace smp {

// The annotation in which apply records the manifest; kubectl's.
inline constexpr std::string_view kLastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

// Returns true for metadata.annotations[kLastAppliedAnnotation].
bool IsLastAppliedAnnotation(const FieldPath& path);

// Members of metadata that the server sets, whatever a manifest says.
inline constexpr std::string_view kServerMetadata[] = {"creationTimestamp", "deletionGracePeriodSeconds",
                                                       "deletionTimestamp", "generation",
                                                       "managedFields",     "resourceVersion",
                                                       "selfLink",          "uid"};

}  // namespace smp
