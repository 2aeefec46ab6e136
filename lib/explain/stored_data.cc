#include "explain/stored_data.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/image_words.h"
#include "explain/pod_facts.h"
#include "value/at.h"

namespace smp::explain {

namespace {

bool HasVolumeOf(const Value& pod, std::string_view source) {
  const auto has = [&](const Value& volume) { return volume.Find(source) != nullptr; };
  return std::ranges::any_of(ItemsAt(pod, {"volumes"}), has);
}

}  // namespace

bool HasClaims(const Value& object, const Value& pod) {
  return !ItemsAt(object, {"spec", "volumeClaimTemplates"}).empty() || HasVolumeOf(pod, "persistentVolumeClaim");
}

std::vector<std::string> ClaimsOf(const Value& pod) {
  std::vector<std::string> out;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    const std::string_view claim = TextAt(volume, {"persistentVolumeClaim", "claimName"});
    if (!claim.empty()) out.emplace_back(claim);
  }
  return out;
}

namespace {

// Returns false for folders that nodes have of their own.
bool MayHoldData(std::string_view host_path) {
  constexpr std::string_view kOfNodes[] = {"/boot", "/dev", "/etc", "/lib",     "/opt/cni",         "/proc",
                                           "/run",  "/sys", "/usr", "/var/log", "/var/lib/kubelet", "/var/run"};
  if (host_path.empty() || host_path == "/") return false;
  return std::ranges::none_of(kOfNodes, [&](std::string_view folder) {
    return host_path.starts_with(folder) && (host_path.size() == folder.size() || host_path[folder.size()] == '/');
  });
}

// Returns "data" of a claim and "hostPath /srv/data" for each volume in which the containers may write.
std::vector<std::string> WrittenVolumes(const Value& pod) {
  std::set<std::string_view> mounted;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) {
      for (const Value& mount : ItemsAt(container, {"volumeMounts"})) {
        if (!IsTrueAt(mount, {"readOnly"})) mounted.insert(TextAt(mount, {"name"}));
      }
    }
  }
  std::vector<std::string> out;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    if (!mounted.contains(TextAt(volume, {"name"}))) continue;
    const std::string_view claim = TextAt(volume, {"persistentVolumeClaim", "claimName"}),
                           path = TextAt(volume, {"hostPath", "path"});
    if (!claim.empty()) out.emplace_back(claim);
    if (MayHoldData(path)) out.push_back(StrCat("hostPath ", path));
  }
  return out;
}

}  // namespace

std::vector<std::string> GoneVolumes(const Value& before, const Value& after) {
  const std::vector<std::string> old = ClaimsOf(before), now = ClaimsOf(after);
  std::vector<std::string> gone = TextsNotIn(now, old);
  const std::vector<std::string> come = TextsNotIn(old, now);
  if (gone.size() == 1 && come.size() == 1) return {StrCat(gone.front(), " → ", come.front())};
  for (std::string& volume : TextsNotIn(WrittenVolumes(after), WrittenVolumes(before))) {
    if (std::ranges::find(gone, volume) == gone.end()) gone.push_back(std::move(volume));
  }
  return gone;
}

namespace {

// Programs that are used to keep data, by a word of the name of their images.
bool IsDatabase(const std::string& image) {
  constexpr std::string_view kWords[] = {
      "cassandra",  "clickhouse", "cockroach",  "couchdb",  "dynamodb", "elasticsearch", "etcd",   "influxdb",
      "kafka",      "mariadb",    "minio",      "mongo",    "mongodb",  "mssql",         "mysql",  "neo4j",
      "opensearch", "postgres",   "postgresql", "rabbitmq", "redis",    "solr",          "valkey", "zookeeper"};
  constexpr std::string_view kOthers[] = {"admin",    "agent", "backup", "client",  "connect",  "controller", "curator",
                                          "exporter", "init",  "hook",   "manager", "operator", "proxy",      "ui"};
  const std::string name = NameOfImage(image).substr(0, NameOfImage(image).find(':'));
  const auto has_word = [&](const auto& words) {
    return std::ranges::any_of(
        Split(name, '-'), [&](std::string_view word) { return std::ranges::find(words, word) != std::end(words); });
  };
  return has_word(kWords) && !has_word(kOthers);
}

}  // namespace

std::vector<std::string> DataInPods(const Value& object, const Value& pod) {
  NamesOnce out;
  if (object.StringOr("kind").ends_with("Job")) return {};
  const bool keeps = HasClaims(object, pod) || HasVolumeOf(pod, "hostPath");
  for (const std::string& image : keeps ? std::vector<std::string>() : ImagesOf(object)) {
    if (IsDatabase(image)) out.Add(NameOfImage(image));
  }
  return out.all();
}

}  // namespace smp::explain
