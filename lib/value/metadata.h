// Names in an object's metadata that several parts of the program use.
#pragma once

#include <string_view>

#include "value/path.h"

namespace smp {

// The annotation in which kubectl apply, and this program, record the applied manifest.
inline constexpr std::string_view kLastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

// A generation that the server counts, of DaemonSets.
inline constexpr std::string_view kTemplateGenerationAnnotation = "deprecated.daemonset.template.generation";

// Returns the group of an apiVersion: that of "apps/v1" is "apps", that of "v1" is "".
std::string_view GroupOf(std::string_view api_version);

// Returns true if `path` is metadata.annotations[kLastAppliedAnnotation].
bool IsLastAppliedAnnotation(const FieldPath& path);

// Members of metadata that the server sets, ignoring the manifest.
inline constexpr std::string_view kServerMetadata[] = {"creationTimestamp", "deletionGracePeriodSeconds",
                                                       "deletionTimestamp", "generation",
                                                       "managedFields",     "resourceVersion",
                                                       "selfLink",          "uid"};

// Returns true if `name` is one of kServerMetadata.
bool IsServerMetadata(std::string_view name);

}  // namespace smp
