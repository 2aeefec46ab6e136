#include "karmada/member_cluster.h"

#include "base/strings.h"
#include "karmada/policy_reader.h"

namespace smp::karmada {

namespace {

// Reads region, provider and zones, which are in the same map in both formats.
Result<MemberCluster> ReadFacts(PolicyReader& facts) {
  MemberCluster out;
  SMP_ASSIGN(out.provider, facts.Text("provider"));
  SMP_ASSIGN(out.region, facts.Text("region"));
  SMP_ASSIGN(out.zones, facts.Texts("zones"));
  return out;
}

}  // namespace

Result<MemberCluster> ReadCluster(const Value& cluster) {
  const Document nowhere;
  SMP_ASSIGN(PolicyReader reader, PolicyReader::Open(cluster, "", nowhere));
  if (cluster.StringOr("kind") != "Cluster" || !cluster.StringOr("apiVersion").starts_with("cluster.karmada.io/")) {
    return reader.Wrong("is not a Cluster of cluster.karmada.io");
  }
  SMP_ASSIGN(std::optional<PolicyReader> metadata, reader.Map("metadata"));
  if (!metadata) return reader.Wrong("metadata is required");
  SMP_ASSIGN(std::optional<PolicyReader> spec, reader.Map("spec"));
  MemberCluster out;
  out.provider = out.region = "";
  out.zones.emplace();
  if (spec) {
    SMP_ASSIGN(out, ReadFacts(*spec));
    SMP_ASSIGN(const std::string zone, spec->Text("zone"));  // deprecated form of zones
    if (out.zones->empty() && !zone.empty()) out.zones = {zone};
  }
  SMP_ASSIGN(out.name, metadata->RequiredText("name"));
  SMP_ASSIGN(out.labels, metadata->TextMap("labels"));
  return out;
}

Result<MemberCluster> ReadClusterFacts(const Value& facts) {
  const Document nowhere;
  SMP_ASSIGN(PolicyReader reader, PolicyReader::Open(facts, "cluster", nowhere));
  SMP_ASSIGN(MemberCluster out, ReadFacts(reader));
  SMP_ASSIGN(out.name, reader.RequiredText("name"));
  SMP_ASSIGN(out.labels, reader.TextMap("labels"));
  SMP_TRY(reader.RefuseUnknown());
  return out;
}

}  // namespace smp::karmada
