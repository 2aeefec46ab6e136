// Container image references: [REGISTRY/]REPOSITORY[:TAG][@DIGEST], by the grammar of the distribution project.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "karmada/policy.h"

namespace smp::karmada {

struct ImageReference {
  std::string registry;  // the part before the first slash if it has a dot or colon or is "localhost"; else ""
  std::string repository;
  std::string tag;
  std::string digest;
};

// Error: policy, with the reason why the text is not an image reference.
Result<ImageReference> ParseImage(std::string_view text);
std::string ToString(const ImageReference& image);

// Returns the image with one component changed. For kTag, the value may be a tag or a digest and replaces both; any
// other value has no effect, as in karmada. Error: policy, if the repository would become empty. Differs from karmada,
// which always drops the digest of an image that has both a tag and a digest, even if another component changes.
Result<ImageReference> OverrideImage(ImageReference image, const ImageOverrider& overrider);

// Returns true if OverrideImage ignores the overrider, because the result would be neither a tag nor a digest.
bool IsIgnored(const ImageReference& image, const ImageOverrider& overrider);

bool IsTag(std::string_view text);
bool IsDigest(std::string_view text);

}  // namespace smp::karmada
