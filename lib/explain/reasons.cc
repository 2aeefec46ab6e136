#include "explain/reasons.h"

#include "base/strings.h"
#include "explain/message.h"
#include "explain/style.h"
#include "explain/text_rows.h"

namespace smp::explain {

namespace {

constexpr std::string_view kApps = "apps/v1", kCore = "v1";

}  // namespace

const std::vector<ReasonExample>& ReasonExamples() {
  static const std::vector<ReasonExample> kExamples = {
      {.reason = Reason::kAdded,
       .api_version = kCore,
       .kind = "ConfigMap",
       .applied = "{data: {a: old}}",
       .manifest = "{data: {a: old, b: new}}",
       .live = "{data: {a: old}}",
       .row = "+ data.b: new"},
      {.reason = Reason::kChanged,
       .api_version = kCore,
       .kind = "ConfigMap",
       .applied = "{data: {a: old}}",
       .manifest = "{data: {a: new}}",
       .live = "{data: {a: old}}",
       .row = "~ data.a: old → new"},
      {.reason = Reason::kConflict,
       .api_version = kApps,
       .kind = "Deployment",
       .applied = "{spec: {replicas: 1}}",
       .manifest = "{spec: {replicas: 2}}",
       .live = "{spec: {replicas: 5}}",
       .row = "~ spec.replicas: 5 → 2"},
      {.reason = Reason::kDrift,
       .api_version = kApps,
       .kind = "Deployment",
       .applied = "{spec: {replicas: 2}}",
       .manifest = "{spec: {replicas: 2}}",
       .live = "{spec: {replicas: 5}}",
       .row = "~ spec.replicas: 5 → 2"},
      {.reason = Reason::kRestored,
       .api_version = kCore,
       .kind = "ConfigMap",
       .applied = "{data: {a: old}}",
       .manifest = "{data: {a: old}}",
       .live = "{data: {}}",
       .row = "+ data.a: old"},
      {.reason = Reason::kOwned,
       .api_version = kApps,
       .kind = "Deployment",
       .applied = "{spec: {}}",
       .manifest = "{spec: {replicas: 2}}",
       .live = "{spec: {replicas: 5}}",
       .row = "~ spec.replicas: 5 → 2"},
      {.reason = Reason::kRemoved,
       .api_version = kCore,
       .kind = "ConfigMap",
       .applied = "{data: {a: old, b: old}}",
       .manifest = "{data: {a: old}}",
       .live = "{data: {a: old, b: old}}",
       .row = "- data.b: old"},
      {.reason = Reason::kRetainKeys,
       .api_version = kApps,
       .kind = "Deployment",
       .applied = "{spec: {}}",
       .manifest = "{spec: {strategy: {type: Recreate}}}",
       .live = "{spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}}",
       .row = "- spec.strategy.rollingUpdate: {maxSurge: 1}"},
      {.reason = Reason::kUnion,
       .api_version = kApps,
       .kind = "StatefulSet",
       .applied = "{spec: {}}",
       .manifest = "{spec: {updateStrategy: {type: OnDelete}}}",
       .live = "{spec: {updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 0}}}}",
       .row = "- spec.updateStrategy.rollingUpdate: {partition: 0}"},
      {.reason = Reason::kDerived,
       .api_version = "networking.k8s.io/v1",
       .kind = "NetworkPolicy",
       .applied = "{spec: {ingress: [{}]}}",
       .manifest = "{spec: {ingress: [{}], egress: [{}]}}",
       .live = "{spec: {ingress: [{}], policyTypes: [Ingress]}}",
       .row = "~ spec.policyTypes: [Ingress] → [Ingress, Egress]"},
      {.reason = Reason::kReordered,
       .api_version = kApps,
       .kind = "Deployment",
       .applied = "{spec: {template: {spec: {containers: [{name: a}, {name: b}]}}}}",
       .manifest = "{spec: {template: {spec: {containers: [{name: b}, {name: a}]}}}}",
       .live = "{spec: {template: {spec: {containers: [{name: a}, {name: b}]}}}}",
       .row = "> spec.template.spec.containers: b before a"},
      {.reason = Reason::kAtomic,
       .api_version = kCore,
       .kind = "Pod",
       .applied = "{spec: {tolerations: [{key: a}]}}",
       .manifest = "{spec: {tolerations: [{key: b}]}}",
       .live = "{spec: {tolerations: [{key: a}, {key: theirs}]}}",
       .row = "~ spec.tolerations: [{key: a}, {key: theirs}] → [{key: b}]"},
      {.reason = Reason::kSetAdded,
       .api_version = kCore,
       .kind = "ConfigMap",
       .applied = "{metadata: {finalizers: [example.com/a]}}",
       .manifest = "{metadata: {finalizers: [example.com/a, example.com/b]}}",
       .live = "{metadata: {finalizers: [example.com/a]}}",
       .row = "+ metadata.finalizers[\"example.com/b\"]"},
      {.reason = Reason::kSetRemoved,
       .api_version = kCore,
       .kind = "ConfigMap",
       .applied = "{metadata: {finalizers: [example.com/a, example.com/b]}}",
       .manifest = "{metadata: {finalizers: [example.com/a]}}",
       .live = "{metadata: {finalizers: [example.com/a, example.com/b]}}",
       .row = "- metadata.finalizers[\"example.com/b\"]"},
      {.reason = Reason::kExplicitNull,
       .api_version = kApps,
       .kind = "Deployment",
       .applied = "{spec: {}}",
       .manifest = "{spec: {paused: null}}",
       .live = "{spec: {paused: true}}",
       .row = "- spec.paused: true"},
      {.reason = Reason::kDuplicate,
       .api_version = kCore,
       .kind = "Service",
       .flags = "--compat=kubectl",
       .applied = "{spec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}}",
       .manifest = "{spec: {ports: [{port: 53, protocol: TCP}]}}",
       .live = "{spec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}}",
       .row = "- spec.ports[port=53,protocol=TCP]"},
      {.reason = Reason::kLiveOnly,
       .api_version = kApps,
       .kind = "Deployment",
       .flags = "--show=live-only",
       .applied = "{spec: {}}",
       .manifest = "{spec: {}}",
       .live = "{spec: {paused: true}}",
       .row = "= spec.paused: true"},
      {.reason = Reason::kKeepLive,
       .api_version = kApps,
       .kind = "Deployment",
       .flags = "--keep-live=spec.replicas",
       .applied = "{spec: {replicas: 2}}",
       .manifest = "{spec: {replicas: 2}}",
       .live = "{spec: {replicas: 5}}",
       .row = "= spec.replicas: 5"},
      {.reason = Reason::kGivenUp,
       .api_version = kApps,
       .kind = "Deployment",
       .flags = "--server-side",
       .applied = "{spec: {paused: true, replicas: 5}}",
       .manifest = "{spec: {paused: true}}",
       .live = "{spec: {paused: true, replicas: 5}}",
       .managed_fields = R"([{manager: kubectl, operation: Apply, apiVersion: apps/v1, fieldsType: FieldsV1,
           fieldsV1: {"f:spec": {"f:paused": {}, "f:replicas": {}}}},
          {manager: scaler, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1,
           fieldsV1: {"f:spec": {"f:replicas": {}}}}])",
       .owners = "kubectl owns both fields, scaler the replicas",
       .row = "= spec.replicas: 5"},
      {.reason = Reason::kServer,
       .api_version = kCore,
       .kind = "Service",
       .applied = "{spec: {type: NodePort}}",
       .manifest = "{spec: {type: ClusterIP}}",
       .live = "{spec: {type: NodePort, externalTrafficPolicy: Cluster}}",
       .row = "- spec.externalTrafficPolicy: Cluster"},
  };
  return kExamples;
}

std::vector<std::string> LinesOf(const ReasonExample& example) {
  std::vector<std::string> lines = {
      StrCat(example.kind, example.flags.empty() ? "" : StrCat(", with ", example.flags)),
      StrCat("applied:  ", example.applied),
      StrCat("manifest: ", example.manifest),
      StrCat("live:     ", example.live),
  };
  if (!example.owners.empty()) lines.push_back(StrCat("          ", example.owners));
  lines.emplace_back(example.row);
  return lines;
}

std::string PrintReasons(const TextOptions& options) {
  std::string out;
  for (const ReasonExample& example : ReasonExamples()) {
    const std::string head = StrCat(ReasonName(example.reason), ": ", MeaningOf(example.reason));
    out += StrCat(out.empty() ? "" : "\n", As(Role::kHeading, PrintWrapped(head, 0, options)));
    for (const std::string& line : LinesOf(example)) {
      const std::string wrapped = PrintWrapped(line, 4, options);
      out += line == example.row ? WithSign(RoleOfSign(line.front()), wrapped) : wrapped;
    }
  }
  return Rendered(out, options.color);
}

}  // namespace smp::explain
