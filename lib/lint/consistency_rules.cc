#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "kube/label_selector.h"
#include "lint/checks.h"
#include "lint/label_selectors.h"
#include "value/at.h"

namespace smp::lint {

namespace {

// Kinds whose selector the server compares with the labels of their template.
constexpr std::string_view kSelecting[] = {"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"};

bool SelectsItsTemplate(const GroupVersionKind& gvk) {
  return (gvk.group == "apps" && std::ranges::find(kSelecting, gvk.kind) != std::end(kSelecting)) ||
         (gvk.group.empty() && gvk.kind == "ReplicationController");
}

}  // namespace

void CheckConsistency(Sink& sink) {
  const Object& object = sink.object();
  const Value* selector = object.root().FindPath({"spec", "selector"});
  const Value* pod = object.root().FindPath({"spec", "template"});
  if (!SelectsItsTemplate(object.gvk) || selector == nullptr || pod == nullptr) return;
  const auto parsed = object.gvk.kind == "ReplicationController" ? SelectorOfLabels(*selector) : SelectorOf(*selector);
  if (!parsed || kube::Matches(*parsed, *pod)) return;
  sink.Add({.rule = "selector",
            .at = selector,
            .path = {PathStep::Field("spec"), PathStep::Field("selector")},
            .mark = Mark::kKey,
            .message = "the selector does not match the labels of the template",
            .advice = "give spec.template.metadata.labels what the selector wants"});
}

}  // namespace smp::lint
