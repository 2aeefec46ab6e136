#include "kube/object_ref.h"

#include <gtest/gtest.h>

namespace smp::kube {
namespace {

TEST(ObjectPath, FollowsGroupScopeAndSubresource) {
  EXPECT_EQ(ObjectPath({{"", "v1", "ConfigMap"}, "configmaps", "default", "c"}),
            "/api/v1/namespaces/default/configmaps/c");
  EXPECT_EQ(ObjectPath({{"apps", "v1", "Deployment"}, "deployments", "a", "web", "scale"}),
            "/apis/apps/v1/namespaces/a/deployments/web/scale");
  EXPECT_EQ(ObjectPath({{"", "v1", "Namespace"}, "namespaces", "", "x"}), "/api/v1/namespaces/x");
  EXPECT_EQ(ObjectPath({{"", "v1", "Pod"}, "pods", "a", ""}), "/api/v1/namespaces/a/pods");
  EXPECT_EQ(ObjectPath({{"rbac.authorization.k8s.io", "v1", "ClusterRole"}, "clusterroles", "", "system:x y?"}),
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Ax%20y%3F");
}

TEST(ObjectPath, NamesThatWouldChangeThePathAreRefused) {
  for (const char* name : {".", "..", "a/b", "a%2fb"}) {
    EXPECT_FALSE(CheckPathSegments({{"", "v1", "Pod"}, "pods", "a", name}).ok()) << name;
    EXPECT_FALSE(CheckPathSegments({{"", "v1", "Pod"}, "pods", name, "a"}).ok()) << name;
  }
  EXPECT_TRUE(CheckPathSegments({{"", "v1", "Pod"}, "pods", "a", "..x"}).ok());
}

}  // namespace
}  // namespace smp::kube
