#include "karmada/image_overrider.h"

#include "base/strings.h"

namespace smp::karmada {

namespace {

std::string Changed(const std::string& old, const ImageOverrider& overrider) {
  switch (overrider.op) {
    case edit::EditKind::kAdd: return old + overrider.value;
    case edit::EditKind::kReplace: return overrider.value;
    default: return {};
  }
}

std::string ChangedTag(const ImageReference& image, const ImageOverrider& overrider) {
  return Changed(image.tag.empty() ? image.digest : image.tag, overrider);
}

void ChangeTag(ImageReference& image, const ImageOverrider& overrider) {
  if (IsIgnored(image, overrider)) return;
  const std::string changed = ChangedTag(image, overrider);
  image.tag = IsTag(changed) ? changed : "";
  image.digest = IsDigest(changed) ? changed : "";
}

}  // namespace

bool IsIgnored(const ImageReference& image, const ImageOverrider& overrider) {
  if (overrider.component != ImageOverrider::Component::kTag || overrider.op == edit::EditKind::kRemove) return false;
  const std::string changed = ChangedTag(image, overrider);
  return !IsTag(changed) && !IsDigest(changed);
}

Result<ImageReference> OverrideImage(ImageReference image, const ImageOverrider& overrider) {
  const std::string before = ToString(image);
  switch (overrider.component) {
    case ImageOverrider::Component::kRegistry: image.registry = Changed(image.registry, overrider); break;
    case ImageOverrider::Component::kRepository: image.repository = Changed(image.repository, overrider); break;
    case ImageOverrider::Component::kTag: ChangeTag(image, overrider); break;
  }
  if (!image.repository.empty()) return image;
  return Error{ErrorCode::kPolicy, StrCat("the repository of the image \"", before, "\" would be empty")};
}

}  // namespace smp::karmada
