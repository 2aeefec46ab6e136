#include "apply/established.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "apply/conditions.h"
#include "base/strings.h"

namespace smp {

namespace {

constexpr int64_t kFirstPollMs = 50, kLongestPollMs = 1000;
constexpr int64_t kLongestMs = 30'000;

void ForgetVersions(const Value& definition, SchemaSource& schemas) {
  const Value* versions = definition.FindPath({"spec", "versions"});
  const Value* spec = definition.Find("spec");
  if (versions == nullptr || !versions->is_array()) return;
  for (const Value& version : versions->Items()) {
    schemas.Forget(StrCat(spec->StringOr("group"), "/", version.StringOr("name")));
  }
}

}  // namespace

bool IsDefinition(const GroupVersionKind& gvk) {
  return gvk.group == "apiextensions.k8s.io" && gvk.kind == "CustomResourceDefinition";
}

Status AwaitEstablished(Client& client, SchemaSource& schemas, const ObjectRef& ref, Clock& clock) {
  int64_t pause = kFirstPollMs;
  for (int64_t waited = 0;; waited += pause, pause = std::min(2 * pause, kLongestPollMs)) {
    SMP_ASSIGN(const Document definition, client.Get(ref));
    const Value* names = FindCondition(definition.root(), "NamesAccepted");
    if (HasStatus(names, "True") && HasStatus(FindCondition(definition.root(), "Established"), "True")) {
      ForgetVersions(definition.root(), schemas);
      return Ok();
    }
    Error error{ErrorCode::kServer, "the server does not serve this definition"};
    if (HasStatus(names, "False")) {
      error.message += StrCat(": ", names->StringOr("message"));
      return error;
    }
    if (waited >= kLongestMs) {
      error.message += StrCat(" after ", kLongestMs / 1000, " s: it is not Established");
      return error;
    }
    if (!clock.SleepMs(pause)) {
      error.message += " yet, and it was interrupted while waiting for it";
      return error;
    }
  }
}

}  // namespace smp
