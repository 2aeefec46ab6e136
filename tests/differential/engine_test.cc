// The engine against Go's own code, on random objects of real kinds. Seeds are fresh each run and printed; SMP_SEED=N
// repeats one.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "base/strings.h"
#include "compat/compat.h"
#include "differential/oracle.h"
#include "differential/random_object.h"
#include "differential/three_way_rule.h"
#include "schema/builtin.h"
#include "smp/dump_plan.h"
#include "smp/merge.h"
#include "smp/smp.h"
#include "value/json.h"

namespace smp {
namespace {

const GroupVersionKind kKinds[] = {
    {"apps", "v1", "Deployment"},
    {"apps", "v1", "StatefulSet"},
    {"apps", "v1", "DaemonSet"},
    {"", "v1", "Pod"},
    {"", "v1", "Service"},
    {"", "v1", "ServiceAccount"},
    {"", "v1", "PersistentVolume"},
    {"", "v1", "Node"},
    {"", "v1", "ConfigMap"},
    {"", "v1", "Secret"},
    {"batch", "v1", "CronJob"},
    {"networking.k8s.io", "v1", "Ingress"},
    {"networking.k8s.io", "v1", "NetworkPolicy"},
    {"rbac.authorization.k8s.io", "v1", "ClusterRole"},
    {"autoscaling", "v2", "HorizontalPodAutoscaler"},
    {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"},
};

size_t Cases() { return CasesOr(20000); }

struct Triple {
  const Resource* resource;
  Document original, modified, live;
};

Triple MakeTriple(const Schema& schema, RandomOptions options, uint64_t seed) {
  RandomObject random(schema, options, seed);
  Triple out;
  out.resource = schema.FindResource(kKinds[random.Below(std::size(kKinds))]);
  const auto document = [](auto make) {
    Arena arena;
    const Value root = make(arena);
    return Document(std::move(arena), root);
  };
  out.original = document([&](Arena& arena) { return random.Make(*out.resource, arena); });
  const auto mutated = [&](const Document& from) {
    return document([&](Arena& arena) {
      arena.Retain(from);
      return random.Mutate(from.root(), *out.resource, arena);
    });
  };
  out.modified = mutated(out.original);
  out.live = mutated(random.Chance(70) ? out.original : out.modified);
  return out;
}

std::string Gvk(const Resource& resource) { return StrCat(resource.gvk.ApiVersion(), "/", resource.gvk.kind); }

std::string MergeRequest(const Triple& t, const Value& patch) {
  return StrCat(R"({"op":"merge","gvk":")", Gvk(*t.resource), R"(","target":)", WriteJson(t.live.root()),
                R"(,"patch":)", WriteJson(patch), "}");
}

class Engine : public testing::Test {
 protected:
  const uint64_t seed_ = Seed();
  const std::shared_ptr<const Schema> schema_ = BuiltinSchema();

  void SetUp() override { std::cout << "SMP_SEED=" << seed_ << "\n"; }
};

// Promise 1: what the server makes of our patch is what was decided. The judge is Go's merge.
TEST_F(Engine, GoMergesOurPatchesToTheOutcome) {
  std::vector<Triple> triples;
  std::vector<VerifiedPatch> patches;
  std::vector<std::string> requests;
  for (size_t i = 0; i < Cases(); ++i) {
    Triple t = MakeTriple(*schema_, {.duplicate_keys = i % 10 == 0, .nulls = i % 4 == 0}, seed_ + i);
    auto patch = PlanPatch({&t.original.root(), &t.modified.root(), &t.live.root(), schema_.get(), t.resource->type});
    ASSERT_TRUE(patch.ok()) << ToString(patch.error()) << "\n" << WriteJson(t.modified.root());
    if (patch->empty() || patch->format != PatchFormat::kStrategic) continue;
    requests.push_back(MergeRequest(t, patch->body.root()));
    triples.push_back(std::move(t));
    patches.push_back(*std::move(patch));
  }
  const auto answers = AskOracle(requests);
  for (size_t i = 0; i < answers.size(); ++i) {
    ASSERT_NE(answers[i].value, nullptr) << answers[i].error << "\n" << requests[i];
    const auto text = [&](const Value& object) { return CanonicalText(object, *schema_, triples[i].resource->type); };
    EXPECT_EQ(text(*answers[i].value), text(patches[i].outcome.root()))
        << requests[i] << "\nours: " << WriteJson(patches[i].outcome.root())
        << "\nGo's: " << WriteJson(*answers[i].value);
    if (HasFailure()) return;
  }
  std::cout << answers.size() << " patches merged by Go as decided\n";
}

TEST_F(Engine, HasNothingToDoOnItsOwnOutcome) {
  for (size_t i = 0; i < Cases(); ++i) {
    const Triple t = MakeTriple(*schema_, {.duplicate_keys = i % 10 == 0, .nulls = i % 4 == 0}, seed_ + i);
    DiffInput input = {&t.original.root(), &t.modified.root(), &t.live.root(), schema_.get(), t.resource->type};
    const auto first = PlanPatch(input);
    ASSERT_TRUE(first.ok()) << ToString(first.error());
    input.original = &t.modified.root();
    input.live = &first->outcome.root();
    const auto second = PlanPatch(input);
    ASSERT_TRUE(second.ok()) << ToString(second.error());
    ASSERT_FALSE(second->plan.changed()) << "seed " << seed_ + i << "\n" << Dump(second->plan);
  }
}

struct CompatCase {
  Triple triple;
  std::string request;
  Result<Value> ours = Value();
  Arena arena;
};

enum class Op { kThreeWay, kKeepOthers, kFirstApply, kTwoWay, kJsonMerge };

std::string CompatRequest(const Triple& t, Op op) {
  const std::string_view name = op == Op::kTwoWay ? "two-way" : op == Op::kJsonMerge ? "json-merge" : "three-way";
  std::string out =
      StrCat(R"({"op":")", name, R"(","gvk":")", Gvk(*t.resource), R"(","modified":)", WriteJson(t.modified.root()));
  if (op != Op::kFirstApply) out += StrCat(R"(,"original":)", WriteJson(t.original.root()));
  if (op != Op::kTwoWay) out += StrCat(R"(,"live":)", WriteJson(t.live.root()));
  if (op == Op::kKeepOthers) out += R"(,"overwrite":false)";
  return out + "}";
}

Result<Value> OurAnswer(const Triple& t, Op op, const Schema& schema, Arena& arena) {
  const DiffInput in = {op == Op::kFirstApply ? nullptr : &t.original.root(), &t.modified.root(), &t.live.root(),
                        &schema, t.resource->type};
  switch (op) {
    case Op::kTwoWay: return compat::KubectlTwoWayPatch(in, arena);
    case Op::kJsonMerge: return compat::KubectlJsonMergePatch(in, arena);
    case Op::kKeepOthers: return compat::KubectlThreeWayPatch(in, compat::Overwrite::kNo, arena);
    case Op::kThreeWay:
    case Op::kFirstApply: return compat::KubectlThreeWayPatch(in, compat::Overwrite::kYes, arena);
  }
  return Error::Internal("no such op");
}

// Cases that have no right answer to equal, by reason.
struct Excused {
  size_t panics = 0, random = 0, odd_keys = 0;
};

std::ostream& operator<<(std::ostream& out, const Excused& excused) {
  return out << "excused: " << excused.panics << " where Go panics, " << excused.random
             << " where it answers at random, " << excused.odd_keys << " with a map or list as key";
}

// Counts the request where Go panics at least once, or gives several answers.
bool HasNoOneAnswer(const std::string& request, Excused& excused) {
  const auto answers = AskOracle(std::vector<std::string>(40, request));
  const auto text = [](const OracleAnswer& a) { return a.value != nullptr ? WriteJson(*a.value) : "error"; };
  const auto panicked = [](const OracleAnswer& a) { return a.panicked; };
  const auto differs = [&](const OracleAnswer& a) { return text(a) != text(answers[0]); };
  if (std::any_of(answers.begin(), answers.end(), panicked)) return ++excused.panics, true;
  if (std::any_of(answers.begin(), answers.end(), differs)) return ++excused.random, true;
  return false;
}

// More would hide what is to be tested.
void ExpectFew(const Excused& excused, size_t cases) {
  EXPECT_LT(excused.panics, cases / 200 + 10);
  EXPECT_LT(excused.random, cases / 1000 + 10);
  EXPECT_LT(excused.odd_keys, cases / 150 + 10);
}

// Promise 3: --compat=kubectl makes the patches that kubectl makes, and refuses what it refuses.
TEST_F(Engine, MakesTheSamePatchesAsKubectl) {
  std::vector<CompatCase> cases(Cases());
  std::vector<std::string> requests;
  for (size_t i = 0; i < cases.size(); ++i) {
    CompatCase& c = cases[i];
    const Op op = static_cast<Op>(i % 5);
    const RandomOptions options = {.duplicate_keys = i % 7 == 0 && op != Op::kJsonMerge, .nulls = i % 3 == 0};
    c.triple = MakeTriple(*schema_, options, seed_ + i);
    c.request = CompatRequest(c.triple, op);
    c.ours = OurAnswer(c.triple, op, *schema_, c.arena);
    requests.push_back(c.request);
  }
  const auto answers = AskOracle(requests);
  size_t equal = 0, refused = 0;
  Excused excused;
  for (size_t i = 0; i < answers.size(); ++i) {
    const CompatCase& c = cases[i];
    const std::string ours = c.ours.ok() ? WriteJson(*c.ours) : "refused: " + ToString(c.ours.error());
    const std::string theirs =
        answers[i].value != nullptr ? WriteJson(*answers[i].value) : "refused: " + answers[i].error;
    excused.panics += answers[i].panicked ? 1 : 0;
    const bool both_refuse = !c.ours.ok() && answers[i].value == nullptr;
    if (answers[i].panicked || (!both_refuse && ours != theirs && HasNoOneAnswer(c.request, excused))) continue;
    ASSERT_EQ(c.ours.ok(), answers[i].value != nullptr) << c.request << "\nGo:   " << theirs << "\nours: " << ours;
    if (c.ours.ok()) {
      ASSERT_EQ(ours, theirs) << c.request;
    }
    ++(c.ours.ok() ? equal : refused);
  }
  std::cout << equal << " patches equal, " << refused << " refused by both, " << excused << "\n";
  EXPECT_GT(equal, cases.size() / 2);
  ExpectFew(excused, cases.size());
}

struct MergeCase {
  const Triple* triple;
  Document patch;
};

// The merge itself, on the patches that kubectl would make; two of three are damaged.
TEST_F(Engine, MergesAsGoDoes) {
  const auto Damaged = [&](const Value& patch, size_t i) {
    Arena arena;
    RandomObject random(*schema_, {}, seed_ + i);
    Value root = i % 3 == 0 ? patch : random.Damage(patch, arena);
    const auto own = ParseJson(WriteJson(root));  // the oracle's answers go
    return *own;
  };
  std::vector<Triple> triples;
  std::vector<std::string> creations;
  for (size_t i = 0; i < Cases(); ++i) {
    triples.push_back(MakeTriple(*schema_, {.duplicate_keys = i % 10 == 0, .nulls = i % 4 == 0}, seed_ + i));
    const Triple& t = triples.back();
    creations.push_back(StrCat(R"({"op":"three-way","gvk":")", Gvk(*t.resource), R"(","original":)",
                               WriteJson(t.original.root()), R"(,"modified":)", WriteJson(t.modified.root()),
                               R"(,"live":)", WriteJson(t.live.root()), "}"));
  }
  const auto created = AskOracle(creations);
  std::vector<MergeCase> merges;
  std::vector<std::string> requests;
  for (size_t i = 0; i < created.size(); ++i) {
    if (created[i].value == nullptr) continue;
    merges.push_back({&triples[i], Damaged(*created[i].value, i)});
    requests.push_back(MergeRequest(triples[i], merges.back().patch.root()));
  }
  const auto merged = AskOracle(requests);
  size_t equal = 0, refused = 0;
  Excused excused;
  for (size_t i = 0; i < merged.size(); ++i) {
    Arena arena;
    const auto ours =
        Merge(merges[i].triple->live.root(), merges[i].patch.root(), *schema_, merges[i].triple->resource->type, arena);
    const std::string mine = ours.ok() ? WriteJson(*ours) : "refused: " + ToString(ours.error());
    const std::string theirs = merged[i].value != nullptr ? WriteJson(*merged[i].value) : "refused: " + merged[i].error;
    const bool both_refuse = !ours.ok() && merged[i].value == nullptr;
    // A map or list as key: Go panics when two such meet and calls them unequal otherwise; we refuse them always.
    const bool odd_key =
        !ours.ok() && ours.error().message.find("merged by strings, numbers and booleans") != std::string::npos;
    excused.panics += merged[i].panicked ? 1 : 0;
    excused.odd_keys += !merged[i].panicked && odd_key ? 1 : 0;
    if (merged[i].panicked || odd_key || (!both_refuse && mine != theirs && HasNoOneAnswer(requests[i], excused))) {
      continue;
    }
    if (!both_refuse) {
      ASSERT_EQ(mine, theirs) << requests[i];
    }
    ++(both_refuse ? refused : equal);
  }
  std::cout << equal << " merges equal, " << refused << " refused by both, " << excused << "\n";
  EXPECT_GT(equal, Cases() / 4);
  ExpectFew(excused, merged.size());
}

}  // namespace
}  // namespace smp
