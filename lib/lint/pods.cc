#include "lint/pods.h"

#include <span>
#include <string_view>

namespace smp::lint {

namespace {

constexpr std::string_view kOfCronJob[] = {"spec", "jobTemplate", "spec", "template"};
constexpr std::string_view kOfWorkload[] = {"spec", "template"};
constexpr std::string_view kOfTemplate[] = {"template"};

PodPart PartAt(const Value& root, std::span<const std::string_view> names) {
  PodPart out = {&root, {}};
  for (const std::string_view name : names) {
    out.value = out.value->Find(name);
    if (out.value == nullptr) return {};
    out.path.push_back(PathStep::Field(name));
  }
  return out;
}

}  // namespace

PodPart PodOf(const Object& object) {
  const Value& root = object.root();
  const std::string_view group = object.gvk.group, kind = object.gvk.kind;
  const bool core = group.empty();
  if (core && kind == "Pod") return {&root, {}};
  if (core && kind == "PodTemplate") return PartAt(root, kOfTemplate);
  if (group == "batch" && kind == "CronJob") return PartAt(root, kOfCronJob);
  const bool makes_pods = group == "apps" || group == "batch" || (core && kind == "ReplicationController");
  return makes_pods ? PartAt(root, kOfWorkload) : PodPart{};
}

}  // namespace smp::lint
