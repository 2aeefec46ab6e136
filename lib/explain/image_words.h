// Says in a few words what differs between two images.
#pragma once

#include <string>
#include <string_view>

namespace smp::explain {

inline constexpr std::string_view kNewDigest = "new digest";

// Returns "1.28 → 1.29", "redis 7.2 → 8.0", "new registry ghcr.io", "nginx:1.28 → caddy:2", or "new digest". The image's name
// is left out where it is `known`, the name of the object. "" where the images mean the same, or one is no image.
std::string ChangeOfImage(std::string_view before, std::string_view after, std::string_view known);

// Returns "solver v1.14 → v1.15" where both texts are surely images: each has a registry or a folder, the same name, and a tag or
// digest. "" for other texts, such as values of variables.
std::string ChangeOfTag(std::string_view before, std::string_view after);

// Returns "docker.io → ghcr.io", or "quay.io/a → quay.io/b" for images in another folder of a registry; "" for others.
std::string ChangeOfPlace(std::string_view before, std::string_view after);

bool IsImage(std::string_view text);  // false for "a/*:1" and "REGISTRY/a:VERSION"

std::string RepositoryOf(std::string_view image);  // "quay.io/project/app"; "" for a text that is no image

// Returns "app:1.2" of "quay.io/project/app:1.2"; a text that is no image, as it is.
std::string NameOfImage(std::string_view image);

// Returns "app:latest" or "app:v1-nightly" for an image whose name may stand for another one tomorrow; "" for a tag with a version,
// or a digest.
std::string MovingImage(std::string_view image);

// Says which steps of a version an upgrade leaves out, or that it may not be one.
enum class VersionStep { kSmall, kMajor, kSkipsMinor, kOlder };
struct ChangeOfVersion {
  VersionStep step = VersionStep::kSmall;
  std::string words;  // "postgres 15.4 → 16.1"
};
// Returns kMajor where the first number of the tag changes, kSkipsMinor where the second one grows by more than one, kOlder where
// it becomes less.
ChangeOfVersion DescribeVersions(std::string_view before, std::string_view after);

// Returns the step between two versions that are no images: "13" and "16".
VersionStep StepOfVersions(std::string_view before, std::string_view after);

// Returns "postgres:13 → psql_extended:15" for images of which neither name says that it is the other one renamed; "" for others.
std::string ChangeOfProgram(std::string_view before, std::string_view after);

// Returns "mongo latest → 4.4" where the tag was one that moves, so that nobody knows whether the new one is older; "" for others.
std::string ChangeFromMovingTag(std::string_view before, std::string_view after);

}  // namespace smp::explain
