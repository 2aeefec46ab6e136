#include "smp/keep_live.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/strings.h"
#include "schema/builtin.h"
#include "smp/smp.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr std::string_view kHead = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";

struct Objects {
  std::string original, modified, live;  // after kHead; original "": none
  std::vector<std::string> keep;
  KeepHow how = KeepHow::kClientSide;
};

// What `print` says of what is kept, or the error.
std::string Printed(const Objects& objects, const std::function<std::string(DiffInput, const KeptLive&)>& print) {
  const auto read = [](const std::string& text) { return *yaml::ParseYaml(StrCat(kHead, text, "\n")); };
  const Document original = read(objects.original), modified = read(objects.modified), live = read(objects.live);
  const auto schema = BuiltinSchema();
  const DiffInput input = {.original = objects.original.empty() ? nullptr : &original.root(),
                           .modified = &modified.root(),
                           .live = &live.root(),
                           .schema = schema.get(),
                           .type = schema->FindType(*GvkOf(live.root()))};
  std::vector<KeepPath> paths;
  for (const std::string& text : objects.keep) paths.push_back({*ParsePathPattern(text), "--keep-live", text});
  const auto kept = KeepLive(modified, input, paths, objects.how);
  return kept.ok() ? print(input, *kept) : ToString(kept.error());
}

// "PATHS: PATCH", or the error.
std::string Planned(const Objects& objects) {
  return Printed(objects, [](DiffInput input, const KeptLive& kept) {
    input.modified = &kept.desired.root();
    const auto patch = PlanPatch(input);
    if (!patch.ok()) return ToString(patch.error());
    std::vector<std::string> names;
    for (const KeptField& field : kept.fields) names.push_back(ToString(field.path));
    return StrCat(Join(names, " "), ": ", WriteJson(patch->body.root()));
  });
}

// "PATHS: the spec that a server-side apply sends". `alone`: what of live only we own.
std::string Sent(const std::string& alone, const std::string& modified, const std::string& live,
                 const std::string& path) {
  const auto text = [](const DiffInput&, const KeptLive& kept) {
    std::vector<std::string> names;
    for (const KeptField& field : kept.fields) names.push_back(ToString(field.path));
    return StrCat(Join(names, " "), ": ", WriteJson(*kept.desired.root().Find("spec")));
  };
  return Printed({alone, modified, live, {path}, KeepHow::kServerSide}, text);
}

std::string Unmatched(const Objects& objects) {
  return Printed(objects, [](const DiffInput&, const KeptLive& kept) {
    std::vector<std::string> paths;
    for (const KeepPath& path : kept.unmatched) paths.push_back(path.text);
    return Join(paths, " ");
  });
}

std::string Spec(const std::string& containers) { return "spec: {template: {spec: {containers: " + containers + "}}}"; }

TEST(KeepLive, LeavesAFieldThatTheManifestWouldChange) {
  EXPECT_EQ(
      Planned({"spec: {replicas: 1}", "spec: {replicas: 2, paused: true}", "spec: {replicas: 5}", {"spec.replicas"}}),
      R"(spec.replicas: {"spec":{"paused":true}})");
}

TEST(KeepLive, LeavesAFieldThatTheManifestNoLongerHas) {
  EXPECT_EQ(Planned({"spec: {replicas: 1}", "spec: {}", "spec: {replicas: 5}", {"spec.replicas"}}),
            "spec.replicas: {}");
  EXPECT_EQ(Planned({"spec: {replicas: 1}", "spec: {replicas: null}", "spec: {replicas: 5}", {"spec.replicas"}}),
            "spec.replicas: {}");
}

TEST(KeepLive, LeavesAFieldOutThatLiveLacks) {
  EXPECT_EQ(Planned({"spec: {replicas: 2}", "spec: {paused: true}", "spec: {replicas: 2}", {"spec.paused"}}),
            R"(spec.paused: {"spec":{"replicas":null}})");
}

// No difference, nothing to say.
TEST(KeepLive, NamesNoFieldThatIsInSyncOrOnlyInLive) {
  EXPECT_EQ(Planned({"spec: {replicas: 1}",
                     "spec: {replicas: 5}",
                     "spec: {replicas: 5, paused: true}",
                     {"spec.replicas", "spec.paused", "spec.minReadySeconds", "metadata.labels"}}),
            ": {}");
}

TEST(KeepLive, LeavesAMapAsAWhole) {
  EXPECT_EQ(Planned({"spec: {strategy: {type: Recreate}}",
                     "spec: {strategy: {type: RollingUpdate}}",
                     "spec: {strategy: {type: Recreate}}",
                     {"spec.strategy"}}),
            "spec.strategy: {}");
}

TEST(KeepLive, KeepsAFieldOfAMapThatTheManifestNoLongerHas) {
  EXPECT_EQ(
      Planned({"spec: {selector: {}, strategy: {type: Recreate}, template: {metadata: {labels: {a: b}}}}",
               "spec: {}",
               "spec: {selector: {}, template: {metadata: {labels: {a: b, c: d}}}}",
               {"spec.template.metadata.labels.c"}}),
      R"(spec.template.metadata.labels.c: {"spec":{"selector":null,"template":{"metadata":{"labels":{"a":null}}}}})");
}

TEST(KeepLive, FindsItemsByTheirKeys) {
  const std::string old = Spec("[{name: a, image: a:1}, {name: b, image: b:1}]");
  const std::string now = Spec("[{name: a, image: a:2}, {name: b, image: b:2}]");
  const std::string live = Spec("[{name: a, image: a:9}, {name: b, image: b:9}]");
  EXPECT_EQ(Planned({old, now, live, {"spec.template.spec.containers[*].image"}}),
            "spec.template.spec.containers[name=a].image spec.template.spec.containers[name=b].image: {}");
  EXPECT_EQ(
      Planned({old, now, live, {"spec.template.spec.containers[name=a].image"}}),
      R"(spec.template.spec.containers[name=a].image: {"spec":{"template":{"spec":{)"
      R"("$setElementOrder/containers":[{"name":"a"},{"name":"b"}],"containers":[{"image":"b:2","name":"b"}]}}}})");
}

TEST(KeepLive, KeepsAnItemThatTheManifestNoLongerHasInItsPlace) {
  EXPECT_EQ(Planned({Spec("[{name: a, image: x}, {name: b, image: x}]"),
                     Spec("[{name: b, image: x}]"),
                     Spec("[{name: a, image: x, tty: true}, {name: b, image: x}]"),
                     {"spec.template.spec.containers[name=a]"}}),
            "spec.template.spec.containers[name=a]: {}");
}

TEST(KeepLive, LetsAnItemThatTheManifestNoLongerHasGoAsAWhole) {
  const std::string old = Spec("[{name: a, image: x}, {name: b, image: x, args: [y]}]");
  const std::string now = Spec("[{name: a, image: x}]");
  EXPECT_EQ(Planned({old, now, old, {"spec.template.spec.containers[*].image"}}),
            R"(: {"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[)"
            R"({"$patch":"delete","name":"b"}]}}}})");
  EXPECT_EQ(Planned({old, now, old, {"spec.template.spec.containers[*].image", "spec.template.spec.containers[*]"}}),
            "spec.template.spec.containers[name=b]: {}");
  EXPECT_EQ(Planned({old, now, old, {"spec.template.spec.containers", "spec.template.spec.containers[*].image"}}),
            "spec.template.spec.containers: {}");
}

TEST(KeepLive, NamesThePathsThatNameNothing) {
  const std::string spec = Spec("[{name: a, image: x}]");
  EXPECT_EQ(Unmatched({"spec: {paused: true}",
                       spec,
                       "spec: {replicas: 1}",
                       {"spec.replicas", "spec.paused", "spec.replcas", "spec.replicas[*]", "spec.replicas[0]",
                        "spec.template.spec.containers[*].image", "spec.template.spec.containers[=x]",
                        "spec.template.spec.containers[name=b]"}}),
            "spec.replcas spec.replicas[*] spec.replicas[0] spec.template.spec.containers[=x] "
            "spec.template.spec.containers[name=b]");
}

TEST(KeepLive, GivesANewItemWhatTheManifestSays) {
  EXPECT_EQ(Planned({Spec("[{name: a, image: x}]"),
                     Spec("[{name: a, image: x}, {name: b, image: q}]"),
                     Spec("[{name: a, image: z}]"),
                     {"spec.template.spec.containers[*].image"}}),
            R"(spec.template.spec.containers[name=a].image: {"spec":{"template":{"spec":{)"
            R"("$setElementOrder/containers":[{"name":"a"},{"name":"b"}],"containers":[{"image":"q","name":"b"}]}}}})");
}

TEST(KeepLive, KeepsElementsOfSets) {
  const auto finalizers = [](const std::string& list) { return "metadata: {name: web, finalizers: " + list + "}"; };
  const Objects objects = {finalizers("[a.io/x]"), finalizers("[a.io/new]"), finalizers("[a.io/x]"), {}};
  const auto planned = [&](const std::string& path) {
    Objects with = objects;
    with.keep = {path};
    return Planned(with);
  };
  EXPECT_EQ(
      planned(R"(metadata.finalizers["a.io/x"])"),
      R"(metadata.finalizers["a.io/x"]: {"metadata":{"$setElementOrder/finalizers":["a.io/new","a.io/x"],"finalizers":["a.io/new"]}})");
  EXPECT_EQ(planned(R"(metadata.finalizers)"), "metadata.finalizers: {}");
}

TEST(KeepLive, RefusesAPartOfAnAtomicListAndWhatIdentifiesTheObject) {
  const std::string args = Spec("[{name: a, args: [x]}]");
  EXPECT_EQ(
      Planned({"", args, args, {"spec.template.spec.containers[name=a].args[0]"}}),
      "spec.template.spec.containers[name=a].args: --keep-live cannot keep this field: apply replaces this list as a "
      "whole; keep the whole list");
  EXPECT_EQ(
      Planned({"", args, args, {"spec.template.spec.containers[0]"}}),
      "spec.template.spec.containers: --keep-live cannot keep this field: an index does not identify an item of this "
      "list; name the item by its keys, as in [name=web]");
  EXPECT_EQ(
      Planned({"", "spec: {}", "spec: {}", {"spec.template.spec.containers[*].command[*]"}}),
      "spec.template.spec.containers[*].command: --keep-live cannot keep this field: apply replaces this list as a "
      "whole; keep the whole list");
  EXPECT_EQ(Planned({"", args, args, {"metadata.*"}}),
            "metadata.name: --keep-live cannot keep this field: it identifies the object; remove the path");
}

TEST(KeepLive, IsNotClearedForWhatTheManifestHasBesideIt) {
  EXPECT_EQ(Planned({"spec: {strategy: {type: RollingUpdate}}",
                     "spec: {strategy: {type: RollingUpdate}}",
                     "spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 3}}}",
                     {"spec.strategy.rollingUpdate"}}),
            ": {}");
}

TEST(KeepLive, ServerSideSendsWhatOnlyWeOwnAsItIs) {
  EXPECT_EQ(Sent("spec: {replicas: 5}", "spec: {replicas: 2}", "spec: {replicas: 5}", "spec.replicas"),
            R"(spec.replicas: {"replicas":5})");
  EXPECT_EQ(Sent("spec: {replicas: 5}", "spec: {paused: true}", "spec: {replicas: 5}", "spec.replicas"),
            R"(spec.replicas: {"paused":true,"replicas":5})");
}

TEST(KeepLive, ServerSideLeavesOutWhatOthersOwn) {
  EXPECT_EQ(Sent("spec: {}", "spec: {paused: true, replicas: 2}", "spec: {paused: true, replicas: 5}", "spec.replicas"),
            R"(spec.replicas: {"paused":true})");
  EXPECT_EQ(Sent("spec: {}", "spec: {paused: true, replicas: 5}", "spec: {paused: true, replicas: 5}", "spec.replicas"),
            R"(: {"paused":true})");
  // A part of a map: the image is ours alone.
  EXPECT_EQ(
      Sent(Spec("[{name: a, image: x}]"), Spec("[{name: a, image: z, resources: {limits: {cpu: 1}}}]"),
           Spec("[{name: a, image: x, resources: {limits: {cpu: 5}}}]"), "spec.template.spec.containers[*]"),
      R"(spec.template.spec.containers[name=a]: {"template":{"spec":{"containers":[{"image":"x","name":"a"}]}}})");
  EXPECT_EQ(
      Sent("spec: {}", Spec("[{name: a, image: z, resources: {limits: {cpu: 1}}}]"),
           Spec("[{name: a, image: x, resources: {limits: {cpu: 5}}}]"), "spec.template.spec.containers[*].resources"),
      R"(spec.template.spec.containers[name=a].resources: {"template":{"spec":{"containers":[{"image":"z","name":"a"}]}}})");
}

// Without the protocol, the server would take the port for another one.
TEST(KeepLive, ServerSideSendsTheKeysOfItems) {
  const std::string dns = Spec("[{name: a, ports: [{containerPort: 53, protocol: UDP}]}]");
  const std::string sent = R"(: {"template":{"spec":{"containers":[{"name":"a","ports":[)"
                           R"({"containerPort":53,"protocol":"UDP"}]}]}}})";
  EXPECT_EQ(Sent("spec: {}", dns, dns, "spec.template.spec.containers[*].ports[*].protocol"), sent);
  EXPECT_EQ(Sent("spec: {}", dns, dns, "spec.template.spec.containers[*].ports[*].*"), sent);
}

// The server replaces a nodeSelector as a whole.
TEST(KeepLive, ServerSideKeepsAnAtomicMapAsAWhole) {
  const auto of_pod = [](const std::string& selector) {
    return StrCat("spec: {template: {spec: {restartPolicy: Always, nodeSelector: ", selector, "}}}");
  };
  const std::string path = "spec.template.spec.nodeSelector",
                    rest = R"({"template":{"spec":{"restartPolicy":"Always"}}})";
  const std::string live = of_pod("{a: b, disk: ssd}");
  EXPECT_EQ(Sent("spec: {}", of_pod("{a: b}"), live, path), StrCat(path, ": ", rest));
  EXPECT_EQ(Sent("spec: {}", of_pod("{a: b}"), live, path + ".disk"), StrCat(path, ".disk: ", rest));
  EXPECT_EQ(Sent("spec: {}", of_pod("{a: b, disk: ssd}"), live, path + ".disk"), StrCat(": ", rest));
  EXPECT_EQ(
      Sent("spec: {}", of_pod("{a: c}"), live, path + ".disk"),
      StrCat(path, R"(.disk: {"template":{"spec":{"nodeSelector":{"a":"c","disk":"ssd"},"restartPolicy":"Always"}}})"));
  EXPECT_EQ(Sent("spec: {}", "spec: {paused: true}", live, path + ".disk"), R"(: {"paused":true})");
  // Nothing is left of the map, which live lacks, or which others own.
  const std::string bare = "spec: {template: {spec: {restartPolicy: Always}}}";
  EXPECT_EQ(Sent("spec: {}", of_pod("{a: b}"), bare, path + ".a"), StrCat(path, ".a: ", rest));
  EXPECT_EQ(
      Sent(live, of_pod("{a: b}"), live, path),
      StrCat(path, R"(: {"template":{"spec":{"nodeSelector":{"a":"b","disk":"ssd"},"restartPolicy":"Always"}}})"));
}

}  // namespace
}  // namespace smp
