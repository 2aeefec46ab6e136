#include "explain/image_words.h"

#include <gtest/gtest.h>

namespace smp::explain {
namespace {

TEST(ImageWords, OnlyWhatIsSurelyAnImageIsOne) {
  EXPECT_EQ(ChangeOfTag("longhornio/csi-attacher:v4.8.1", "longhornio/csi-attacher:v4.10.0"),
            "csi-attacher v4.8.1 → v4.10.0");
  for (const char* other : {"info", "http://a/b:80", "/var/run/a:ro", "a:80", "x/csi:v2"}) {
    EXPECT_EQ(ChangeOfTag("longhornio/csi-attacher:v4.8.1", other), "") << other;
    EXPECT_EQ(ChangeOfTag(other, "longhornio/csi-attacher:v4.8.1"), "") << other;
  }
}

TEST(ImageWords, TagsWithTheNameOfTheImage) {
  EXPECT_EQ(ChangeOfImage("nginx:1.28", "nginx:1.29", "web"), "nginx 1.28 → 1.29");
  EXPECT_EQ(ChangeOfImage("shop/web:1.28", "shop/web:1.29", "web"), "1.28 → 1.29");
  EXPECT_EQ(ChangeOfImage("nginx", "nginx:1.29", ""), "nginx latest → 1.29");
}

TEST(ImageWords, AnotherPlace) {
  EXPECT_EQ(ChangeOfImage("nginx:1", "ghcr.io/library/nginx:1", "nginx"), "new registry ghcr.io");
  EXPECT_EQ(ChangeOfImage("nginx:1", "ghcr.io/library/nginx:1", ""), "nginx: new registry ghcr.io");
  EXPECT_EQ(ChangeOfImage("a/nginx:1", "b/nginx:2", "nginx"), "1 → 2, new repository b/nginx");
  EXPECT_EQ(ChangeOfPlace("quay.io/a/x:1", "quay.io/b/x:1"), "quay.io/a → quay.io/b");
  EXPECT_EQ(ChangeOfPlace("quay.io/a/x:1", "quay.io/a/y:1"), "");
  EXPECT_EQ(ChangeOfImage("nginx:1", "docker.io/library/nginx:1", ""), "");
  EXPECT_EQ(ChangeOfImage("index.docker.io/nginx:1", "library/nginx:2", "nginx"), "1 → 2");
}

TEST(ImageWords, AnotherImage) { EXPECT_EQ(ChangeOfImage("nginx:1.28", "caddy:2", "web"), "nginx:1.28 → caddy:2"); }

TEST(ImageWords, Digests) {
  const std::string a = "web:1@sha256:" + std::string(64, 'a'), b = "web:1@sha256:" + std::string(64, 'b');
  EXPECT_EQ(ChangeOfImage(a, b, "web"), "new digest");
  EXPECT_EQ(ChangeOfImage("web@sha256:" + std::string(64, 'a'), "web:2", "web"), "a digest → 2");
}

TEST(ImageWords, LongTagsAreCut) {
  EXPECT_EQ(ChangeOfImage("web:" + std::string(30, '1') + "a", "web:" + std::string(30, '1') + "b", "web"), "new tag");
}

TEST(ImageWords, NamesThatMove) {
  EXPECT_EQ(MovingImage("x/web"), "web:latest");
  EXPECT_EQ(MovingImage("web:latest"), "web:latest");
  EXPECT_EQ(MovingImage("web:1"), "");
  EXPECT_EQ(MovingImage("web:1.2-alpine"), "");
  for (const char* image : {"web:alpine", "web:main", "web:v1.37-latest", "web:1.2-SNAPSHOT", "web:latest-arm64"}) {
    EXPECT_EQ(MovingImage(image), image);
  }
  EXPECT_EQ(MovingImage("web@sha256:" + std::string(64, 'a')), "");
}

TEST(ImageWords, WhatIsNoImage) { EXPECT_EQ(ChangeOfImage("$(IMAGE)", "nginx:1", ""), ""); }

TEST(ImageWords, TemplatesAreNoImages) {
  for (const char* image : {"REGISTRY/app:v1", "x/app:VERSION", "registry.example/IMAGE:1", "x/*:1"}) {
    EXPECT_FALSE(IsImage(image)) << image;
    EXPECT_EQ(ChangeOfPlace(image, "ghcr.io/app:v3"), "") << image;
    EXPECT_EQ(DescribeVersions(image, "x/app:v3").words, "") << image;
  }
  EXPECT_TRUE(IsImage("minio:RELEASE.2022-11-17T23-20-09Z"));
}

TEST(ImageWords, DatesAreNoVersions) {
  EXPECT_EQ(DescribeVersions("exporter:18-02-07_v0.15.0", "exporter:6.3").words, "");
}

TEST(ImageWords, MajorVersions) {
  const auto is_major = [](std::string_view before, std::string_view after) {
    return DescribeVersions(before, after).step == VersionStep::kMajor;
  };
  EXPECT_TRUE(is_major("postgres:v15.4", "postgres:v16.1"));
  EXPECT_EQ(DescribeVersions("postgres:v15.4", "postgres:v16.1").words, "postgres v15.4 → v16.1");
  EXPECT_EQ(DescribeVersions("postgres:v16.1", "postgres:v15.4").words, "postgres v16.1 → v15.4, which is older");
  EXPECT_EQ(DescribeVersions("confluentinc/cp-kafka:7.5.0", "apache/kafka:3.7.0").words,
            "cp-kafka 7.5.0 → kafka 3.7.0");
  EXPECT_FALSE(is_major("postgres:15", "redis:16"));
  EXPECT_EQ(DescribeVersions("mysql-operator:8.0.31", "community-operator:9.1").words,
            "mysql-operator 8.0.31 → community-operator 9.1");
  EXPECT_EQ(DescribeVersions("falco-no-driver:0.33.0", "falco:0.41.2").step, VersionStep::kSkipsMinor) << "renamed";
  EXPECT_FALSE(is_major("a:20240101", "a:20250101"));
  EXPECT_FALSE(is_major("a:1f3c", "a:2"));
}

TEST(ImageWords, SkippedMinorVersions) {
  const auto skips = [](std::string_view before, std::string_view after) {
    return DescribeVersions(before, after).step == VersionStep::kSkipsMinor;
  };
  EXPECT_TRUE(skips("rook/ceph:v1.16.0", "rook/ceph:v1.18.0"));
  EXPECT_TRUE(skips("a:1.9", "a:1.11-alpine"));
  EXPECT_FALSE(skips("a:1.16.0", "a:1.17.4"));
  EXPECT_FALSE(skips("a:1.18.0", "a:1.16.0")) << "nothing is skipped on the way back";
  EXPECT_EQ(DescribeVersions("a:1.18.0", "a:1.16.0").step, VersionStep::kOlder);
  EXPECT_EQ(DescribeVersions("a:1.18.0", "a:1.16.0").words, "a 1.18.0 → 1.16.0");
  EXPECT_EQ(DescribeVersions("a-driver:1.18", "b-driver:1.16").step, VersionStep::kSmall) << "another program";
  EXPECT_TRUE(skips("a:0.27.0", "a:0.29.1"));
  EXPECT_FALSE(skips("a:2024.5", "a:2024.9")) << "a date";
  EXPECT_FALSE(skips("a:1", "a:1.9"));
}

TEST(ImageWords, AnotherProgram) {
  EXPECT_EQ(ChangeOfProgram("a/postgres:13", "b/psql:15"), "postgres:13 → psql:15");
  EXPECT_EQ(ChangeOfProgram("a/web-api:13", "b/web:15"), "") << "renamed";
  EXPECT_EQ(ChangeOfProgram("x", "y"), "") << "hardly images";
  EXPECT_EQ(ChangeFromMovingTag("mongo:latest", "mongo:4.4"), "mongo latest → 4.4");
  EXPECT_EQ(ChangeFromMovingTag("mongo:4", "mongo:4.4"), "");
  EXPECT_EQ(DescribeVersions("fence:2020.02", "fence:2026.06").step, VersionStep::kMajor);
  EXPECT_EQ(DescribeVersions("fence:2025.12", "fence:2026.06").step, VersionStep::kSmall);
  EXPECT_EQ(DescribeVersions("log:v20190415-bdf772f89", "log:v20230228-2b433f6").words,
            "log v20190415-bdf772f89 → v20230228-2b433f6");
  EXPECT_EQ(DescribeVersions("log:20191599", "log:20240101").words, "");
  EXPECT_EQ(StepOfVersions("13", "16"), VersionStep::kMajor);
  EXPECT_EQ(StepOfVersions("v1beta1", "v1"), VersionStep::kSmall);
}

TEST(ImageWords, HashesOfCommitsAreCut) {
  EXPECT_EQ(ChangeOfImage("a:sha-9b98c57c5fb9681f33404d2f", "a:dfae65b61899cfe8e9e6a8d7aabb", ""),
            "a sha-9b98c57c5f… → dfae65b618…");
  EXPECT_EQ(ChangeOfImage("a:2021-01-01", "a:20250430-f422de961", ""), "a 2021-01-01 → 20250430-f422de961");
}

}  // namespace
}  // namespace smp::explain
