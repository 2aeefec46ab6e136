#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "apply/kind_hints.h"
#include "base/strings.h"
#include "lint/checks.h"
#include "schema/builtin.h"
#include "schema/facts/lifecycle.h"
#include "value/at.h"

namespace smp::lint {

namespace {

const std::vector<GroupVersionKind>& BuiltinKinds() {
  static const std::vector<GroupVersionKind> kKinds = [] {
    std::vector<GroupVersionKind> out;
    for (const auto& [gvk, resource] : BuiltinSchema()->resources()) out.push_back(gvk);
    return out;
  }();
  return kKinds;
}

// Returns true for a group that only Kubernetes itself may have: core, apps, …, and those ending in .k8s.io that it serves.
bool IsBuiltinGroup(std::string_view group) {
  return group.find('.') == std::string_view::npos ||
         std::ranges::any_of(BuiltinKinds(), [&](const GroupVersionKind& gvk) { return gvk.group == group; });
}

std::string Named(const GroupVersionKind& gvk) { return StrCat(gvk.kind, " of ", gvk.ApiVersion()); }

// Returns what takes the place of the kind: what the table says, else a version of the same group that is served.
std::string AdviceOf(const GroupVersionKind& gvk, const Lifecycle& lifecycle, const Release& release) {
  if (const auto successor = SuccessorIn(release, lifecycle)) {
    const bool same_kind = successor->kind == gvk.kind;
    return StrCat("use ", successor->ApiVersion(), same_kind ? "" : StrCat(" ", successor->kind));
  }
  for (const GroupVersionKind& other : BuiltinKinds()) {
    const bool same = other.group == gvk.group && other.kind == gvk.kind && other.version != gvk.version;
    if (same) return StrCat("use ", other.ApiVersion());
  }
  return "nothing takes its place";
}

Said AboutVersion(std::string_view rule, const Object& object) {
  return {.rule = rule, .at = object.root().Find("apiVersion"), .path = {PathStep::Field("apiVersion")}};
}

// Returns true if the version is served until a release, or no longer.
bool SayLifecycle(Sink& sink, const Checking& checking) {
  const Object& object = sink.object();
  const Lifecycle* lifecycle = FindLifecycle(object.gvk);
  if (lifecycle == nullptr || checking.release < lifecycle->deprecated) return false;
  // A server that serves it after all was told to.
  const bool served = object.kind->authority == Authority::kServer;
  const bool removed = !served && lifecycle->removed && *lifecycle->removed <= checking.release;
  Said said = AboutVersion(removed ? "removed-api" : "deprecated-api", object);
  said.message = StrCat(Named(object.gvk), removed ? " is no longer served since Kubernetes " : " is deprecated since ",
                        ToString(removed ? *lifecycle->removed : lifecycle->deprecated));
  if (!removed && lifecycle->removed) {
    said.message += StrCat(", and no longer served from ", ToString(*lifecycle->removed), " on");
  }
  said.advice = AdviceOf(object.gvk, *lifecycle, checking.release);
  sink.Add(std::move(said));
  return true;
}

// What a CRD says of the version.
void SayOfDefinition(Sink& sink) {
  const Object& object = sink.object();
  for (const Value& version : ItemsAt(object.kind->definition->root(), {"spec", "versions"})) {
    if (version.StringOr("name") != object.gvk.version) continue;
    const Value* served = version.Find("served");
    const bool unserved = served != nullptr && served->is_bool() && !served->AsBool();
    if (!unserved && !IsTrueAt(version, {"deprecated"})) continue;
    Said said = AboutVersion(unserved ? "unknown-kind" : "deprecated-api", object);
    said.message = StrCat(Named(object.gvk),
                          unserved ? " is not served: its CRD says served: false" : " is deprecated, as its CRD says");
    said.advice = std::string(version.StringOr("deprecationWarning"));
    sink.Add(std::move(said));
  }
}

}  // namespace

void CheckKind(Sink& sink, const Checking& checking) {
  const Object& object = sink.object();
  if (object.gvk.kind.empty()) return;
  const Authority authority = object.kind->authority;
  if (authority == Authority::kDefinition) return SayOfDefinition(sink);
  if (SayLifecycle(sink, checking) || authority != Authority::kNobody) return;
  const bool builtin = IsBuiltinGroup(object.gvk.group);
  Said said = AboutVersion(builtin ? "unknown-kind" : "no-schema", object);
  if (builtin)
    said.message =
        StrCat("Kubernetes ", ToString(checking.release), " has no ", Named(object.gvk), " that can be applied");
  said.advice = apply::HintForKind(object.gvk, BuiltinKinds());
  if (!builtin) {
    said.message = StrCat("no schema of ", Named(object.gvk), " is known, so its fields were not checked");
    said.advice = "add its CRD to the input, or name it with --schema, or use --from-server";
  }
  sink.Add(std::move(said));
}

}  // namespace smp::lint
