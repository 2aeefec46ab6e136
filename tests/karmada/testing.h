// What the tests of overrides share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "karmada/override.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::karmada {

inline Document Yaml(std::string_view text, const std::string& name = "") {
  auto document = yaml::ParseYaml(text, name);
  EXPECT_TRUE(document.ok()) << ToString(document.error()) << "\n" << text;
  return document.ok() ? *document : Document();
}

// Policies of a text with several documents, which stands in policy.yaml. One that is wrong is an error of all.
inline Result<std::vector<OverridePolicy>> Policies(std::string_view text) {
  std::vector<OverridePolicy> out;
  for (const auto& item : yaml::ParseYamlFile(text, "policy.yaml").items) {
    if (!item.document.ok()) return item.document.error();
    SMP_ASSIGN(OverridePolicy policy, ReadOverridePolicy(*item.document, item.document->root(), "default"));
    out.push_back(std::move(policy));
  }
  return out;
}

// A policy of the namespace default for everything, with these overriders.
inline std::string PolicyWith(std::string_view overriders) {
  std::string out =
      "apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\nmetadata: {name: p}\nspec:\n"
      "  overrideRules:\n  - overriders:\n";
  for (size_t at = 0; at < overriders.size();) {
    const size_t end = std::min(overriders.find('\n', at), overriders.size());
    out += "      " + std::string(overriders.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

inline Result<Overridden> Override(const Document& object, std::string_view policies, const MemberCluster& cluster = {},
                                   Record record = Record::kSteps) {
  SMP_ASSIGN(const std::vector<OverridePolicy> read, Policies(policies));
  return ApplyPolicies(object, "default", read, cluster, record);
}

// The object afterwards as JSON, or the error.
inline std::string Outcome(std::string_view object, std::string_view policies, const MemberCluster& cluster = {}) {
  const auto done = Override(Yaml(object, "object.yaml"), policies, cluster);
  return done.ok() ? WriteJson(done->object.root()) : "error: " + ToString(done.error());
}

}  // namespace smp::karmada
