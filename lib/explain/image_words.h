// Says in a few words what differs between two images.
#pragma once

#include <string>
#include <string_view>

namespace smp::explain {

// Returns "1.28 → 1.29", "redis 7.2 → 8.0", "new registry ghcr.io", "nginx:1.28 → caddy:2", or "new digest". The image's name
// is left out where it is `known`, the name of the object. "" where the images mean the same, or one is no image.
std::string ChangeOfImage(std::string_view before, std::string_view after, std::string_view known);

// Returns "docker.io → ghcr.io"; "" for images of the same registry.
std::string ChangeOfRegistry(std::string_view before, std::string_view after);

// Returns "postgres 15.4 → 16.1" where the first number of the tag changes; else "".
std::string ChangeOfMajorVersion(std::string_view before, std::string_view after);

}  // namespace smp::explain
