#include "karmada/image_overrider.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace smp::karmada {
namespace {

constexpr char kDigest[] = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

TEST(ImageOverrider, WithTagAndDigestKeepsTheDigestUnlessTheTagChanges) {
  const auto image = ParseImage(StrCat("r.io/a:1@", kDigest));
  ASSERT_TRUE(image.ok());
  using Component = ImageOverrider::Component;
  const auto changed = [&](Component component, edit::EditKind op, const std::string& value) {
    ImageOverrider overrider;
    overrider.component = component;
    overrider.op = op;
    overrider.value = value;
    const auto out = OverrideImage(*image, overrider);
    return out.ok() ? ToString(*out) : "error";
  };
  EXPECT_EQ(changed(Component::kRegistry, edit::EditKind::kReplace, "m.io"), StrCat("m.io/a:1@", kDigest));
  EXPECT_EQ(changed(Component::kRegistry, edit::EditKind::kRemove, ""), StrCat("a:1@", kDigest));
  EXPECT_EQ(changed(Component::kTag, edit::EditKind::kReplace, "2"), "r.io/a:2");
  EXPECT_EQ(changed(Component::kTag, edit::EditKind::kReplace, kDigest), StrCat("r.io/a@", kDigest));
  EXPECT_EQ(changed(Component::kTag, edit::EditKind::kRemove, ""), "r.io/a");
  EXPECT_EQ(changed(Component::kTag, edit::EditKind::kReplace, "no tag"), StrCat("r.io/a:1@", kDigest));
}

}  // namespace
}  // namespace smp::karmada
