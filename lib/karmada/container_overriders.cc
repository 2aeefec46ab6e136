#include "karmada/container_overriders.h"

#include <algorithm>
#include <span>

#include "base/strings.h"
#include "karmada/image_overrider.h"
#include "karmada/policy_reader.h"

namespace smp::karmada {

namespace {

// Returns the path of the containers; nullopt for other kinds. Like karmada, ignores API groups and init containers.
std::optional<JsonPointer> ContainersOf(std::string_view kind) {
  static constexpr std::string_view kWithTemplate[] = {"ReplicaSet", "Deployment", "DaemonSet", "StatefulSet", "Job"};
  if (kind == "Pod") return JsonPointer{"spec", "containers"};
  if (std::find(std::begin(kWithTemplate), std::end(kWithTemplate), kind) == std::end(kWithTemplate)) return {};
  return JsonPointer{"spec", "template", "spec", "containers"};
}

Error BadObject(std::string message) { return {ErrorCode::kPolicy, std::move(message)}; }

// karmada converts the object to the Go type of its kind first. Checks the field on which that is most likely to fail.
Status CheckReplicas(ObjectDraft& draft) {
  const auto replicas = draft.Get({"spec", "replicas"});
  if (!replicas.ok() || replicas->is_null() || replicas->is_int()) return Ok();
  return BadObject(StrCat("spec.replicas must be an integer, found ", KindName(replicas->kind())));
}

struct Containers {
  JsonPointer path;
  std::span<const Value> items;
};

// Returns the containers of the object; empty if it has no containers or its kind is not supported.
Result<Containers> FindContainers(ObjectDraft& draft) {
  const auto path = ContainersOf(draft.TextAt({"kind"}));
  if (!path) return Containers();
  SMP_TRY(CheckReplicas(draft));
  const auto list = draft.Get(*path);
  if (!list.ok() || list->is_null()) return Containers();
  if (!list->is_array())
    return BadObject(StrCat(smp::ToString(*path), " must be a list, found ", KindName(list->kind())));
  for (const Value& item : list->Items()) {
    if (!item.is_object()) return BadObject(StrCat("a container must be a map, found ", KindName(item.kind())));
  }
  return Containers{*path, list->Items()};
}

JsonPointer FieldOf(const Containers& containers, size_t index, const std::string& field) {
  JsonPointer out = containers.path;
  out.push_back(std::to_string(index));
  out.push_back(field);
  return out;
}

std::string_view ComponentName(ImageOverrider::Component component) {
  switch (component) {
    case ImageOverrider::Component::kRegistry: return "registry";
    case ImageOverrider::Component::kRepository: return "repository";
    case ImageOverrider::Component::kTag: return "tag";
  }
  return "tag";
}

Status OverrideImageAt(const ImageOverrider& overrider, const JsonPointer& at, int step, OverrideRun& run) {
  SMP_ASSIGN(const Value old, run.draft.Get(at));
  if (!old.is_string()) return BadObject(StrCat(smp::ToString(at), " must be a string, found ", KindName(old.kind())));
  SMP_ASSIGN(const ImageReference image, ParseImage(old.AsString()));
  if (IsIgnored(image, overrider)) {
    Note(run, overrider.place,
         StrCat("\"", overrider.value, "\" results in neither a tag nor a digest, so the image \"", old.AsString(),
                "\" is not changed"));
    return Ok();
  }
  SMP_ASSIGN(const ImageReference changed, OverrideImage(image, overrider));
  const std::string text = ToString(changed);
  if (text == old.AsString()) return Ok();
  if (!ParseImage(text).ok()) Note(run, overrider.place, StrCat("\"", text, "\" is not a valid image reference"));
  return ChangeObject(run, step, at, run.draft.arena().String(text));
}

Status OverrideImages(const ImageOverrider& overrider, int step, OverrideRun& run) {
  if (overrider.path) {
    SMP_ASSIGN(const JsonPointer at, ParseJsonPointer(*overrider.path));
    return OverrideImageAt(overrider, at, step, run);
  }
  SMP_ASSIGN(const Containers containers, FindContainers(run.draft));
  for (size_t i = 0; i < containers.items.size(); ++i) {
    SMP_TRY(OverrideImageAt(overrider, FieldOf(containers, i, "image"), step, run));
  }
  return Ok();
}

// Returns the new list; nullopt if it does not change. Differs from karmada, which creates an empty list if the list is
// absent and the overrider adds no items or removes some.
Result<std::optional<Value>> ChangedList(const Value* old, const ContainerOverrider& overrider, Arena& arena) {
  if (old != nullptr && old->is_null()) old = nullptr;
  if (old != nullptr && !old->is_array()) return BadObject(StrCat("it must be a list, found ", KindName(old->kind())));
  std::vector<Value> items;
  for (const Value& item : old == nullptr ? std::span<const Value>() : old->Items()) {
    if (!item.is_string()) return BadObject(StrCat("its items must be strings, found ", KindName(item.kind())));
    const auto& values = overrider.values;
    const bool listed = std::find(values.begin(), values.end(), item.AsString()) != values.end();
    if (overrider.op != edit::EditKind::kRemove || !listed) items.push_back(item);
  }
  if (overrider.op == edit::EditKind::kAdd) {
    for (const std::string& value : overrider.values) items.push_back(arena.String(value));
  }
  if (items.size() == (old == nullptr ? 0 : old->size())) return std::optional<Value>();
  return std::optional<Value>(arena.Array(items));
}

Status ChangeList(const ContainerOverrider& overrider, const JsonPointer& at, const Value& container, int step,
                  OverrideRun& run) {
  SMP_ASSIGN(const std::optional<Value> changed, ChangedList(container.Find(at.back()), overrider, run.draft.arena()));
  return changed ? ChangeObject(run, step, at, *changed) : Ok();
}

}  // namespace

Status ApplyImage(const ImageOverrider& overrider, OverrideRun& run) {
  const std::string what = StrCat(EditKindName(overrider.op), " the ", ComponentName(overrider.component), " of ",
                                  overrider.path ? *overrider.path : "the images");
  const int step = BeginStep(run, overrider.place, what);
  return Checked(run, overrider.place, what, OverrideImages(overrider, step, run));
}

Status ApplyContainer(const ContainerOverrider& overrider, const std::string& field, OverrideRun& run) {
  const std::string what = StrCat(overrider.op == edit::EditKind::kAdd ? "add to" : "remove from", " the ", field,
                                  " of container ", overrider.container);
  const int step = BeginStep(run, overrider.place, what);
  const auto containers = FindContainers(run.draft);
  if (!containers.ok()) return Failed(run, overrider.place, what, containers.error());
  for (size_t i = 0; i < containers->items.size(); ++i) {
    const Value& container = containers->items[i];
    if (container.StringOr("name") != overrider.container) continue;
    SMP_TRY(Checked(run, overrider.place, what,
                    ChangeList(overrider, FieldOf(*containers, i, field), container, step, run)));
  }
  return Ok();
}

}  // namespace smp::karmada
