// What holds an object, by what its status says; and waiting for it, with a clock of our own.
#include "apply/ready.h"

#include <gtest/gtest.h>

#include "apply/wait_ready.h"
#include "base/fake_clock.h"
#include "base/strings.h"
#include "net/fake_transport.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

// "ready", "not yet: why", "failed: why", "unknown".
std::string Text(const ReadyState& state) {
  switch (state.readiness) {
    case Readiness::kReady: return "ready";
    case Readiness::kNotYet: return "not yet: " + state.reason;
    case Readiness::kFailed: return "failed: " + state.reason;
    case Readiness::kUnknown: return "unknown";
  }
  return "";
}

std::string Of(const std::string& api_version, const std::string& kind, const std::string& rest) {
  const auto object = yaml::ParseYaml(StrCat("apiVersion: ", api_version, "\nkind: ", kind, "\n", rest));
  EXPECT_TRUE(object.ok()) << rest;
  return object.ok() ? Text(ReadyStateOf(object->root())) : "";
}

struct Row {
  std::string_view rest, state;
};

TEST(Ready, Deployment) {
  const Row rows[] = {
      {"metadata: {generation: 1}\nspec: {replicas: 3}", "not yet: its controller has not observed this change yet"},
      {"metadata: {generation: 2}\nspec: {replicas: 3}\nstatus: {observedGeneration: 1, updatedReplicas: 3, replicas: "
       "3, "
       "availableReplicas: 3}",
       "not yet: its controller has not observed this change yet"},
      {"spec: {replicas: 3}\nstatus: {replicas: 3, updatedReplicas: 1, availableReplicas: 3}",
       "not yet: 1 of 3 updated"},
      {"spec: {replicas: 3}\nstatus: {replicas: 5, updatedReplicas: 3}", "not yet: 2 old replicas are still running"},
      {"spec: {replicas: 3}\nstatus: {replicas: 3, updatedReplicas: 3, availableReplicas: 2}",
       "not yet: 2 of 3 available"},
      {"spec: {replicas: 3}\nstatus: {replicas: 3, updatedReplicas: 3, availableReplicas: 3}", "ready"},
      {"spec: {replicas: 0}\nstatus: {}", "ready"},
      {"spec: {}\nstatus: {}", "not yet: 0 of 1 updated"},
      {"spec: {replicas: 1, paused: true}\nstatus: {}", "not yet: 0 of 1 updated (the rollout is paused)"},
      {"spec: {replicas: 1}\nstatus: {conditions: [{type: ReplicaFailure, status: 'True', reason: FailedCreate, "
       "message: "
       "quota}]}",
       "not yet: 0 of 1 updated (FailedCreate: quota)"},
      {"spec: {replicas: 1}\nstatus: {conditions: [{type: Progressing, status: 'False', reason: "
       "ProgressDeadlineExceeded, "
       "message: 'has timed out progressing.'}]}",
       "failed: ProgressDeadlineExceeded: has timed out progressing."},
      {"metadata: {deletionTimestamp: '2026-01-01T00:00:00Z'}\nspec: {replicas: 0}", "not yet: is being deleted"},
  };
  for (const auto& [rest, state] : rows) EXPECT_EQ(Of("apps/v1", "Deployment", std::string(rest)), state) << rest;
}

TEST(Ready, StatefulSetAndDaemonSet) {
  const Row sets[] = {
      {"metadata: {generation: 1}\nspec: {replicas: 2}", "not yet: its controller has not observed this change yet"},
      {"spec: {replicas: 2}\nstatus: {readyReplicas: 1}", "not yet: 1 of 2 ready"},
      {"spec: {replicas: 2}\nstatus: {readyReplicas: 2, updatedReplicas: 1, currentRevision: a, updateRevision: b}",
       "not yet: 1 of 2 updated"},
      {"spec: {replicas: 2}\nstatus: {readyReplicas: 2, updatedReplicas: 2, currentRevision: b, updateRevision: b}",
       "ready"},
      {"spec: {replicas: 2, updateStrategy: {type: OnDelete}}\nstatus: {readyReplicas: 2, currentRevision: a, "
       "updateRevision: b}",
       "ready"},
      {"spec: {replicas: 3, updateStrategy: {rollingUpdate: {partition: 2}}}\nstatus: {readyReplicas: 3, "
       "updatedReplicas: "
       "0, currentRevision: a, updateRevision: b}",
       "not yet: 0 of 1 updated"},
      {"spec: {replicas: 3, updateStrategy: {rollingUpdate: {partition: 2}}}\nstatus: {readyReplicas: 3, "
       "updatedReplicas: "
       "1, currentRevision: a, updateRevision: b}",
       "ready"},
  };
  for (const auto& [rest, state] : sets) EXPECT_EQ(Of("apps/v1", "StatefulSet", std::string(rest)), state) << rest;
  const Row daemons[] = {
      {"metadata: {generation: 1}", "not yet: its controller has not observed this change yet"},
      {"status: {desiredNumberScheduled: 3, updatedNumberScheduled: 2}", "not yet: 2 of 3 updated"},
      {"status: {desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 1}",
       "not yet: 1 of 3 available"},
      {"status: {desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3}", "ready"},
      {"spec: {updateStrategy: {type: OnDelete}}\nstatus: {desiredNumberScheduled: 1, numberAvailable: 1}", "ready"},
  };
  for (const auto& [rest, state] : daemons) EXPECT_EQ(Of("apps/v1", "DaemonSet", std::string(rest)), state) << rest;
}

TEST(Ready, Job) {
  const Row rows[] = {
      {"spec: {completions: 2}\nstatus: {succeeded: 1, failed: 3}", "not yet: 1 of 2 completed, 3 failed"},
      {"spec: {suspend: true}", "not yet: is suspended"},
      {"status: {conditions: [{type: Complete, status: 'True'}]}", "ready"},
      {"status: {conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded, message: too often}]}",
       "failed: BackoffLimitExceeded: too often"},
  };
  for (const auto& [rest, state] : rows) EXPECT_EQ(Of("batch/v1", "Job", std::string(rest)), state) << rest;
}

TEST(Ready, Definition) {
  const Row rows[] = {
      {"metadata: {}", "not yet: is not established"},
      {"status: {conditions: [{type: NamesAccepted, status: 'False', reason: Conflict, message: taken}]}",
       "failed: Conflict: taken"},
      {"status: {conditions: [{type: NamesAccepted, status: 'True'}, {type: Established, status: 'True'}]}", "ready"},
  };
  for (const auto& [rest, state] : rows) {
    EXPECT_EQ(Of("apiextensions.k8s.io/v1", "CustomResourceDefinition", std::string(rest)), state) << rest;
  }
}

TEST(Ready, Pod) {
  const Row rows[] = {
      {"metadata: {}", "not yet: has no status yet"},
      {"status: {phase: Pending}", "not yet: is Pending"},
      {"status: {phase: Succeeded}", "ready"},
      {"status: {phase: Failed, reason: Evicted, message: no memory}", "failed: Evicted: no memory"},
      {"status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}", "ready"},
      {"status: {phase: Running, conditions: [{type: Ready, status: 'False', reason: ContainersNotReady}]}",
       "not yet: ContainersNotReady"},
      {"status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: "
       "0/1 "
       "nodes}]}",
       "not yet: Unschedulable: 0/1 nodes"},
      {"status: {phase: Pending, containerStatuses: [{name: ok, state: {running: {}}}, {name: app, state: {waiting: "
       "{reason: ImagePullBackOff, message: Back-off}}}]}",
       "not yet: container app: ImagePullBackOff: Back-off"},
  };
  for (const auto& [rest, state] : rows) EXPECT_EQ(Of("v1", "Pod", std::string(rest)), state) << rest;
}

TEST(Ready, KindsWithAReadyCondition) {
  const Row rows[] = {
      {"metadata: {generation: 1}", "unknown"},
      {"status: {conditions: [{type: Other, status: 'True'}]}", "unknown"},
      {"status: {conditions: [{type: Ready, status: 'True'}]}", "ready"},
      {"status: {conditions: [{type: Ready, status: 'False', reason: Building, message: step 2}]}",
       "not yet: Building: step 2"},
      {"status: {conditions: [{type: Ready, status: Unknown}]}", "not yet: is not ready"},
      {"metadata: {generation: 2}\nstatus: {observedGeneration: 1, conditions: [{type: Ready, status: 'True'}]}",
       "not yet: its controller has not observed this change yet"},
      {"metadata: {generation: 2}\nstatus: {conditions: [{type: Ready, status: 'True', observedGeneration: 1}]}",
       "not yet: its controller has not observed this change yet"},
      {"metadata: {generation: 2}\nstatus: {conditions: [{type: Ready, status: 'True'}]}", "ready"},
      {"status: {conditions: [{type: Ready, status: 'False'}, {type: Stalled, status: 'True', reason: BadSource}]}",
       "failed: BadSource"},
  };
  for (const auto& [rest, state] : rows) EXPECT_EQ(Of("example.com/v1", "Widget", std::string(rest)), state) << rest;
  EXPECT_EQ(Of("v1", "ConfigMap", "data: {}"), "unknown");
  EXPECT_EQ(Of("v1", "Pod", "status: 7"), "not yet: has no status yet") << "odd objects are no crash";
}

// --- waiting

const kube::ObjectRef kJob = {{"batch", "v1", "Job"}, "jobs", "default", "j"};
const kube::ObjectRef kMap = {{"", "v1", "ConfigMap"}, "configmaps", "default", "m"};
const std::string kGetJob = "GET /apis/batch/v1/namespaces/default/jobs/j";

net::HttpResponse JobAnswer(const std::string& status) {
  return net::Json(200, StrCat(R"({"apiVersion":"batch/v1","kind":"Job","status":)", status, "}"));
}

class Waiting : public testing::Test {
 protected:
  Waiting() {
    script_.On("GET /api/v1/namespaces/default/configmaps/m",
               net::Json(200, R"({"apiVersion":"v1","kind":"ConfigMap"})"));
  }

  std::string Wait(int64_t timeout_ms) {
    WaitOptions options;
    options.timeout_ms = timeout_ms;
    options.changed = [this](const WaitedObject& object) { said_ += Text(object.state) + "\n"; };
    const auto objects = WaitUntilReady(client_, {{.ref = kJob, .uid = uid_}, {.ref = kMap}}, options, clock_);
    EXPECT_EQ(Text(objects[1].state), "unknown");
    return Text(objects[0].state);
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  FakeClock clock_;
  std::string said_, uid_;
};

TEST_F(Waiting, EndsWhenAllAreReady) {
  script_.On(kGetJob, JobAnswer("{}"));
  script_.On(kGetJob, JobAnswer("{}"));
  script_.On(kGetJob, JobAnswer(R"({"failed":1})"));
  script_.On(kGetJob, JobAnswer(R"({"conditions":[{"type":"Complete","status":"True"}]})"));
  EXPECT_EQ(Wait(60'000), "ready");
  EXPECT_EQ(said_, "not yet: 0 of 1 completed\nnot yet: 0 of 1 completed, 1 failed\nready\n");
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/default/configmaps/m"), 1u) << "what is done is not looked at again";
}

TEST_F(Waiting, EndsWhenTheTimeIsOver) {
  script_.On(kGetJob, JobAnswer("{}"));
  EXPECT_EQ(Wait(10'000), "not yet: 0 of 1 completed");
  EXPECT_EQ(clock_.now_ms, 10'000);
  EXPECT_LT(script_.Count(kGetJob), 15u);
  EXPECT_EQ(Wait(0), "not yet: 0 of 1 completed");
}

TEST_F(Waiting, EndsWhenNothingWillHelp) {
  script_.On(kGetJob, JobAnswer(R"({"conditions":[{"type":"Failed","status":"True","reason":"DeadlineExceeded"}]})"));
  EXPECT_EQ(Wait(60'000), "failed: DeadlineExceeded");
  EXPECT_EQ(clock_.now_ms, 0);
}

TEST_F(Waiting, EndsWhenTheObjectIsGoneOrMayNotBeRead) {
  script_.On(kGetJob, net::Json(404, "{}"));
  EXPECT_EQ(Wait(60'000), "failed: was deleted in the meantime");
  script_.answers[kGetJob] = {net::Json(403, "{}")};
  EXPECT_TRUE(Wait(60'000).starts_with("failed: "));
}

TEST_F(Waiting, AnotherObjectOfTheNameIsNotIt) {
  const auto ready_with = [&](const std::string& uid) {
    return net::Json(200, StrCat(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"uid":")", uid,
                                 R"("},"status":{"conditions":[{"type":"Complete","status":"True"}]}})"));
  };
  uid_ = "ours";
  script_.On(kGetJob, ready_with("theirs"));
  EXPECT_EQ(Wait(60'000), "failed: was deleted in the meantime, and another object has its name");
  script_.answers.erase(kGetJob);
  script_.On(kGetJob, ready_with("ours"));
  EXPECT_EQ(Wait(60'000), "ready");
}

TEST(Ready, WithoutCondition) {
  const auto state = [](std::string_view path, std::string_view version = "v1") {
    const auto crd = yaml::ParseYaml(StrCat(
        "spec: {versions: [{name: v1, additionalPrinterColumns: [{name: A, jsonPath: .spec.a}, {name: B, jsonPath: ",
        path, "}]}]}"));
    return Text(StateWithoutCondition(crd->root(), version));
  };
  const std::string waits = "not yet: its controller has not written a Ready condition yet";
  EXPECT_EQ(state(R"('.status.conditions[?(@.type=="Ready")].status')"), waits);
  EXPECT_EQ(state(R"(".status.conditions[?(@.type == 'Ready')].message")"), waits);
  EXPECT_EQ(state(R"('.status.conditions[?(@.type=="Ready")].status')", "v2"), "unknown");
  EXPECT_EQ(state(R"('.status.conditions[?(@.type=="Synced")].status')"), "unknown");
  EXPECT_EQ(state(".status.ready"), "unknown");
}

TEST_F(Waiting, SurvivesABrokenConnection) {
  script_.On(kGetJob, Error::Transport("reset"));
  script_.On(kGetJob, JobAnswer(R"({"conditions":[{"type":"Complete","status":"True"}]})"));
  EXPECT_EQ(Wait(60'000), "ready");
}

TEST_F(Waiting, CanBeInterrupted) {
  clock_.interrupted_at_ms = 0;
  script_.On(kGetJob, JobAnswer("{}"));
  EXPECT_EQ(Wait(60'000), "not yet: 0 of 1 completed");
  EXPECT_EQ(script_.Count(kGetJob), 1u);
}

}  // namespace
}  // namespace smp::apply
