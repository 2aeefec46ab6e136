#include "value/image_reference.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace smp {
namespace {

constexpr char kDigest[] = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

std::string Parts(std::string_view text) {
  const auto image = ParseImage(text);
  if (!image.ok()) return "error";
  return Join(std::vector<std::string>{image->registry, image->repository, image->tag, image->digest}, "|");
}

TEST(ImageReference, HasRegistryRepositoryTagAndDigest) {
  EXPECT_EQ(Parts("nginx"), "|nginx||");
  EXPECT_EQ(Parts("team/nginx:1"), "|team/nginx|1|");
  EXPECT_EQ(Parts("localhost/nginx"), "localhost|nginx||");
  EXPECT_EQ(Parts("localhost:5000/a/b__c:v1.0"), "localhost:5000|a/b__c|v1.0|");
  EXPECT_EQ(Parts("[::1]:5000/a"), "[::1]:5000|a||");
  EXPECT_EQ(Parts(StrCat("r.io/a:1@", kDigest)), StrCat("r.io|a|1|", kDigest));
  EXPECT_EQ(Parts("Team/nginx"), "|Team/nginx||") << "a domain, by the grammar";
}

TEST(ImageReference, IsNoneWhereTheGrammarSaysSo) {
  for (const char* text : {"", "Nginx", "a//b", "/a", "a/", "a:", "a: 1", "a@sha256:12", "{{ .image }}", "a___b",
                           "a.-b", "a/B", "-a", "r.io:x/a", "a@", "$(IMAGE)"}) {
    EXPECT_EQ(Parts(text), "error") << text;
  }
  EXPECT_EQ(Parts(std::string(256, 'a')), "error");
  EXPECT_NE(Parts(std::string(255, 'a')), "error");
}

TEST(ImageReference, RoundTrips) {
  for (const std::string& text : {std::string("nginx"), std::string("r.io:5000/a/b:1"), StrCat("a:1@", kDigest)}) {
    const auto image = ParseImage(text);
    ASSERT_TRUE(image.ok()) << text;
    EXPECT_EQ(ToString(*image), text);
  }
}

}  // namespace
}  // namespace smp
