#include "apply/kind_hints.h"

#include <algorithm>
#include <utility>

#include "apply/await_served.h"
#include "apply/input_definitions.h"
#include "base/name_some.h"
#include "base/spelling.h"
#include "base/strings.h"
#include "kube/resource_mapper.h"
#include "kube/schema_source.h"
#include "kube/status_error.h"
#include "schema/facts/lifecycle.h"

namespace smp::apply {

namespace {

constexpr size_t kMostVersions = 3;
constexpr const char* kListedOnly =
    "the server lists it, but its path is answered with 404; is there a proxy in between?";

bool IsUnknownKind(const Error& error) {
  return error.code == ErrorCode::kNotFound && error.message.ends_with(kube::kEnsureCrds);
}

// Returns "Kubernetes 1.25 removed it" for a kind that older releases served.
std::string HintOfRemoval(const GroupVersionKind& gvk) {
  const Lifecycle* lifecycle = FindLifecycle(gvk);
  if (lifecycle == nullptr || !lifecycle->removed) return {};
  return StrCat("Kubernetes ", ToString(*lifecycle->removed), " removed it");
}

}  // namespace

std::string HintForKind(const GroupVersionKind& gvk, const std::vector<GroupVersionKind>& served) {
  if (std::ranges::find(served, gvk) != served.end()) return kListedOnly;
  std::vector<std::string> versions, elsewhere, kinds;
  for (const GroupVersionKind& other : served) {
    if (other.kind == gvk.kind) (other.group == gvk.group ? versions : elsewhere).push_back(other.ApiVersion());
    if (other.group == gvk.group && other.version == gvk.version) kinds.push_back(other.kind);
  }
  if (versions.empty()) versions = std::move(elsewhere);
  if (!versions.empty()) return StrCat(gvk.kind, " is in ", NameSome(std::move(versions), kMostVersions));
  if (kinds.empty()) {
    for (const GroupVersionKind& other : served) kinds.push_back(other.kind);
  }
  for (const std::string& kind : SpelledLike(gvk.kind, kinds)) {
    const auto at = std::ranges::find_if(served, [&](const GroupVersionKind& other) { return other.kind == kind; });
    const bool same_version = at->ApiVersion() == gvk.ApiVersion();
    return StrCat("did you mean \"", kind, "\"", same_version ? "" : StrCat(" of ", at->ApiVersion()), "?");
  }
  return {};
}

void KindHints::AddFailed(const Manifest& definition) {
  Manifests alone;
  alone.items.emplace_back(definition);
  const std::lock_guard lock(mutex_);
  for (const auto& [gvk, schema] : DefinitionsOf(alone).kinds) {
    failed_.emplace(gvk, Label(definition.gvk, definition.name));
  }
}

// REQUIRES: mutex_ is locked.
const std::vector<GroupVersionKind>& KindHints::Served() {
  if (std::exchange(read_, true)) return served_;
  kube::ResourceMapper mapper(&client_);
  const auto resources = mapper.All();
  if (!resources.ok()) return served_;
  for (const kube::ServedResource& resource : *resources) served_.push_back(resource.resource.gvk);
  return served_;
}

std::string KindHints::FailedDefinition(const GroupVersionKind& gvk) {
  const std::lock_guard lock(mutex_);
  const auto at = failed_.find(gvk);
  return at == failed_.end() ? "" : StrCat("its definition failed above: ", at->second);
}

std::string KindHints::OtherKind(const GroupVersionKind& gvk) {
  const std::lock_guard lock(mutex_);
  return HintForKind(gvk, Served());
}

Error KindHints::Explained(Error error, const GroupVersionKind& gvk) {
  if (error.reason == kube::kNoSuchPath) error.message = kube::NoMatches(gvk).message;
  if (!IsUnknownKind(error)) return error;
  std::string hint = FailedDefinition(gvk);
  if (hint.empty()) {
    hint = OtherKind(gvk);
    if (!hint.empty()) error.code = ErrorCode::kSchema;
  }
  if (hint.empty()) hint = HintOfRemoval(gvk);
  if (hint.empty()) return error;
  error.message.resize(error.message.size() - kube::kEnsureCrds.size());
  error.message += StrCat("\n", hint);
  return error;
}

}  // namespace smp::apply
