#include "explain/pod_security.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "explain/testing.h"

namespace smp::explain {
namespace {

using Names = std::vector<std::string>;

// Returns what is forbidden in a Pod with one container. `version`: 0 is the newest.
Names Forbidden(std::string_view level, std::string_view container, std::string_view spec = "", int version = 0,
                std::string_view annotations = "{}") {
  const Document pod = Yaml(StrCat("metadata: {annotations: ", annotations, "}\nspec: {", spec,
                                   "containers: [{name: a, ", container, "}]}\n"));
  const PodSecurity enforced = {std::string(level), version == 0 ? std::nullopt : std::optional(version)};
  return ForbiddenBy(enforced, ForbiddenIn(pod.root()), 36);
}

std::string Context(std::string_view fields) { return StrCat("securityContext: {", fields, "}"); }

constexpr std::string_view kSafe =
    "allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true, seccompProfile: {type: "
    "RuntimeDefault}";

TEST(PodSecurity, WhatBaselineForbids) {
  const auto baseline = [](std::string_view container, std::string_view spec = "") {
    return Forbidden("baseline", container, spec);
  };
  EXPECT_EQ(baseline("image: a"), Names());
  EXPECT_EQ(baseline("ports: [{hostPort: 80}]", "hostPID: true, volumes: [{name: v, hostPath: {path: /dev}}], "),
            (Names{"hostPID", "hostPath /dev", "hostPort 80"}));
  EXPECT_EQ(baseline("ports: [{hostPort: 80}]", "hostNetwork: true, "), Names{"hostNetwork"});
  EXPECT_EQ(
      baseline(Context("privileged: true, capabilities: {add: [CHOWN, NET_RAW]}, seccompProfile: {type: Unconfined}")),
      (Names{"privileged", "seccompProfile Unconfined", "capability NET_RAW"}));
  EXPECT_EQ(baseline(Context("seLinuxOptions: {type: container_engine_t}")), Names());
  EXPECT_EQ(baseline(Context("seLinuxOptions: {type: spc_t, user: u}")),
            (Names{"seLinuxOptions", "seLinuxOptions type spc_t"}));
  EXPECT_EQ(baseline("livenessProbe: {httpGet: {host: b}}, lifecycle: {preStop: {tcpSocket: {host: b}}}"),
            (Names{"host of the livenessProbe", "host of the preStop"}));
  EXPECT_EQ(
      baseline("image: a", "securityContext: {sysctls: [{name: net.ipv4.tcp_rmem}, {name: net.core.somaxconn}]}, "),
      Names{"sysctl net.core.somaxconn"});
  EXPECT_EQ(Forbidden("baseline", "image: a", "", 0, "{container.apparmor.security.beta.kubernetes.io/a: unconfined}"),
            Names{"AppArmor unconfined"});
}

TEST(PodSecurity, WhatRestrictedForbids) {
  const auto restricted = [](std::string_view context, std::string_view spec = "") {
    return Forbidden("restricted", Context(context), spec);
  };
  EXPECT_EQ(restricted(kSafe), Names());
  EXPECT_EQ(restricted(""), (Names{"allowPrivilegeEscalation is not false", "capabilities are not dropped",
                                   "no seccompProfile", "runAsNonRoot is not true"}));
  EXPECT_EQ(restricted(StrCat(kSafe, ", runAsUser: 0")), Names{"runAsUser 0"});
  EXPECT_EQ(restricted(kSafe, "securityContext: {runAsNonRoot: false}, "), Names{"runAsNonRoot is false"});
  EXPECT_EQ(restricted("allowPrivilegeEscalation: false, capabilities: {drop: [ALL], add: [CHOWN, NET_BIND_SERVICE]}, "
                       "runAsNonRoot: true, seccompProfile: {type: Localhost}"),
            Names{"capability CHOWN"});
  EXPECT_EQ(
      restricted(
          "allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: null, seccompProfile: null",
          "securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, "),
      Names());
  EXPECT_EQ(restricted(kSafe, "volumes: [{name: a}, {name: b, image: {}, nfs: null}, {name: c, nfs: {}}], "),
            Names{"volume nfs"});
}

TEST(PodSecurity, WhatPodsOfTheirOwnUsersAndOfWindowsMay) {
  EXPECT_EQ(Forbidden("baseline", Context("procMount: Unmasked")), Names{"procMount Unmasked"});
  EXPECT_EQ(Forbidden("baseline", Context("procMount: Unmasked"), "hostUsers: false, "), Names());
  const std::string context =
      Context("allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}");
  EXPECT_EQ(Forbidden("restricted", context, "hostUsers: false, "), Names());
  EXPECT_EQ(Forbidden("restricted", "image: a", "os: {name: windows}, "), Names{"runAsNonRoot is not true"});
}

TEST(PodSecurity, WhatAVersionForbids) {
  const std::string_view probe = "livenessProbe: {httpGet: {host: b}}";
  EXPECT_EQ(Forbidden("baseline", probe, "", 33), Names());
  EXPECT_EQ(Forbidden("baseline", probe, "", 34).size(), 1u);
  EXPECT_EQ(Forbidden("baseline", probe, "", 99).size(), 1u) << "the server knows 1.36";
  const std::string_view spec = "hostUsers: false, securityContext: {sysctls: [{name: net.ipv4.tcp_keepalive_time}]}, ";
  EXPECT_EQ(Forbidden("baseline", "image: a", spec, 28), Names{"sysctl net.ipv4.tcp_keepalive_time"});
  EXPECT_EQ(Forbidden("baseline", "image: a", spec, 29), Names());
  const Names old = Forbidden("restricted", "image: a", "hostUsers: false, os: {name: windows}, ", 24);
  EXPECT_EQ(old.size(), 4u);
  EXPECT_EQ(Forbidden("baseline", "image: a", "", 18, "{seccomp.security.alpha.kubernetes.io/pod: unconfined}"),
            Names{"seccomp unconfined"});
}

TEST(PodSecurity, WhatANamespaceEnforces) {
  const auto of = [](std::string_view labels) {
    return PodSecurityOf(Yaml(StrCat("metadata: {labels: {", labels, "}}\n")).root());
  };
  EXPECT_EQ(of("a: b").level, "");
  EXPECT_EQ(of("pod-security.kubernetes.io/enforce: baseline").level, "baseline");
  EXPECT_EQ(of("pod-security.kubernetes.io/enforce-version: v1.28").version, 28);
  EXPECT_EQ(of("pod-security.kubernetes.io/enforce-version: latest").version, std::nullopt);
  EXPECT_EQ(ForbiddenBy({}, {{"privileged", Versions(), Versions()}}, 36), Names());
}

}  // namespace
}  // namespace smp::explain
