#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spelling.h"
#include "base/strings.h"
#include "lint/checks.h"
#include "lint/pods.h"
#include "value/at.h"
#include "value/formats.h"
#include "value/json.h"

namespace smp::lint {

namespace {

FieldPath Under(FieldPath path, std::initializer_list<PathStep> steps) {
  path.insert(path.end(), steps);
  return path;
}

PathStep StepOf(const Value& item, size_t index) {
  PathStep by_name = item.is_object() ? KeyStep(item, {"name"}) : PathStep();
  return by_name.keys.empty() ? PathStep::Index(static_cast<int64_t>(index)) : by_name;
}

// Calls visit(item, path) for the items of a list.
template <class Visit>
void ForEachItem(const Value& map, std::string_view list, const FieldPath& path, Visit visit) {
  const std::span<const Value> items = ItemsAt(map, {list});
  for (size_t i = 0; i < items.size(); ++i) {
    visit(items[i], Under(path, {PathStep::Field(list), StepOf(items[i], i)}));
  }
}

// Says of the second of two items that have the same name that the server takes only one of them.
class Names {
 public:
  Names(Sink& sink, std::string_view noun) : sink_(sink), noun_(noun) {}

  void Add(const Value& item, const FieldPath& path) {
    const Value* name = item.Find("name");
    if (name == nullptr || !name->is_string() || name->empty()) return;
    const auto [at, is_new] = first_.try_emplace(name->AsString(), name);
    if (is_new) return;
    sink_.Add({.rule = "duplicate-item",
               .at = name,
               .path = Under(path, {PathStep::Field("name")}),
               .message = StrCat("the ", noun_, " ", WriteJson(*name), " is also on line ",
                                 sink_.object().document.LineOf(at->second), "; the server accepts only one"),
               .advice = "rename one of them"});
  }

 private:
  Sink& sink_;
  const std::string_view noun_;
  std::map<std::string_view, const Value*> first_;
};

// --- Pods

class PodCheck {
 public:
  PodCheck(Sink& sink, const Value& spec, FieldPath path) : sink_(sink), spec_(spec), path_(std::move(path)) {}

  void Check() {
    CheckRestarts();
    FindVolumes();
    Names names(sink_, "name of a container");
    for (const char* list : {"initContainers", "containers"}) {
      std::set<std::string_view> here;  // in one list, another rule sees it
      ForEachItem(spec_, list, path_, [&](const Value& container, const FieldPath& path) {
        if (here.insert(container.StringOr("name")).second) names.Add(container, path);
        CheckContainer(container, path);
      });
    }
  }

 private:
  void FindVolumes() {
    for (const Value& volume : ItemsAt(spec_, {"volumes"})) volumes_.emplace_back(volume.StringOr("name"));
    for (const Value& claim : ItemsAt(sink_.object().root(), {"spec", "volumeClaimTemplates"})) {
      volumes_.emplace_back(TextAt(claim, {"metadata", "name"}));
    }
  }

  void CheckContainer(const Value& container, const FieldPath& path) {
    for (const char* list : {"volumeMounts", "volumeDevices"}) {
      ForEachItem(container, list, path, [&](const Value& mount, const FieldPath& at) { CheckMount(mount, at); });
    }
    Names ports(sink_, "name of a port");
    ForEachItem(container, "ports", path, [&](const Value& port, const FieldPath& at) { ports.Add(port, at); });
    CheckRequests(container, path);
  }

  void CheckMount(const Value& mount, const FieldPath& path) {
    const Value* name = mount.Find("name");
    if (name == nullptr || !name->is_string() || name->empty()) return;
    const std::string text(name->AsString());
    if (std::ranges::find(volumes_, text) != volumes_.end()) return;
    const std::vector<std::string> meant = SpelledLike(text, volumes_);
    sink_.Add({.rule = "unknown-volume",
               .at = name,
               .path = Under(path, {PathStep::Field("name")}),
               .message = StrCat("the Pod has no volume ", WriteJson(*name)),
               .advice = meant.empty() ? "add it to volumes" : StrCat("did you mean ", meant[0], "?")});
  }

  void CheckRequests(const Value& container, const FieldPath& path) {
    const Value* requests = container.FindPath({"resources", "requests"});
    if (requests == nullptr || !requests->is_object()) return;
    for (const Member& request : requests->Members()) {
      const Value* limit = container.FindPath({"resources", "limits", request.name});
      if (limit == nullptr || !IsMoreThan(TextOfScalar(request.value), TextOfScalar(*limit))) continue;
      sink_.Add({.rule = "out-of-range",
                 .at = &request.value,
                 .path = Under(
                     path, {PathStep::Field("resources"), PathStep::Field("requests"), PathStep::Field(request.name)}),
                 .message = StrCat(WriteJson(request.value), " is more than the limit, ", WriteJson(*limit)),
                 .advice = "request at most the limit"});
    }
  }

  // A Job's Pods end, and those of other workloads do not.
  void CheckRestarts() {
    const GroupVersionKind& gvk = sink_.object().gvk;
    if (path_.size() < 2 || gvk.kind == "PodTemplate") return;
    const bool ends = gvk.group == "batch";
    const Value* policy = spec_.Find("restartPolicy");
    if (policy == nullptr || policy->is_null() || (policy->is_string() && policy->empty())) {
      if (ends) SayRestarts(policy, "missing-field", StrCat("the Pods of a ", gvk.kind, " need a restartPolicy"), ends);
      return;
    }
    const std::string_view word = policy->is_string() ? policy->AsString() : "";
    const bool fits = ends ? word != "Always" : word != "Never" && word != "OnFailure";
    if (!fits) SayRestarts(policy, "invalid-choice", StrCat(word, " is not allowed in a ", gvk.kind), ends);
  }

  void SayRestarts(const Value* at, std::string_view rule, std::string message, bool ends) {
    sink_.Add({.rule = rule,
               .at = at == nullptr ? &spec_ : at,
               .path = at == nullptr ? path_ : Under(path_, {PathStep::Field("restartPolicy")}),
               .mark = at == nullptr ? Mark::kKey : Mark::kValue,
               .message = std::move(message),
               .advice = ends ? "use Never or OnFailure" : "use Always, or a Job"});
  }

  Sink& sink_;
  const Value& spec_;
  const FieldPath path_;
  std::vector<std::string> volumes_;
};

// --- Services

void CheckService(Sink& sink) {
  const Value* spec = sink.object().root().Find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  const FieldPath path = {PathStep::Field("spec")};
  const size_t count = ItemsAt(*spec, {"ports"}).size();
  Names names(sink, "name of a port");
  ForEachItem(*spec, "ports", path, [&](const Value& port, const FieldPath& at) {
    names.Add(port, at);
    if (count == 1 || !port.is_object() || !port.StringOr("name").empty()) return;
    sink.Add({.rule = "missing-field",
              .at = &port,
              .path = at,
              .message = "a port needs a name where there are several",
              .advice = "add name"});
  });
  const bool needs_none = spec->StringOr("type") == "ExternalName" || spec->StringOr("clusterIP") == "None";
  if (count > 0 || needs_none) return;
  const Value* ports = spec->Find("ports");
  if (ports != nullptr && !ports->is_array() && !ports->is_null()) return;  // a wrong type
  sink.Add({.rule = "missing-field",
            .at = ports == nullptr ? spec : ports,
            .path = path,
            .mark = Mark::kKey,
            .message = "a Service needs ports, unless its clusterIP is None or its type is ExternalName",
            .advice = "add ports"});
}

}  // namespace

void CheckPods(Sink& sink) {
  const Object& object = sink.object();
  if (!object.has_type() || object.kind->is_custom()) return;
  if (object.gvk.group.empty() && object.gvk.kind == "Service") CheckService(sink);
  PodPart pod = PodOf(object);
  const Value* spec = pod.value == nullptr ? nullptr : pod.value->Find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  pod.path.push_back(PathStep::Field("spec"));
  PodCheck(sink, *spec, std::move(pod.path)).Check();
}

}  // namespace smp::lint
