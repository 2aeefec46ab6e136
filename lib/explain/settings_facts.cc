#include "explain/settings_facts.h"

#include <map>
#include <string_view>
#include <utility>

#include "explain/pod_facts.h"
#include "value/at.h"

namespace smp::explain {

namespace {

void AddSetting(std::string_view kind, std::string_view name, std::string_view key, std::vector<Setting>& out) {
  if (!name.empty()) out.push_back({std::string(kind), std::string(name), std::string(key)});
}

// The ConfigMaps and Secrets that volumes have, by the volume's name.
std::map<std::string_view, std::vector<Setting>> SettingsOfVolumes(const Value& pod) {
  std::map<std::string_view, std::vector<Setting>> out;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    std::vector<Setting>& settings = out[TextAt(volume, {"name"})];
    AddSetting("ConfigMap", TextAt(volume, {"configMap", "name"}), "", settings);
    AddSetting("Secret", TextAt(volume, {"secret", "secretName"}), "", settings);
  }
  return out;
}

}  // namespace

std::set<std::string> KeysOf(const Value& object) {
  std::set<std::string> out;
  const std::string_view kind = object.is_object() ? object.StringOr("kind") : "";
  const bool is_filled = kind == "Secret" && object.StringOr("type") == "kubernetes.io/service-account-token";
  const bool has_keys = kind == "ConfigMap" || (kind == "Secret" && !is_filled);
  for (const std::string_view member : {"data", "binaryData", "stringData"}) {
    const Value* keys = has_keys ? object.Find(member) : nullptr;
    if (keys == nullptr || !keys->is_object()) continue;
    for (const Member& key : keys->Members()) out.emplace(key.name);
  }
  return out;
}

std::vector<Setting> SettingsReadAtStart(const Value& object) {
  std::vector<Setting> out;
  const Value* pod = PodSpecOf(object);
  if (pod == nullptr || !pod->is_object()) return out;
  const auto volumes = SettingsOfVolumes(*pod);
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(*pod, {list})) {
      for (const VariableSource& source : VariableSourcesOf(container)) {
        AddSetting(source.kind, source.name, source.key, out);
      }
      for (const Value& mount : ItemsAt(container, {"volumeMounts"})) {
        const auto at = volumes.find(TextAt(mount, {"name"}));
        const bool by_file = !TextAt(mount, {"subPath"}).empty() || !TextAt(mount, {"subPathExpr"}).empty();
        if (by_file && at != volumes.end()) out.insert(out.end(), at->second.begin(), at->second.end());
      }
    }
  }
  return out;
}

}  // namespace smp::explain
