#include "explain/pod_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/image_words.h"
#include "explain/stored_data.h"
#include "value/at.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

// --- containers

struct Container {
  const Value* value = nullptr;
  std::string_view name = {};
  bool lasts = false;  // as long as the Pod: init containers end, unless the kubelet restarts them
};

std::vector<Container> ContainersOf(const Value& pod) {
  std::vector<Container> out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) {
      const bool lasts = list == "containers" || TextAt(container, {"restartPolicy"}) == "Always";
      out.push_back({&container, TextAt(container, {"name"}), lasts});
    }
  }
  return out;
}

using Containers = std::vector<Container>;

// Returns nullptr if there is none.
const Value* FindContainer(const Containers& containers, std::string_view name) {
  const auto at = std::ranges::find(containers, name, &Container::name);
  return at == containers.end() ? nullptr : at->value;
}

// --- rights on the node. The fields are those of the baseline profile of the Pod Security Standards.

Containers PrivilegedOf(const Containers& containers) {
  Containers out;
  for (const Container& container : containers) {
    if (IsTrueAt(*container.value, {"securityContext", "privileged"})) out.push_back(container);
  }
  return out;
}

std::set<std::string_view> NamesOfLasting(const Containers& containers) {
  std::set<std::string_view> out;
  for (const Container& container : containers) {
    if (container.lasts) out.insert(container.name);
  }
  return out;
}

// Returns true if a container that lasts becomes privileged, or if the first one of a Pod does. A container that is
// renamed does not.
bool BecomesPrivileged(const Containers& before, const Containers& after) {
  const Containers old = PrivilegedOf(before), now = PrivilegedOf(after);
  const std::set<std::string_view> old_names = NamesOfLasting(old);
  const auto gone =
      std::ranges::count_if(old_names, [&](std::string_view name) { return FindContainer(after, name) == nullptr; });
  const auto gained =
      std::ranges::count_if(NamesOfLasting(now), [&](std::string_view name) { return !old_names.contains(name); });
  return gained > gone || (old.empty() && !now.empty());
}

// Returns true for what a container may do unless it drops it. Source: the default capabilities of containerd.
bool IsOfEveryContainer(std::string_view capability) {
  constexpr std::string_view kDefault[] = {"AUDIT_WRITE", "CHOWN",   "DAC_OVERRIDE",     "FOWNER",    "FSETID",
                                           "KILL",        "MKNOD",   "NET_BIND_SERVICE", "NET_RAW",   "SETFCAP",
                                           "SETGID",      "SETPCAP", "SETUID",           "SYS_CHROOT"};
  return std::ranges::find(kDefault, capability) != std::end(kDefault);
}

std::vector<std::string> CapabilitiesIn(const Value& container, std::string_view list) {
  return TextsAt(container, {"securityContext", "capabilities", list});
}

// Returns true if the container dropped a capability that each has.
bool Drops(const Value& container, const std::string& capability) {
  const std::vector<std::string> either = {"ALL", capability};
  return !TextsIn(either, CapabilitiesIn(container, "drop")).empty() &&
         TextsIn(either, CapabilitiesIn(container, "add")).empty();
}

// Returns what containers add; only of those that last, if `lasting`.
std::set<std::string> AddedCapabilities(const Containers& containers, bool lasting) {
  std::set<std::string> out;
  for (const Container& container : containers) {
    if (lasting && !container.lasts) continue;
    for (std::string& name : CapabilitiesIn(*container.value, "add")) out.insert(std::move(name));
  }
  return out;
}

void AddNewCapabilities(const Containers& before, const Containers& after, NamesOnce& out) {
  const std::set<std::string> of_lasting = AddedCapabilities(before, true), of_all = AddedCapabilities(before, false);
  for (const Container& container : after) {
    const Value* old = FindContainer(before, container.name);
    for (std::string& name : CapabilitiesIn(*container.value, "add")) {
      const bool is_new = IsOfEveryContainer(name) ? old != nullptr && Drops(*old, name)
                                                   : !(container.lasts ? of_lasting : of_all).contains(name);
      if (is_new) out.Add(std::move(name));
    }
  }
}

// `before`: null if the Pods are new.
std::vector<std::string> NewNodeRights(const Value& before, const Value& after) {
  const Containers old = ContainersOf(before), now = ContainersOf(after);
  NamesOnce out;
  if (!PrivilegedOf(old).empty() && !BecomesPrivileged(old, now)) return {};  // which is all of them
  for (std::string& name : TextsNotIn(HostNamespaces(before), HostNamespaces(after))) out.Add(std::move(name));
  if (BecomesPrivileged(old, now)) out.Add("privileged");
  AddNewCapabilities(old, now, out);
  for (std::string& path : TextsNotIn(HostPaths(before), HostPaths(after))) out.Add(std::move(path));
  return out.all();
}

// Returns true if the Pod has resources as a whole.
bool HasResources(const Value& pod) {
  const auto has = [&](const char* kind) {
    const Value* resources = pod.FindPath({"resources", kind});
    const auto members =
        resources != nullptr && resources->is_object() ? resources->Members() : std::span<const Member>();
    return std::ranges::any_of(members, [](const Member& member) {
      return member.name == "cpu" || member.name == "memory" || member.name.starts_with("hugepages-");
    });
  };
  return has("requests") || has("limits");
}

// Returns "limits.memory" and the like: what some container does not state. A request is the limit where it is not stated. Of a Pod with
// resources as a whole, no quota asks for those of its containers.
std::set<std::string> UnstatedResources(const Value& pod) {
  std::set<std::string> out;
  if (HasResources(pod)) return out;
  for (const Container& container : ContainersOf(pod)) {
    for (const char* resource : {"cpu", "memory"}) {
      // A null is stored as 0.
      const auto has = [&](const char* kind) {
        return container.value->FindPath({"resources", kind, resource}) != nullptr;
      };
      const bool has_limit = has("limits"), has_request = has("requests");
      if (!has_limit) out.insert(StrCat("limits.", resource));
      if (!has_limit && !has_request) out.insert(StrCat("requests.", resource));
    }
  }
  return out;
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
  for (const char* profile : {"appArmorProfile", "seccompProfile"}) {
    const std::string_view type = TextAt(container, {"securityContext", profile, "type"});
    const std::string_view stated = type.empty() ? TextAt(pod, {"securityContext", profile, "type"}) : type;
    add(!stated.empty() && stated != "Unconfined", profile);
  }
  for (std::string& capability : TextsAt(container, {"securityContext", "capabilities", "drop"})) {
    add(true, StrCat(kDrop, capability));
  }
}

// What a Pod has as a whole, named as of a container "".
void AddProtectionsOfPod(const Value& pod, Protections& out) {
  for (const char* field : {"automountServiceAccountToken", "hostUsers"}) {
    const Value* value = pod.Find(field);
    if (value != nullptr && value->is_bool() && !value->AsBool()) out.emplace("", StrCat(field, ": false"));
  }
  if (!TextAt(pod, {"runtimeClassName"}).empty()) out.emplace("", "runtimeClassName");
}

Protections ProtectionsOf(const Value& pod) {
  Protections out;
  AddProtectionsOfPod(pod, out);
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

// Of the Pod, and of containers that are in both.
std::vector<LostProtection> LostProtections(const Value& before, const Value& after) {
  const Protections now = ProtectionsOf(after);
  const std::set<std::string_view> stay = NamesOfContainers(after);
  const auto keeps = [&](const Protections::value_type& protection) {
    const auto& [name, what] = protection;
    return now.contains(protection) || (what.starts_with(kDrop) && now.contains({name, StrCat(kDrop, "ALL")}));
  };
  std::vector<LostProtection> out;
  for (const auto& protection : ProtectionsOf(before)) {
    const auto& [name, what] = protection;
    if ((name.empty() || stay.contains(name)) && !keeps(protection)) out.push_back({std::string(name), what});
  }
  return out;
}

// Returns the image of each container.
std::vector<std::string> Images(const Value& pod) {
  std::vector<std::string> out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) out.emplace_back(TextAt(container, {"image"}));
  }
  return out;
}

std::vector<std::string> ImagesOfOtherRepositories(const std::vector<std::string>& before,
                                                   const std::vector<std::string>& after) {
  std::set<std::string> now;
  for (const std::string& image : after) now.insert(RepositoryOf(image));
  std::vector<std::string> out = before;
  std::erase_if(out, [&](const std::string& image) { return now.contains(RepositoryOf(image)); });
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

// What the Pods refer to, and whether they start without it.
class References {
 public:
  explicit References(const Value& pod) {
    for (const std::string_view list : kContainerLists) {
      for (const Value& container : ItemsAt(pod, {list})) {
        for (const VariableSource& from : VariableSourcesOf(container)) {
          Add(from.kind, from.name, from.optional, {std::string(from.key)});
        }
      }
    }
    for (const Value& volume : ItemsAt(pod, {"volumes"})) {
      AddBoth(volume, "secretName");
      AddSecretsOfDrivers(volume);
      for (const Value& source : ItemsAt(volume, {"projected", "sources"})) AddBoth(source, "name");
    }
    for (const std::string_view list : kContainerLists) {
      for (const Value& container : ItemsAt(pod, {list})) AddFiles(pod, container);
    }
  }

  // Returns each object once, in their order.
  std::vector<NeededObject> Objects(bool with_optional) const {
    std::vector<NeededObject> out;
    std::set<NeededObject> seen;
    for (const Reference& reference : all_) {
      if ((with_optional || !reference.optional) && seen.insert(reference.object).second)
        out.push_back(reference.object);
    }
    return out;
  }

  // Returns the keys without which no Pod starts.
  std::set<NeededObject> NeededKeys() const {
    std::set<NeededObject> out;
    for (const Reference& reference : all_) {
      for (const std::string& key : reference.keys) {
        if (!key.empty() && !reference.optional) out.insert({reference.object.kind, reference.object.name, key});
      }
    }
    for (NeededObject file : files_) {
      file.as_file = false;
      if (out.contains(file)) continue;
      file.as_file = true;
      out.insert(std::move(file));
    }
    return out;
  }

  // Returns the keys of each object that are read; empty: all.
  std::map<NeededObject, std::set<std::string>> Keys() const {
    std::map<NeededObject, std::set<std::string>> out;
    for (const Reference& reference : all_) out[reference.object].insert(reference.keys.begin(), reference.keys.end());
    for (auto& [object, keys] : out) {
      if (keys.contains("")) keys.clear();
    }
    return out;
  }

 private:
  struct Reference {
    NeededObject object;
    bool optional = false;
    std::vector<std::string> keys;  // "": all
  };

  void Add(std::string_view kind, std::string_view name, bool optional, std::vector<std::string> keys) {
    // A controller writes this one into every namespace.
    const bool counts = !name.empty() && name != "kube-root-ca.crt";
    if (counts) all_.push_back({{std::string(kind), std::string(name)}, optional, std::move(keys)});
  }

  void AddMember(const Value& place, std::string_view member, std::string_view kind, std::string_view name) {
    std::vector<std::string> keys;
    for (const Value& item : ItemsAt(place, {member, "items"})) keys.emplace_back(TextAt(item, {"key"}));
    if (keys.empty()) keys.emplace_back();
    Add(kind, TextAt(place, {member, name}), IsTrueAt(place, {member, "optional"}), std::move(keys));
  }

  // Adds what a volume, or a part of one, is made of. `name_of_secret`: the field with the name of a Secret.
  void AddBoth(const Value& place, std::string_view name_of_secret) {
    AddMember(place, "configMap", "ConfigMap", "name");
    AddMember(place, "secret", "Secret", name_of_secret);
  }

  // Adds the Secrets with which volumes are mounted.
  void AddSecretsOfDrivers(const Value& volume) {
    Add("Secret", TextAt(volume, {"csi", "nodePublishSecretRef", "name"}), false, {""});
    Add("Secret", TextAt(volume, {"azureFile", "secretName"}), false, {""});
    for (const char* source : {"cephfs", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"}) {
      Add("Secret", TextAt(volume, {source, "secretRef", "name"}), false, {""});
    }
  }

  // Adds the files that a container mounts alone, of volumes whose files are called as the keys.
  void AddFiles(const Value& pod, const Value& container) {
    std::map<std::string_view, NeededObject> volumes;
    for (const Value& volume : ItemsAt(pod, {"volumes"})) {
      for (const auto& [member, kind, name] :
           {std::tuple("configMap", "ConfigMap", "name"), {"secret", "Secret", "secretName"}}) {
        const std::string_view source = TextAt(volume, {member, name});
        const bool counts =
            !source.empty() && ItemsAt(volume, {member, "items"}).empty() && !IsTrueAt(volume, {member, "optional"});
        if (counts) volumes[TextAt(volume, {"name"})] = {kind, std::string(source)};
      }
    }
    for (const Value& mount : ItemsAt(container, {"volumeMounts"})) {
      const auto at = volumes.find(TextAt(mount, {"name"}));
      std::string_view path = TextAt(mount, {"subPath"});
      while (path.starts_with("./")) path.remove_prefix(2);
      while (path.ends_with('/')) path.remove_suffix(1);
      const bool is_key = !path.empty() && !path.starts_with("..") && path != "." && path.find('/') == path.npos;
      if (at == volumes.end() || !is_key) continue;
      files_.push_back({at->second.kind, at->second.name, std::string(path), true});
    }
  }

  std::vector<Reference> all_;
  std::vector<NeededObject> files_;
};

References ReferencesOf(const Value& object) {
  const Value* pod = object.is_object() ? PodSpecOf(object) : nullptr;
  return References(pod != nullptr && pod->is_object() ? *pod : Value());
}

// Adds what a single term of the required affinity asks for. Of several terms, one suffices.
void AddAffinity(const Value& pod, std::vector<std::string>& out) {
  const auto terms =
      ItemsAt(pod, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"});
  if (terms.size() != 1) return;
  for (const Value& expression : ItemsAt(terms.front(), {"matchExpressions"})) {
    const std::string_view key = TextAt(expression, {"key"}), how = TextAt(expression, {"operator"});
    const std::vector<std::string> values = TextsAt(expression, {"values"});
    if (key.empty()) continue;
    if (how == "Exists") out.emplace_back(key);
    if (how == "In" && values.size() == 1) out.push_back(StrCat(key, "=", values.front()));
    if (how == "In" && values.size() > 1) out.push_back(StrCat(key, " in (", Join(values, ","), ")"));
  }
}

// Returns "disk=ssd" for each label of nodes that the Pods ask for, as a label selector.
std::vector<std::string> LabelsOfNodes(const Value& pod) {
  std::vector<std::string> out;
  AddAffinity(pod, out);
  const Value* selector = pod.is_object() ? pod.Find("nodeSelector") : nullptr;
  if (selector == nullptr || !selector->is_object()) return out;
  for (const Member& label : selector->Members()) {
    const bool has_value = label.value.is_string() && !label.value.AsString().empty();
    std::string words = has_value ? StrCat(label.name, "=", label.value.AsString()) : std::string(label.name);
    if (std::ranges::find(out, words) == out.end()) out.push_back(std::move(words));
  }
  return out;
}

// Returns what a node newly needs. Every node says its operating system.
std::vector<std::string> NewLabelsOfNodes(const Value& before, const Value& after) {
  std::vector<std::string> out = TextsNotIn(LabelsOfNodes(before), LabelsOfNodes(after));
  std::erase_if(out, [](const std::string& label) { return label.find("kubernetes.io/os=") != label.npos; });
  return out;
}

// Returns "livenessProbe http" for each probe or hook of a container that names a port which the container does not have.
std::set<std::string> ProbesOfNoPort(const Value& container) {
  std::set<std::string_view> ports;
  for (const Value& port : ItemsAt(container, {"ports"})) ports.insert(TextAt(port, {"name"}));
  std::set<std::string> out;
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    for (const char* handler : {"httpGet", "tcpSocket"}) {
      const std::string_view port = TextAt(container, {probe, handler, "port"});
      if (!port.empty() && !ports.contains(port)) out.insert(StrCat(probe, " ", port));
    }
  }
  return out;
}

// Returns "livenessProbe http of web" for those that had their port before, or are new.
std::vector<std::string> LostProbes(const Value& before, const Value& after) {
  const Containers old = ContainersOf(before);
  std::vector<std::string> out;
  for (const Container& container : ContainersOf(after)) {
    const Value* was = FindContainer(old, container.name);
    const std::set<std::string> known = was == nullptr ? std::set<std::string>() : ProbesOfNoPort(*was);
    for (const std::string& probe : ProbesOfNoPort(*container.value)) {
      if (!known.contains(probe)) out.push_back(StrCat(probe, " of ", container.name));
    }
  }
  return out;
}

// Returns true for a Deployment all of whose Pods may go before the first new one comes.
bool StopsFirst(const Value& object) {
  if (TextAt(object, {"spec", "strategy", "type"}) == "Recreate") return true;
  const Value* rolling = object.FindPath({"spec", "strategy", "rollingUpdate"});
  if (rolling == nullptr || !rolling->is_object() || object.StringOr("kind") != "Deployment") return false;
  const Value *surge = rolling->Find("maxSurge"), *away = rolling->Find("maxUnavailable");
  if (surge == nullptr || away == nullptr) return false;
  const bool has_none = *surge == Value::Int(0) || *surge == Value::UnownedString("0%");
  const bool is_all = *away == Value::UnownedString("100%") ||
                      (away->is_int() && away->AsInt() >= IntAt(object, {"spec", "replicas"}, 1));
  return has_none && is_all;
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

}  // namespace

const Value* PodTemplateOf(const Value& object) {
  if (object.StringOr("kind") == "Pod") return &object;
  const Value* of_job = object.FindPath({"spec", "jobTemplate", "spec", "template"});
  return of_job != nullptr ? of_job : object.FindPath({"spec", "template"});
}

const Value* PodSpecOf(const Value& object) {
  const Value* pod = PodTemplateOf(object);
  return pod == nullptr || !pod->is_object() ? nullptr : pod->Find("spec");
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

std::vector<std::string> ImagesOf(const Value& object) {
  const Value* pod = PodSpecOf(object);
  return pod == nullptr || !pod->is_object() ? std::vector<std::string>() : Images(*pod);
}

std::vector<NeededObject> NeedsOf(const Value& object) {
  std::vector<NeededObject> out = ReferencesOf(object).Objects(false);
  const std::string account = AccountOf(object);
  if (!account.empty() && account != "default") out.push_back({"ServiceAccount", account});
  const Value* pod = PodSpecOf(object);
  if (pod == nullptr || !pod->is_object()) return out;
  for (std::string& claim : ClaimsOf(*pod)) out.push_back({"PersistentVolumeClaim", std::move(claim)});
  const std::string_view priority = TextAt(*pod, {"priorityClassName"}), runtime = TextAt(*pod, {"runtimeClassName"});
  const bool is_built_in = priority.starts_with("system-");  // reserved, and made by the API server
  if (!priority.empty() && !is_built_in) out.push_back({"PriorityClass", std::string(priority)});
  if (!runtime.empty()) out.push_back({"RuntimeClass", std::string(runtime)});
  return out;
}

std::vector<NeededObject> KeysNeededBy(const Value& object) {
  const std::set<NeededObject> keys = ReferencesOf(object).NeededKeys();
  return {keys.begin(), keys.end()};
}

std::vector<UnreadSetting> UnreadSettings(const Value& before, const Value& after) {
  std::vector<UnreadSetting> out;
  const auto now = ReferencesOf(after).Keys();
  for (const auto& [object, keys] : ReferencesOf(before).Keys()) {
    if (!now.contains(object)) out.push_back({object, keys, {}});
  }
  return out;
}

PodFacts PodFactsOf(const Value& before, const Value& after) {
  const Value* pod = PodSpecOf(after);
  if (pod == nullptr || !pod->is_object()) return {};
  const Value* old_pod = before.is_object() ? PodSpecOf(before) : nullptr;
  const bool is_new = old_pod == nullptr || !old_pod->is_object();
  const std::vector<std::string> none, images = Images(*pod), old_images = is_new ? none : Images(*old_pod);
  return {.node_rights = NewNodeRights(is_new ? Value() : *old_pod, *pod),
          .forbidden = ForbiddenIn(*PodTemplateOf(after)),
          .unstated = UnstatedResources(*pod),
          .moving_images = WithoutFixedVersion(images),
          .images = NamesOf(images),
          .new_images = is_new ? images : none,
          .gone_images = ImagesOfOtherRepositories(old_images, images),
          .lost_protection = is_new ? std::vector<LostProtection>() : LostProtections(*old_pod, *pod),
          .containers = ContainersOf(*pod).size(),
          .other_account = is_new ? "" : OtherAccount(before, after),
          .lost_probes = LostProbes(is_new ? Value() : *old_pod, *pod),
          .same_images = !is_new && std::multiset(images.begin(), images.end()) ==
                                        std::multiset(old_images.begin(), old_images.end()),
          .keeps_data = WritesToClaims(after),
          .gone_volumes = is_new ? none : GoneVolumes(before, after),
          .moved_volumes = is_new ? none : MovedVolumes(before, after),
          .loses_data = is_new ? none : DataInPods(before, after),
          .new_databases = NewDatabases(before, after),
          .stops_first = !is_new && StopsFirst(after),
          .recreates = TextAt(after, {"spec", "strategy", "type"}) == "Recreate",
          .nodes = NewLabelsOfNodes(is_new ? Value() : *old_pod, *pod),
          .runs = Runs(*pod),
          .needs = NeedsOf(after),
          .missing = {}};
}

}  // namespace smp::explain
