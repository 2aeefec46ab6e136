#include "explain/pod_facts.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "value/json.h"

namespace smp::explain {
namespace {

PodFacts Of(std::string_view before, std::string_view after) {
  const Document old_object = *ParseJson(before), new_object = *ParseJson(after);
  return PodFactsOf(old_object.root(), new_object.root());
}

std::string Deployment(std::string_view pod) {
  return StrCat(R"({"kind":"Deployment","spec":{"template":{"spec":)", pod, "}}}");
}

using Names = std::vector<std::string>;

TEST(PodFacts, RightsOnNodesThatAreNew) {
  const std::string before = Deployment(R"({"hostNetwork":true,"containers":[{"image":"a:1"}]})");
  const std::string after = Deployment(R"({"hostNetwork":true,"hostPID":true,
    "containers":[{"image":"a:1","securityContext":{"privileged":true,"capabilities":{"add":["NET_ADMIN"]}}}],
    "volumes":[{"name":"dev","hostPath":{"path":"/dev"}},{"name":"x","emptyDir":{}}]})");
  EXPECT_EQ(Of(before, after).node_rights, (Names{"hostPID", "privileged", "NET_ADMIN", "hostPath /dev"}));
  EXPECT_EQ(Of("null", before).node_rights, Names{"hostNetwork"});
  EXPECT_EQ(Of(after, before).node_rights, Names());
}

std::string Secured(std::string_view name, std::string_view context) {
  return StrCat(R"({"name":")", name, R"(","image":"a:1","securityContext":{)", context, "}}");
}

TEST(PodFacts, CapabilitiesThatTheRuntimeGives) {
  const auto with = [](std::string_view capabilities) {
    return Deployment(
        StrCat(R"({"containers":[)", Secured("a", StrCat(R"("capabilities":{)", capabilities, "}")), "]}"));
  };
  const std::string all = with(""), none = with(R"("drop":["ALL"])"), no_raw = with(R"("drop":["NET_RAW"])"),
                    raw = with(R"("drop":["ALL"],"add":["NET_RAW","NET_ADMIN"])");
  EXPECT_EQ(Of(all, raw).node_rights, Names{"NET_ADMIN"}) << "the container had NET_RAW";
  EXPECT_EQ(Of(none, raw).node_rights, (Names{"NET_RAW", "NET_ADMIN"}));
  EXPECT_EQ(Of(no_raw, raw).node_rights, (Names{"NET_RAW", "NET_ADMIN"}));
  EXPECT_EQ(Of(with(R"("drop":["KILL"])"), raw).node_rights, Names{"NET_ADMIN"});
  EXPECT_EQ(Of(raw, raw).node_rights, Names());
  EXPECT_EQ(Of("null", raw).node_rights, Names{"NET_ADMIN"}) << "fewer than without securityContext";
}

TEST(PodFacts, PrivilegedContainersBesideInitContainers) {
  const auto pod = [](std::string_view init, std::string_view containers) {
    return Deployment(StrCat(R"({"initContainers":[)", init, R"(],"containers":[)", containers, "]}"));
  };
  const std::string yes = R"("privileged":true)";
  const std::string init = Secured("i", yes), plain = Secured("a", ""), privileged = Secured("b", yes);
  const std::string before = pod(init, plain);
  EXPECT_EQ(Of(before, pod(init, plain + "," + privileged)).node_rights, Names{"privileged"}) << "it runs on";
  EXPECT_EQ(Of(before, pod(init, Secured("a", yes))).node_rights, Names{"privileged"});
  EXPECT_EQ(Of(pod("", plain), before).node_rights, Names{"privileged"}) << "no container was";
  EXPECT_EQ(Of(pod("", privileged), pod(init, privileged)).node_rights, Names()) << "a container was already";
  EXPECT_EQ(Of(pod("", privileged), pod("", Secured("c", yes))).node_rights, Names()) << "renamed";
  EXPECT_EQ(Of(pod("", plain + "," + privileged), pod("", Secured("a", yes) + "," + privileged)).node_rights,
            Names{"privileged"});
  const std::string sidecar = R"({"name":"i","restartPolicy":"Always","securityContext":{"privileged":true}})";
  EXPECT_EQ(Of(before, pod(sidecar, plain)).node_rights, Names{"privileged"}) << "the kubelet restarts it";
}

TEST(PodFacts, CapabilitiesOfInitContainersAreNotThoseOfContainers) {
  const std::string admin = R"("capabilities":{"add":["SYS_ADMIN"]})";
  const std::string before = StrCat(R"({"initContainers":[)", Secured("i", admin), R"(],"containers":[)");
  EXPECT_EQ(Of(Deployment(before + "]}"), Deployment(StrCat(before, Secured("a", admin), "]}"))).node_rights,
            Names{"SYS_ADMIN"});
}

TEST(PodFacts, ImagesWhoseTagsMove) {
  const std::string live = Deployment(R"({"containers":[{"image":"x/a:latest"},{"image":"b"},{"image":"c:1"}]})");
  EXPECT_EQ(Of(live, live).moving_images, (Names{"a:latest", "b:latest"}));
  EXPECT_EQ(Of("null", live).moving_images, (Names{"a:latest", "b:latest"}));
  EXPECT_EQ(Of(Deployment(R"({"containers":[{"image":"a:1"}]})"), live).moving_images, (Names{"a:latest", "b:latest"}))
      << "which the manifest starts to use";
}

Names What(const std::vector<LostProtection>& lost) {
  Names out;
  for (const LostProtection& protection : lost) out.push_back(protection.what);
  return out;
}

TEST(PodFacts, ProtectionsThatAContainerLoses) {
  const auto with = [](std::string_view of_pod, std::string_view of_container) {
    return Deployment(StrCat(R"({"securityContext":{)", of_pod, R"(},"containers":[{"name":"a","securityContext":{)",
                             of_container, "}}]}"));
  };
  const std::string safe =
      with(R"("runAsNonRoot":true)", R"("readOnlyRootFilesystem":true,"capabilities":{"drop":["ALL"]})");
  EXPECT_EQ(What(Of(safe, with("", "")).lost_protection),
            (Names{"capabilities.drop ALL", "readOnlyRootFilesystem", "runAsNonRoot"}));
  EXPECT_EQ(What(Of(with("", ""), safe).lost_protection), Names());
  EXPECT_EQ(What(Of(with(R"("runAsNonRoot":true)", ""), with("", R"("runAsNonRoot":true)")).lost_protection), Names())
      << "the container has it itself";
  EXPECT_EQ(What(Of(with("", R"("capabilities":{"drop":["NET_RAW"]})"), safe).lost_protection), Names())
      << "all are dropped";
  EXPECT_EQ(What(Of(safe, Deployment(R"({"containers":[{"name":"b"}]})")).lost_protection), Names())
      << "another container";
  EXPECT_EQ(What(Of("null", safe).lost_protection), Names());
}

TEST(PodFacts, PodsThatRunToAnEndLoseNoData) {
  const auto lost = [](std::string_view kind, std::string_view spec) {
    const std::string object = StrCat(R"({"kind":")", kind, R"(","spec":)", spec, "}");
    return Of(object, object).loses_data;
  };
  EXPECT_EQ(lost("Deployment", R"({"template":{"spec":{"containers":[{"image":"postgres:11"}]}}})"),
            Names{"postgres:11"});
  EXPECT_EQ(
      lost("CronJob", R"({"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"image":"postgres:11"}]}}}}})"),
      Names());
}

TEST(PodFacts, ResourcesThatAContainerDoesNotState) {
  const auto unstated = [](std::string_view pod) { return Of("null", Deployment(pod)).unstated; };
  using Resources = std::set<std::string>;
  EXPECT_EQ(unstated(R"({"containers":[{"name":"a","resources":{"limits":{"cpu":"1"}}},)"
                     R"({"name":"b","resources":{"requests":{"memory":"1Gi"},"limits":{"cpu":"1"}}}]})"),
            (Resources{"limits.memory", "requests.memory"}));
  EXPECT_EQ(unstated(R"({"containers":[{"name":"a","resources":{"limits":{"cpu":"1","memory":null}}}]})"), Resources())
      << "the server stores 0";
  EXPECT_EQ(unstated(R"({"resources":{"requests":{"cpu":"1"}},"containers":[{"name":"a"}]})"), Resources())
      << "of a Pod with resources as a whole, a quota asks for nothing more";
}

TEST(PodFacts, AnotherServiceAccount) {
  const std::string none = Deployment(R"({"containers":[]})"),
                    robot = Deployment(R"({"serviceAccountName":"robot","containers":[]})"),
                    same = Deployment(R"({"serviceAccount":"robot","containers":[]})");
  EXPECT_EQ(Of(none, robot).other_account, "default → robot");
  EXPECT_EQ(Of(robot, none).other_account, "robot → default");
  EXPECT_EQ(Of(robot, same).other_account, "") << "the old name of the field";
  EXPECT_EQ(Of("null", robot).other_account, "");
}

TEST(PodFacts, ImagesAsBefore) {
  const std::string one = Deployment(R"({"containers":[{"image":"a:1"}]})"),
                    with_init = Deployment(R"({"containers":[{"image":"a:1"}],"initContainers":[{"image":"b:1"}]})");
  EXPECT_TRUE(Of(one, one).same_images);
  EXPECT_FALSE(Of(one, with_init).same_images);
  EXPECT_FALSE(Of("null", one).same_images);
}

TEST(PodFacts, VolumesThatOutliveThePods) {
  EXPECT_FALSE(Of("null", Deployment(R"({"volumes":[{"name":"x","emptyDir":{}}]})")).keeps_data);
  const auto with = [](std::string_view mounts) {
    return StrCat(R"({"containers":[{"volumeMounts":[)", mounts,
                  R"(]}],"volumes":[{"name":"x","persistentVolumeClaim":{"claimName":"x"}}]})");
  };
  EXPECT_TRUE(Of("null", Deployment(with(R"({"name":"x"})"))).keeps_data);
  EXPECT_FALSE(Of("null", Deployment(with(""))).keeps_data) << "nothing mounts it";
  EXPECT_TRUE(Of("null",
                 R"({"kind":"StatefulSet","spec":{"volumeClaimTemplates":[{"metadata":{"name":"x"}}],"template":)"
                 R"({"spec":{"containers":[{"volumeMounts":[{"name":"x"}]}]}}}})")
                  .keeps_data);
}

TEST(PodFacts, WhatTheFirstContainerRuns) {
  EXPECT_EQ(Of("{}", R"({"kind":"Job","spec":{"template":{"spec":{"containers":[
            {"image":"registry.k8s.io/x/certgen:v1.6","command":["/run"],"args":["create","--host=a"]}]}}}})")
                .runs,
            "certgen:v1.6 /run create --host=a");
}

TEST(PodFacts, WhatThePodsNeed) {
  const PodFacts facts = Of("null", Deployment(R"({
    "initContainers":[{"envFrom":[{"configMapRef":{"name":"a"}},{"secretRef":{"name":"b","optional":true}}]}],
    "containers":[{"env":[{"name":"X","valueFrom":{"secretKeyRef":{"name":"c","key":"k"}}},{"name":"Y","value":"1"},
      {"name":"Z","valueFrom":{"configMapKeyRef":{"name":"d","key":"k","optional":true}}}]}],
    "volumes":[{"name":"v","secret":{"secretName":"c"}},{"name":"w","configMap":{"name":"kube-root-ca.crt"}},
      {"name":"p","projected":{"sources":[{"configMap":{"name":"e"}},{"secret":{"name":"f"}}]}},{"name":"x","emptyDir":{}}]})"));
  EXPECT_EQ(facts.needs,
            (std::vector<NeededObject>{{"Secret", "c"}, {"ConfigMap", "a"}, {"ConfigMap", "e"}, {"Secret", "f"}}));
}

TEST(PodFacts, WhatThePodsNoLongerRead) {
  const auto unread = [](const std::string& before, const std::string& after) {
    Names out;
    for (const UnreadSetting& setting : UnreadSettings(ParseJson(before)->root(), ParseJson(after)->root())) {
      out.push_back(setting.object.kind + " " + setting.object.name);
    }
    return out;
  };
  const std::string old = Deployment(R"({"containers":[{"envFrom":[{"secretRef":{"name":"b","optional":true}}]}],
    "volumes":[{"name":"v","secret":{"secretName":"c"}},{"name":"w","configMap":{"name":"a"}}]})");
  EXPECT_EQ(unread(old, Deployment(R"({"volumes":[{"name":"x","configMap":{"name":"c"}},
    {"name":"p","projected":{"sources":[{"configMap":{"name":"a"}}]}}]})")),
            (Names{"Secret b", "Secret c"}));
  EXPECT_EQ(unread(old, old), Names());
  EXPECT_EQ(unread("{}", old), Names());
}

TEST(PodFacts, PodsAndCronJobs) {
  EXPECT_EQ(Of("null", R"({"kind":"Pod","spec":{"hostIPC":true}})").node_rights, Names{"hostIPC"});
  EXPECT_EQ(Of("null", R"({"spec":{"jobTemplate":{"spec":{"template":{"spec":{"hostPID":true}}}}}})").node_rights,
            Names{"hostPID"});
  EXPECT_EQ(Of("null", R"({"kind":"Odd","spec":{"template":{"spec":7}}})").node_rights, Names());
}

TEST(PodFacts, LabelsThatNodesNewlyNeed) {
  const auto with = [](std::string_view selector) {
    return Deployment(StrCat(R"({"nodeSelector":{)", selector, R"(},"containers":[]})"));
  };
  EXPECT_EQ(Of(with(""), with(R"("disk":"ssd","infra":"")")).nodes, (Names{"disk=ssd", "infra"}));
  EXPECT_EQ(Of(with(R"("disk":"hdd")"), with(R"("disk":"ssd")")).nodes, Names{"disk=ssd"});
  EXPECT_EQ(Of(with(R"("disk":"ssd")"), with("")).nodes, Names());
  EXPECT_EQ(Of(with(""), with(R"("kubernetes.io/os":"linux")")).nodes, Names());
  EXPECT_EQ(Of("null", with(R"("disk":"ssd")")).nodes, Names{"disk=ssd"}) << "of new Pods all";
}

TEST(PodFacts, ClaimsThatPodsNoLongerUse) {
  const auto with = [](std::string_view claim) {
    return Deployment(
        StrCat(R"({"containers":[],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":")", claim, R"("}}]})"));
  };
  EXPECT_EQ(Of(with("a"), with("b")).gone_volumes, Names{"a → b"});
  EXPECT_EQ(Of(with("a"), Deployment(R"({"containers":[]})")).gone_volumes, Names{"a"});
  EXPECT_EQ(Of(with("a"), with("a")).gone_volumes, Names());
}

TEST(PodFacts, ProfilesAndNamespacesThatPodsLose) {
  const auto lost = [](std::string_view before, std::string_view after) {
    Names out;
    for (const LostProtection& one : Of(Deployment(before), Deployment(after)).lost_protection) out.push_back(one.what);
    return out;
  };
  constexpr std::string_view kNone = R"({"containers":[{"name":"a"}]})";
  const auto of_pod = [](std::string_view fields) { return StrCat("{", fields, R"(,"containers":[{"name":"a"}]})"); };
  const std::string seccomp = of_pod(R"("securityContext":{"seccompProfile":{"type":"RuntimeDefault"}})");
  EXPECT_EQ(lost(seccomp, kNone), Names{"seccompProfile"});
  EXPECT_EQ(lost(seccomp, of_pod(R"("securityContext":{"seccompProfile":{"type":"Unconfined"}})")),
            Names{"seccompProfile"});
  EXPECT_EQ(lost(seccomp, R"({"containers":[{"name":"a","securityContext":{"seccompProfile":{"type":"Localhost"}}}]})"),
            Names());
  EXPECT_EQ(lost(of_pod(R"("hostUsers":false)"), kNone), Names{"hostUsers: false"});
  EXPECT_EQ(lost(of_pod(R"("runtimeClassName":"gvisor")"), kNone), Names{"runtimeClassName"});
  EXPECT_EQ(lost(of_pod(R"("automountServiceAccountToken":false)"), kNone),
            Names{"automountServiceAccountToken: false"});
  EXPECT_EQ(lost(kNone, seccomp), Names());
}

TEST(PodFacts, SecretsWithWhichVolumesAreMounted) {
  const std::string pod = R"({"containers":[],"volumes":[{"name":"v","csi":{"nodePublishSecretRef":{"name":"s"}}}]})";
  EXPECT_EQ(Of("null", Deployment(pod)).needs, (std::vector<NeededObject>{{"Secret", "s"}}));
}

TEST(PodFacts, AllPodsMayGoBeforeNewOnesCome) {
  const auto stops = [](std::string_view surge, std::string_view unavailable) {
    const std::string object =
        StrCat(R"({"kind":"Deployment","spec":{"replicas":2,"strategy":{"rollingUpdate":{"maxSurge":)", surge,
               R"(,"maxUnavailable":)", unavailable, R"(}},"template":{"spec":{"containers":[]}}}})");
    return Of(object, object).stops_first;
  };
  EXPECT_TRUE(stops("0", "2"));
  EXPECT_TRUE(stops(R"("0%")", R"("100%")"));
  EXPECT_FALSE(stops("0", "1"));
  EXPECT_FALSE(stops("1", "2"));
}

TEST(PodFacts, ProbesOfPortsThatAreRenamed) {
  const auto with = [](std::string_view port) {
    return Deployment(
        StrCat(R"({"containers":[{"name":"web","livenessProbe":{"httpGet":{"port":"http"}},"ports":[{"name":")", port,
               R"("}]}]})"));
  };
  EXPECT_EQ(Of(with("http"), with("web")).lost_probes, Names{"livenessProbe http of web"});
  EXPECT_EQ(Of("null", with("web")).lost_probes, Names{"livenessProbe http of web"});
  EXPECT_EQ(Of(with("web"), with("web")).lost_probes, Names()) << "as before";
  EXPECT_EQ(Of(with("http"), with("http")).lost_probes, Names());
}

TEST(PodFacts, DatabasesThatComeWithoutAVolume) {
  const std::string peer = Deployment(R"({"containers":[{"name":"p","image":"peer:2"}]})"),
                    couch = Deployment(
                        R"({"containers":[{"name":"p","image":"peer:2"},{"name":"c","image":"couchdb:3"}]})");
  const auto come = [](const std::string& before, const std::string& after) {
    Names out;
    for (const Database& one : Of(before, after).new_databases)
      out.push_back(StrCat(one.image, " ", Join(one.volumes, ",")));
    return out;
  };
  EXPECT_EQ(come(peer, couch), Names{"couchdb:3 "});
  EXPECT_EQ(come("null", couch), Names{"couchdb:3 "});
  EXPECT_EQ(come(couch, couch), Names());
  const std::string set = R"({"kind":"StatefulSet","metadata":{"name":"log-mysql"},"spec":{"volumeClaimTemplates":[)"
                          R"({"metadata":{"name":"data"}}],"template":{"spec":{"containers":[{"image":"db_server:1",)"
                          R"("volumeMounts":[{"name":"data"}]}]}}}})";
  EXPECT_EQ(come("null", set), Names{"db_server:1 template data"});
}

TEST(PodFacts, StoredDataThatIsMountedElsewhere) {
  const auto at = [](std::string_view mounts) {
    return Deployment(StrCat(R"({"containers":[{"name":"a","volumeMounts":[)", mounts,
                             R"(]}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"data"}}]})"));
  };
  const std::string old = at(R"({"name":"v","mountPath":"/var/lib/db"})");
  EXPECT_EQ(Of(old, at(R"({"name":"v","mountPath":"/data"})")).moved_volumes, Names{"data /var/lib/db → /data"});
  EXPECT_EQ(Of(old, at(R"({"name":"v","mountPath":"/var/lib/db","subPath":"pg"})")).moved_volumes,
            Names{"data /var/lib/db → /var/lib/db (subPath pg)"});
  EXPECT_EQ(Of(old, old).moved_volumes, Names());
}

TEST(PodFacts, FoldersOfNodesThatPodsNoLongerWrite) {
  const auto with = [](std::string_view path, std::string_view mounts) {
    return Deployment(StrCat(R"({"containers":[{"name":"a","volumeMounts":[)", mounts,
                             R"(]}],"volumes":[{"name":"v","hostPath":{"path":")", path, R"("}}]})"));
  };
  constexpr std::string_view kMounted = R"({"name":"v","mountPath":"/data"})";
  EXPECT_EQ(Of(with("/srv/s3", kMounted), with("/srv/s3", "")).gone_volumes, Names{"hostPath /srv/s3"});
  EXPECT_EQ(Of(with("/srv/s3", kMounted), with("/srv/s3", kMounted)).gone_volumes, Names());
  EXPECT_EQ(Of(with("/var/log/pods", kMounted), with("/var/log/pods", "")).gone_volumes, Names()) << "of the node";
  const std::string read = with("/srv/s3", R"({"name":"v","mountPath":"/data","readOnly":true})");
  EXPECT_EQ(Of(read, with("/srv/s3", "")).gone_volumes, Names());
  EXPECT_EQ(Of(with("/srv/s3", kMounted), read).gone_volumes, Names()) << "it is still read";
}

TEST(PodFacts, DatabasesThatKeepTheirDataInThePods) {
  const auto of = [](std::string_view image, std::string_view volumes) {
    const std::string object = Deployment(StrCat(R"({"containers":[{"volumeMounts":[{"name":"a"}],"image":")", image,
                                                 R"("}],"volumes":[)", volumes, "]}"));
    return Of(object, object).loses_data;
  };
  EXPECT_EQ(of("shop/rs-mongodb:4", ""), Names{"rs-mongodb:4"});
  EXPECT_EQ(of("redis:5", R"({"name":"a","emptyDir":{}})"), Names{"redis:5"});
  EXPECT_EQ(of("redis:5", R"({"name":"a","persistentVolumeClaim":{"claimName":"c"}})"), Names());
  EXPECT_EQ(of("redis:5", R"({"name":"b","persistentVolumeClaim":{"claimName":"c"}})"), Names{"redis:5"})
      << "another container mounts it";
  EXPECT_EQ(of("redis-exporter:5", ""), Names());
  EXPECT_EQ(of("web:1", ""), Names());
}

TEST(PodFacts, StrategyThatStopsPodsFirst) {
  const std::string object =
      R"({"kind":"Deployment","spec":{"strategy":{"type":"Recreate"},"template":{"spec":{"containers":[]}}}})";
  EXPECT_TRUE(Of(object, object).stops_first);
  EXPECT_FALSE(Of("null", object).stops_first) << "new";
}

}  // namespace
}  // namespace smp::explain
