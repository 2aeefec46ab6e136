// An object and policies that nobody made for each other, the documents of one YAML text: what is read is applied or an
// error, always the same, and every step can be explained.
#include "fuzz/check.h"
#include "karmada/explanation.h"
#include "karmada/override.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

using namespace smp;

namespace {

std::string Outcome(const Document& object, const std::vector<karmada::OverridePolicy>& policies,
                    karmada::Record record) {
  const karmada::MemberCluster cluster = {"member1", std::map<std::string, std::string>(), "", "eu",
                                          std::vector<std::string>()};
  const auto done = karmada::ApplyPolicies(object, "default", policies, cluster, record);
  if (!done.ok()) return ToString(done.error());
  (void)karmada::ExplainSteps(*done, karmada::Secrets::kMask);
  karmada::Origins origins(*done);
  for (const karmada::TouchedPath& touched : done->touched) {
    Check(origins.Of(touched.path).has_value(), "what was touched has an origin", ToString(touched.path));
  }
  return WriteJson(done->object.root());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const yaml::YamlFile file = yaml::ParseYamlFile(TextOf(data, size), "policy.yaml");
  std::vector<karmada::OverridePolicy> policies;
  for (size_t i = 1; i < file.items.size(); ++i) {
    if (!file.items[i].document.ok()) continue;
    const Document& document = *file.items[i].document;
    auto policy = karmada::ReadOverridePolicy(document, document.root(), "default");
    if (policy.ok()) policies.push_back(*std::move(policy));
  }
  if (file.items.empty() || !file.items[0].document.ok()) return 0;
  const Document& object = *file.items[0].document;
  const std::string outcome = Outcome(object, policies, karmada::Record::kSteps);
  Check(Outcome(object, policies, karmada::Record::kChanges) == outcome, "explaining changes nothing", outcome);
  return 0;
}
