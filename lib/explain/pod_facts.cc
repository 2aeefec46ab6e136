#include "explain/pod_facts.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/image_words.h"
#include "value/at.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

void AddRightsOfContainer(const Value& container, NamesOnce& out) {
  if (IsTrueAt(container, {"securityContext", "privileged"})) out.Add("privileged");
  for (std::string& name : TextsAt(container, {"securityContext", "capabilities", "add"})) out.Add(std::move(name));
}

// The fields are those of the baseline profile of the Pod Security Standards.
std::vector<std::string> NodeRights(const Value& pod) {
  NamesOnce out;
  for (const char* name : {"hostIPC", "hostNetwork", "hostPID"}) {
    if (IsTrueAt(pod, {name})) out.Add(name);
  }
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) AddRightsOfContainer(container, out);
  }
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    const std::string_view path = TextAt(volume, {"hostPath", "path"});
    if (!path.empty()) out.Add(StrCat("hostPath ", path));
  }
  return out.all();
}

// --- what keeps a container from doing harm

constexpr std::string_view kDrop = "capabilities.drop ";

using Protections = std::set<std::pair<std::string_view, std::string>>;  // of containers, by their names

void AddProtections(const Value& container, const Value& pod, Protections& out) {
  const std::string_view name = TextAt(container, {"name"});
  const auto add = [&](bool protects, std::string_view what) {
    if (protects) out.emplace(name, what);
  };
  const Value* own = container.FindPath({"securityContext", "runAsNonRoot"});
  add(own != nullptr ? IsTrueAt(container, {"securityContext", "runAsNonRoot"})
                     : IsTrueAt(pod, {"securityContext", "runAsNonRoot"}),
      "runAsNonRoot");
  add(IsTrueAt(container, {"securityContext", "readOnlyRootFilesystem"}), "readOnlyRootFilesystem");
  const Value* escalates = container.FindPath({"securityContext", "allowPrivilegeEscalation"});
  add(escalates != nullptr && escalates->is_bool() && !escalates->AsBool(), "allowPrivilegeEscalation: false");
  for (std::string& capability : TextsAt(container, {"securityContext", "capabilities", "drop"})) {
    add(true, StrCat(kDrop, capability));
  }
}

Protections ProtectionsOf(const Value& pod) {
  Protections out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) AddProtections(container, pod, out);
  }
  return out;
}

std::set<std::string_view> NamesOfContainers(const Value& pod) {
  std::set<std::string_view> out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) out.insert(TextAt(container, {"name"}));
  }
  return out;
}

// Of containers that are in both.
std::vector<std::string> LostProtections(const Value& before, const Value& after) {
  const Protections now = ProtectionsOf(after);
  const std::set<std::string_view> stay = NamesOfContainers(after);
  const auto keeps = [&](const Protections::value_type& protection) {
    const auto& [name, what] = protection;
    return now.contains(protection) || (what.starts_with(kDrop) && now.contains({name, StrCat(kDrop, "ALL")}));
  };
  NamesOnce out;
  for (const auto& protection : ProtectionsOf(before)) {
    if (stay.contains(protection.first) && !keeps(protection)) out.Add(protection.second);
  }
  return out.all();
}

// Returns the image of each container.
std::vector<std::string> Images(const Value& pod) {
  std::vector<std::string> out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) out.emplace_back(TextAt(container, {"image"}));
  }
  return out;
}

std::vector<std::string> NamesOf(const std::vector<std::string>& images) {
  NamesOnce out;
  for (const std::string& image : images) {
    if (!image.empty()) out.Add(NameOfImage(image));
  }
  return out.all();
}

// Returns "old → new"; "" if both run as the same ServiceAccount.
std::string OtherAccount(const Value& before, const Value& after) {
  const std::string old = AccountOf(before), now = AccountOf(after);
  const auto name = [](const std::string& account) { return account.empty() ? "default" : account; };
  return name(old) == name(now) ? "" : StrCat(name(old), " → ", name(now));
}

std::vector<std::string> WithoutFixedVersion(const std::vector<std::string>& images) {
  NamesOnce out;
  for (const std::string& image : images) {
    if (std::string moving = MovingImage(image); !moving.empty()) out.Add(std::move(moving));
  }
  return out.all();
}

void AddNeed(std::string_view kind, std::string_view name, bool optional, std::vector<NeededObject>& out) {
  // A controller writes this one into every namespace.
  if (!optional && !name.empty() && name != "kube-root-ca.crt") out.push_back({std::string(kind), std::string(name)});
}

// Adds the object that a member of `place` refers to, such as a volume's configMap. `name`: of the field with the name.
void AddNeed(const Value& place, std::string_view member, std::string_view kind, std::string_view name,
             std::vector<NeededObject>& out) {
  AddNeed(kind, TextAt(place, {member, name}), IsTrueAt(place, {member, "optional"}), out);
}

std::vector<NeededObject> Needs(const Value& pod) {
  std::vector<NeededObject> out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) {
      for (const VariableSource& source : VariableSourcesOf(container)) {
        AddNeed(source.kind, source.name, source.optional, out);
      }
    }
  }
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    AddNeed(volume, "configMap", "ConfigMap", "name", out);
    AddNeed(volume, "secret", "Secret", "secretName", out);
    for (const Value& source : ItemsAt(volume, {"projected", "sources"})) {
      AddNeed(source, "configMap", "ConfigMap", "name", out);
      AddNeed(source, "secret", "Secret", "name", out);
    }
  }
  std::set<NeededObject> seen;
  std::erase_if(out, [&](const NeededObject& needed) { return !seen.insert(needed).second; });
  return out;
}

std::string Runs(const Value& pod) {
  constexpr size_t kLongest = 60;  // bytes
  const auto containers = ItemsAt(pod, {"containers"});
  if (containers.empty()) return {};
  const Value& first = containers.front();
  std::vector<std::string> words = {NameOfImage(TextAt(first, {"image"}))};
  for (const char* list : {"command", "args"}) {
    for (std::string& word : TextsAt(first, {list})) words.push_back(std::move(word));
  }
  const std::string out = Join(words, " ");
  return CutEnd(out.substr(0, out.find('\n')), kLongest);
}

bool KeepsData(const Value& object, const Value& pod) {
  const auto keeps = [](const Value& volume) {
    return volume.Find("persistentVolumeClaim") != nullptr || volume.Find("hostPath") != nullptr;
  };
  return !ItemsAt(object, {"spec", "volumeClaimTemplates"}).empty() ||
         std::ranges::any_of(ItemsAt(pod, {"volumes"}), keeps);
}

}  // namespace

const Value* PodSpecOf(const Value& object) {
  if (object.StringOr("kind") == "Pod") return object.FindPath({"spec"});
  const Value* of_job = object.FindPath({"spec", "jobTemplate", "spec", "template", "spec"});
  return of_job != nullptr ? of_job : object.FindPath({"spec", "template", "spec"});
}

std::vector<VariableSource> VariableSourcesOf(const Value& container) {
  std::vector<VariableSource> out;
  const auto add = [&](const Value* place, std::string_view member, std::string_view kind) {
    const Value* source = place != nullptr && place->is_object() ? place->Find(member) : nullptr;
    if (source == nullptr || TextAt(*source, {"name"}).empty()) return;
    out.push_back({kind, TextAt(*source, {"name"}), TextAt(*source, {"key"}), IsTrueAt(*source, {"optional"})});
  };
  for (const Value& variable : ItemsAt(container, {"env"})) {
    const Value* from = variable.is_object() ? variable.Find("valueFrom") : nullptr;
    add(from, "configMapKeyRef", "ConfigMap");
    add(from, "secretKeyRef", "Secret");
  }
  for (const Value& from : ItemsAt(container, {"envFrom"})) {
    add(&from, "configMapRef", "ConfigMap");
    add(&from, "secretRef", "Secret");
  }
  return out;
}

std::string AccountOf(const Value& object) {
  const Value* pod = PodSpecOf(object);
  if (pod == nullptr || !pod->is_object()) return {};
  const std::string_view name = TextAt(*pod, {"serviceAccountName"});
  return std::string(name.empty() ? TextAt(*pod, {"serviceAccount"}) : name);
}

PodFacts PodFactsOf(const Value& before, const Value& after) {
  const Value* pod = PodSpecOf(after);
  if (pod == nullptr || !pod->is_object()) return {};
  const Value* old_pod = before.is_object() ? PodSpecOf(before) : nullptr;
  const bool is_new = old_pod == nullptr || !old_pod->is_object();
  const std::vector<std::string> none, images = Images(*pod), old_images = is_new ? none : Images(*old_pod);
  return {.node_rights = TextsNotIn(is_new ? none : NodeRights(*old_pod), NodeRights(*pod)),
          .moving_images = WithoutFixedVersion(images),
          .images = NamesOf(images),
          .lost_protection = is_new ? none : LostProtections(*old_pod, *pod),
          .other_account = is_new ? "" : OtherAccount(before, after),
          .same_images = !is_new && std::multiset(images.begin(), images.end()) ==
                                        std::multiset(old_images.begin(), old_images.end()),
          .keeps_data = KeepsData(after, *pod),
          .runs = Runs(*pod),
          .needs = Needs(*pod),
          .missing = {}};
}

}  // namespace smp::explain
