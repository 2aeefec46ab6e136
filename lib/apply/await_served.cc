#include "apply/await_served.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "apply/ready.h"
#include "base/strings.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int64_t kFirstPollMs = 25, kLongestPollMs = 200;
constexpr int64_t kLongestMs = 30'000;
// A definition may have a megabyte, so its conditions are read only when discovery has not listed the kind by then.
constexpr int64_t kSlowMs = 5'000;

// The document of a group-version is small.
bool IsListed(kube::Client& client, const GroupVersionKind& kind) {
  const Result<Document> resources = client.GetRaw(StrCat("/apis/", kind.ApiVersion()));
  if (!resources.ok()) return false;
  const auto items = ItemsAt(resources->root(), {"resources"});
  return std::any_of(items.begin(), items.end(), [&](const Value& item) { return item.StringOr("kind") == kind.kind; });
}

// Returns why the server will never serve the kind; "" if it may.
std::string WhyNever(const Value& definition) {
  if (DefinitionState(definition).readiness != Readiness::kFailed) return {};
  return std::string(FindCondition(definition, "NamesAccepted")->StringOr("message"));
}

}  // namespace

Status AwaitServed(kube::Client& client, kube::SchemaSource& schemas, const GroupVersionKind& kind,
                   const kube::ObjectRef& definition, Clock& clock) {
  Error error{ErrorCode::kServer,
              StrCat("the server does not serve ", kind.kind, " of ", kind.ApiVersion(), ", which the input brings")};
  int64_t pause = kFirstPollMs;
  bool told = false;
  for (int64_t waited = 0; !IsListed(client, kind); waited += pause, pause = std::min(2 * pause, kLongestPollMs)) {
    if (waited >= kSlowMs && !told && kube::IsDefinition(definition.gvk)) {
      told = true;
      const Result<Document> stored = client.Get(definition);
      if (!stored.ok()) return stored.error();
      if (const std::string why = WhyNever(stored->root()); !why.empty()) {
        error.message += StrCat(": ", why);
        return error;
      }
    }
    if (waited >= kLongestMs) {
      error.message += StrCat(", after ", kLongestMs / 1000, " s");
      return error;
    }
    if (!clock.SleepMs(pause)) {
      error.message += " yet; interrupted while waiting for it";
      return error;
    }
  }
  schemas.Forget(kind.ApiVersion());
  return Ok();
}

}  // namespace smp::apply
