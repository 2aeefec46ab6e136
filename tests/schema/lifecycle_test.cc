#include "schema/facts/lifecycle.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/facts/fact_lines.h"
#include "tests_dir.h"

namespace smp {
namespace {

constexpr Release kNow = {1, 36};

std::string Successor(const GroupVersionKind& gvk, const Release& release) {
  const Lifecycle* lifecycle = FindLifecycle(gvk);
  if (lifecycle == nullptr) return "unknown";
  const auto successor = SuccessorIn(release, *lifecycle);
  return successor ? StrCat(successor->ApiVersion(), "/", successor->kind) : "none";
}

TEST(Lifecycle, KnowsWhenAVersionGoesAndWhatFollows) {
  const Lifecycle* budget = FindLifecycle({"policy", "v1beta1", "PodDisruptionBudget"});
  ASSERT_NE(budget, nullptr);
  EXPECT_EQ(ToString(budget->deprecated), "1.21");
  EXPECT_EQ(ToString(*budget->removed), "1.25");
  EXPECT_EQ(Successor({"policy", "v1beta1", "PodDisruptionBudget"}, kNow), "policy/v1/PodDisruptionBudget");
  EXPECT_EQ(FindLifecycle({"apps", "v1", "Deployment"}), nullptr);
  EXPECT_EQ(Successor({"policy", "v1beta1", "PodSecurityPolicy"}, kNow), "none");
}

// The successor that extensions/v1beta1 states was removed, too.
TEST(Lifecycle, FollowsSuccessorsToOneThatIsServed) {
  const GroupVersionKind ingress = {"extensions", "v1beta1", "Ingress"};
  EXPECT_EQ(Successor(ingress, {1, 18}), "networking.k8s.io/v1/Ingress");
  EXPECT_EQ(Successor(ingress, kNow), "networking.k8s.io/v1/Ingress");
  EXPECT_EQ(Successor({"autoscaling", "v2beta1", "HorizontalPodAutoscaler"}, {1, 22}),
            "autoscaling/v2/HorizontalPodAutoscaler");
}

std::vector<GroupVersionKind> KindsInFile() {
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/lifecycle.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::vector<GroupVersionKind> out;
  for (const FactLine& line : FactLines(text)) {
    const auto words = Split(line.text, ' ');
    EXPECT_EQ(words.size(), 6u) << line.text;
    out.push_back(*ParseGvk(StrCat(words[0], "/", words[1])));
  }
  return out;
}

// The built-in schema has only kinds whose objects can be read.
bool IsOnlyCreated(std::string_view kind) {
  return kind.ends_with("Review") || kind == "Scale" || kind == "Eviction" || kind == "DeploymentRollback";
}

// The table is for the release that the built-in schema is of: what it says is removed has no schema, and what takes its place
// has one.
TEST(Lifecycle, AgreesWithTheBuiltInSchema) {
  EXPECT_EQ(BuiltinSchema()->release().value_or(kNow), kNow) << "generate writes both";
  const auto kinds = KindsInFile();
  EXPECT_GT(kinds.size(), 100u);
  for (const GroupVersionKind& gvk : kinds) {
    SCOPED_TRACE(StrCat(gvk.ApiVersion(), " ", gvk.kind));
    const Lifecycle* lifecycle = FindLifecycle(gvk);
    ASSERT_NE(lifecycle, nullptr);
    EXPECT_TRUE(lifecycle->introduced < lifecycle->deprecated || lifecycle->introduced == lifecycle->deprecated);
    const bool removed = lifecycle->removed && (*lifecycle->removed < kNow || *lifecycle->removed == kNow);
    if (!removed) continue;
    EXPECT_EQ(BuiltinSchema()->FindResource(gvk), nullptr);
    const auto successor = SuccessorIn(kNow, *lifecycle);
    if (!successor || IsOnlyCreated(successor->kind)) continue;
    EXPECT_NE(BuiltinSchema()->FindResource(*successor), nullptr) << successor->ApiVersion() << " " << successor->kind;
  }
}

}  // namespace
}  // namespace smp
