// Plans: what counts as what was reviewed, and what the file gives away. With a real server: tests/e2e/plan.py.
#include "apply/review.h"

#include <gtest/gtest.h>

#include "apply/prepared_config_map.h"
#include "base/strings.h"

namespace smp::apply {
namespace {

constexpr char kUid[] = "0b5a6c3e-2f0c-4d0e-9d0a-1f2e3d4c5b6a";

const std::string kManifest =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default}\ndata: {k: new}\n";

std::string Live(const std::string& version, const std::string& data, const std::string& uid = "u") {
  return StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","namespace":"default","uid":")", uid,
                R"(","resourceVersion":")", version, R"("},"data":)", data, "}");
}

PlanKey KeyFor(const Manifests& input, std::string_view nonce = "n") { return *PlanKey::Make(kUid, nonce, input); }

Review ReviewOf(const Prepared& prepared, const Manifests& input) {
  PlanFile plan = {"v1", "n", "https://a", "kube-system", KeyFor(input).cluster_id()};
  plan.objects.push_back(PlanOf(prepared, Recreation::kNo, KeyFor(input)));
  return {std::move(plan), KeyFor(input)};
}

TEST(Review, ComparesWhatIsSent) {
  const Manifests input = ParseManifests(kManifest, "m.yaml");
  const Review review = ReviewOf(PreparedConfigMap(kManifest, Live("1", R"({"k":"old"})")), input);
  // The same is written over the same value, whatever else live has.
  for (const char* live : {R"({"k":"old"})", R"({"k":"old","other":"x"})"}) {
    const Status status = review.Check(PreparedConfigMap(kManifest, Live("2", live)));
    EXPECT_TRUE(status.ok()) << live << ": " << status.error().message;
  }
  const Status written = review.Check(PreparedConfigMap(kManifest, Live("2", R"({"k":"theirs"})")));
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().message.find("live has other values"), std::string::npos) << written.error().message;
  const Status gone = review.Check(PreparedConfigMap(kManifest, ""));
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, ErrorCode::kConflict);
  EXPECT_NE(gone.error().message.find("does not exist any more"), std::string::npos);
  const Status another = review.Check(PreparedConfigMap(kManifest, Live("2", R"({"k":"old"})", "another")));
  ASSERT_FALSE(another.ok());
  EXPECT_NE(another.error().message.find("deleted and created again"), std::string::npos);
}

TEST(Review, RefusesAnotherInput) {
  const Manifests input = ParseManifests(kManifest, "m.yaml");
  const Review review = ReviewOf(PreparedConfigMap(kManifest, ""), input);
  EXPECT_TRUE(review.CheckInput(input, "default").ok());
  EXPECT_FALSE(review.CheckInput({}, "default").ok());
  EXPECT_FALSE(review.CheckInput(ParseManifests(StrCat(kManifest, "---\n", kManifest), "m.yaml"), "default").ok());
  EXPECT_FALSE(review.CheckInput(ParseManifests(StrCat(kManifest, "immutable: true\n"), "m.yaml"), "default").ok());
  const Status unreadable = review.CheckInput(ParseManifests("kind: [", "m.yaml"), "default");
  ASSERT_FALSE(unreadable.ok());
  EXPECT_EQ(unreadable.error().code, ErrorCode::kParse);
}

TEST(Review, PrunesAndRecreatesOnlyWhatThePlanDoes) {
  const Manifests input = ParseManifests(kManifest, "m.yaml");
  const kube::ObjectRef ref = {{"", "v1", "ConfigMap"}, "configmaps", "default", "old"};
  PlanFile plan = {"v1", "n", "https://a", "kube-system", "c"};
  const PlanKey key = KeyFor(input);
  plan.objects = {PlanOf(Stale{ref, "u", "7", "version 7"}, key)};
  const Review review(std::move(plan), KeyFor(input));
  EXPECT_TRUE(review.CheckPruned({{ref, "u", "7", "version 7"}}).ok());
  EXPECT_TRUE(review.CheckPruned({}).ok());
  EXPECT_FALSE(review.CheckPruned({{ref, "another", "7", "version 7"}}).ok());
  const Status changed = review.CheckPruned({{ref, "u", "8", "version 8"}});
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().message.find("old (changed since the review)"), std::string::npos)
      << changed.error().message;
  EXPECT_FALSE(review.CheckRecreation(ref).ok());
}

// The key of a plan is made of the uid of a Namespace, which may be in the input.
// Of an object in which reading shows no change.
Prepared ServerSideApply(const std::string& live) {
  Prepared out = PreparedConfigMap(kManifest, live);
  out.desired = out.manifest;
  out.patch = *PlanPatch({.modified = &out.desired.root(),
                          .live = &out.live->root(),
                          .schema = out.schema.get(),
                          .type = out.resource.type});
  out.server_side = {.planning = {.manager = "kubectl"}};
  return out;
}

TEST(Review, ForeseesServerSideAppliesThatRecordFields) {
  const Manifests input = ParseManifests(kManifest, "m.yaml");
  const Prepared unrecorded = ServerSideApply(Live("1", R"({"k":"new"})"));
  const Prepared recorded = ServerSideApply(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","namespace":"default","uid":"u","managedFields":[)"
      R"({"manager":"kubectl","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:k":{}}}}]},"data":{"k":"new"}})");
  EXPECT_TRUE(ReviewOf(unrecorded, input).Foresees(unrecorded));
  EXPECT_FALSE(ReviewOf(recorded, input).Foresees(unrecorded));
}

TEST(Review, ComparesWhatOnlyTheServerShows) {
  const Manifests input = ParseManifests(kManifest, "m.yaml");
  const auto answered = [](const std::string& version, const std::string& data) {
    Prepared out = ServerSideApply(Live(version, R"({"k":"new"})"));
    if (!data.empty()) out.answer = *ParseJson(Live(version, data));
    return out;
  };
  const std::string added = R"({"k":"new","x":"1"})";
  const Review asked = ReviewOf(answered("1", added), input), read = ReviewOf(answered("1", ""), input);
  EXPECT_TRUE(asked.CheckEffect(answered("2", added)).ok());
  EXPECT_FALSE(asked.CheckEffect(answered("2", R"({"k":"new","x":"2"})")).ok());
  const Status unasked = read.CheckEffect(answered("1", added));
  ASSERT_FALSE(unasked.ok());
  EXPECT_EQ(unasked.error().code, ErrorCode::kConflict);
  EXPECT_NE(unasked.error().message.find("/data/x"), std::string::npos) << unasked.error().message;
}

TEST(Review, ThePlanHasNoUidOfANamespace) {
  const kube::ObjectRef ref = {{"", "v1", "Namespace"}, "namespaces", "", "shop"};
  const PlanKey key = KeyFor({});
  const PlannedObject planned = PlanOf(Stale{ref, "the-uid"}, key);
  EXPECT_EQ(planned.uid, key.DigestOfPlan("the-uid"));
}

TEST(PlanFile, IsReadAsItWasWritten) {
  const PlanKey key = KeyFor({});
  PlanFile plan = {"v1", "n", "https://a", "kube-system", key.cluster_id(), {{"force", "true"}}};
  plan.objects = {
      {"apps/v1", "Deployment", "ns", "web", PlannedAction::kRecreate, "u", "m", "r", "o", {"spec.replicas"}}};
  const std::string text = WritePlanFile(plan, key);
  const auto read = ReadPlanFile(text, "p");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(WritePlanFile(*read, key), text);
  EXPECT_EQ(read->digest, key.DigestOfPlan(read->content));
  EXPECT_NE(read->digest, PlanKey::Make("another cluster", "n", {})->DigestOfPlan(read->content));
}

// Every byte but white space counts.
TEST(PlanFile, NoticesEveryChange) {
  const PlanKey key = KeyFor({});
  PlanFile plan = {"v1", "n", "https://a", "kube-system", key.cluster_id()};
  plan.objects = {{"v1", "ConfigMap", "ns", "web", PlannedAction::kCreate, "", "m", "r"}};
  const std::string text = WritePlanFile(plan, key);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' || text[i] == '\n') continue;
    std::string changed = text;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    const auto read = ReadPlanFile(changed, "p");
    EXPECT_TRUE(!read.ok() || read->digest != key.DigestOfPlan(read->content)) << "byte " << i;
  }
}

// Who has the file and the UID must still guess all Secrets of the input at once.
TEST(PlanKey, OfSecretsDependsOnAllSecretsOfTheInput) {
  const std::string one = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {pin: '1'}\n";
  const std::string two = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData: {pin: '2'}\n";
  const Manifests alone = ParseManifests(one, "m.yaml"), both = ParseManifests(one + two, "m.yaml");
  const Value& secret = alone.items.front()->document.root();
  EXPECT_EQ(KeyFor(alone).Digest("x", secret), KeyFor(alone).Digest("x", secret));
  EXPECT_NE(KeyFor(alone).Digest("x", secret), KeyFor(both).Digest("x", secret));
  EXPECT_NE(KeyFor(alone).Digest("x", secret), KeyFor(alone).Digest("x", Value()));
  EXPECT_NE(KeyFor(alone).Digest("x", secret), KeyFor(alone, "m").Digest("x", secret));
}

}  // namespace
}  // namespace smp::apply
