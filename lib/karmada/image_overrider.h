// Changes one component of an image reference: imageOverrider.
#pragma once

#include "base/result.h"
#include "karmada/policy.h"
#include "value/image_reference.h"

namespace smp::karmada {

// Returns the image with one component changed. For kTag, the value may be a tag or a digest and replaces both; any
// other value has no effect, as in karmada. Error: policy, if the repository would become empty. Differs from karmada,
// which always drops the digest of an image that has both a tag and a digest, even if another component changes.
Result<ImageReference> OverrideImage(ImageReference image, const ImageOverrider& overrider);

// Returns true if OverrideImage ignores the overrider, because the result would be neither a tag nor a digest.
bool IsIgnored(const ImageReference& image, const ImageOverrider& overrider);

}  // namespace smp::karmada
