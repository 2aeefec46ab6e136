// Container image references: [REGISTRY/]REPOSITORY[:TAG][@DIGEST], by the grammar of the distribution project.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "karmada/policy.h"

namespace smp::karmada {

struct ImageReference {
  std::string registry;  // the part before the first slash if it has a dot or a colon or is localhost; else ""
  std::string repository;
  std::string tag;
  std::string digest;
};

// Error: policy, with what is wrong.
Result<ImageReference> ParseImage(std::string_view text);
std::string ToString(const ImageReference& image);

// Returns the image with one component changed. A value for the tag may also be a digest, and replaces both; a value
// that is neither changes nothing, as in karmada. Error: policy, if the repository would become empty. Differs from
// karmada, which drops the digest of an image that has both tag and digest, whatever component changes.
Result<ImageReference> OverrideImage(ImageReference image, const ImageOverrider& overrider);

// Returns true if the overrider's value for the tag would make neither a tag nor a digest.
bool IsIgnored(const ImageReference& image, const ImageOverrider& overrider);

bool IsTag(std::string_view text);
bool IsDigest(std::string_view text);

}  // namespace smp::karmada
