#include "apply/established.h"

#include <algorithm>
#include <cstdint>

#include "apply/ready.h"
#include "base/strings.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int64_t kFirstPollMs = 50, kLongestPollMs = 1000;
constexpr int64_t kLongestMs = 30'000;

void ForgetVersions(const Value& definition, kube::SchemaSource& schemas) {
  for (const Value& version : ItemsAt(definition, {"spec", "versions"})) {
    schemas.Forget(StrCat(TextAt(definition, {"spec", "group"}), "/", version.StringOr("name")));
  }
}

}  // namespace

bool IsDefinition(const GroupVersionKind& gvk) {
  return gvk.group == "apiextensions.k8s.io" && gvk.kind == "CustomResourceDefinition";
}

Status AwaitEstablished(kube::Client& client, kube::SchemaSource& schemas, const kube::ObjectRef& ref, Clock& clock) {
  int64_t pause = kFirstPollMs;
  for (int64_t waited = 0;; waited += pause, pause = std::min(2 * pause, kLongestPollMs)) {
    SMP_ASSIGN(const Document definition, client.Get(ref));
    const Readiness readiness = DefinitionState(definition.root()).readiness;
    if (readiness == Readiness::kReady) {
      ForgetVersions(definition.root(), schemas);
      return Ok();
    }
    Error error{ErrorCode::kServer, "the server does not serve this CRD"};
    if (readiness == Readiness::kFailed) {
      error.message += StrCat(": ", FindCondition(definition.root(), "NamesAccepted")->StringOr("message"));
      return error;
    }
    if (waited >= kLongestMs) {
      error.message += StrCat(" after ", kLongestMs / 1000, " s: it is not established");
      return error;
    }
    if (!clock.SleepMs(pause)) {
      error.message += " yet; interrupted while waiting for it";
      return error;
    }
  }
}

}  // namespace smp::apply
