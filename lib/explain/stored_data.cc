#include "explain/stored_data.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/image_words.h"
#include "explain/pod_facts.h"
#include "value/at.h"

namespace smp::explain {

std::vector<std::string> ClaimsOf(const Value& pod) {
  std::vector<std::string> out;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    const std::string_view claim = TextAt(volume, {"persistentVolumeClaim", "claimName"});
    if (!claim.empty()) out.emplace_back(claim);
  }
  return out;
}

namespace {

constexpr std::string_view kHostPath = "hostPath ";

// Returns false for folders that nodes have of their own.
bool MayHoldData(std::string_view host_path) {
  constexpr std::string_view kOfNodes[] = {"/boot", "/dev", "/etc", "/lib",     "/opt/cni",         "/proc",
                                           "/run",  "/sys", "/usr", "/var/log", "/var/lib/kubelet", "/var/run"};
  if (host_path.empty() || host_path == "/") return false;
  return std::ranges::none_of(kOfNodes, [&](std::string_view folder) {
    return host_path.starts_with(folder) && (host_path.size() == folder.size() || host_path[folder.size()] == '/');
  });
}

// What outlives the Pods of the volumes, by the names of these: "data" of a claim, "hostPath /srv/data", "template data".
std::map<std::string_view, std::string> LastingVolumes(const Value& object, const Value& pod) {
  std::map<std::string_view, std::string> out;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    const std::string_view claim = TextAt(volume, {"persistentVolumeClaim", "claimName"}),
                           path = TextAt(volume, {"hostPath", "path"});
    if (!claim.empty()) out.emplace(TextAt(volume, {"name"}), claim);
    if (MayHoldData(path)) out.emplace(TextAt(volume, {"name"}), StrCat(kHostPath, path));
  }
  for (const Value& claim : ItemsAt(object, {"spec", "volumeClaimTemplates"})) {
    const std::string_view name = TextAt(claim, {"metadata", "name"});
    out.emplace(name, StrCat("template ", name));
  }
  return out;
}

enum class Mounts { kAll, kWritten };

// Returns the folders at which containers mount what outlives them, by its name: "/var/lib/db", "/data (subPath db)".
std::map<std::string, std::set<std::string>> MountedVolumes(const Value& object, const Value& pod, Mounts mounts) {
  const auto lasting = LastingVolumes(object, pod);
  std::map<std::string, std::set<std::string>> out;
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) {
      for (const Value& mount : ItemsAt(container, {"volumeMounts"})) {
        const auto at = lasting.find(TextAt(mount, {"name"}));
        if (at == lasting.end() || (mounts == Mounts::kWritten && IsTrueAt(mount, {"readOnly"}))) continue;
        const std::string_view folder = TextAt(mount, {"subPath"});
        out[at->second].insert(
            StrCat(TextAt(mount, {"mountPath"}), folder.empty() ? "" : StrCat(" (subPath ", folder, ")")));
      }
    }
  }
  return out;
}

}  // namespace

bool WritesToClaims(const Value& object) {
  const Value* pod = PodSpecOf(object);
  if (pod == nullptr) return false;
  const auto written = MountedVolumes(object, *pod, Mounts::kWritten);
  return std::ranges::any_of(written, [](const auto& volume) { return !volume.first.starts_with(kHostPath); });
}

std::vector<std::string> GoneVolumes(const Value& before, const Value& after) {
  const Value* const old_pod = PodSpecOf(before);
  const Value* const pod = PodSpecOf(after);
  if (old_pod == nullptr || pod == nullptr) return {};
  const std::vector<std::string> old = ClaimsOf(*old_pod), now = ClaimsOf(*pod);
  std::vector<std::string> gone = TextsNotIn(now, old);
  const std::vector<std::string> come = TextsNotIn(old, now);
  if (gone.size() == 1 && come.size() == 1) return {StrCat(gone.front(), " → ", come.front())};
  const auto mounted = MountedVolumes(after, *pod, Mounts::kAll);
  for (const auto& [volume, folders] : MountedVolumes(before, *old_pod, Mounts::kWritten)) {
    if (!mounted.contains(volume) && std::ranges::find(gone, volume) == gone.end()) gone.push_back(volume);
  }
  return gone;
}

std::vector<std::string> MovedVolumes(const Value& before, const Value& after) {
  const Value* const old_pod = PodSpecOf(before);
  const Value* const pod = PodSpecOf(after);
  if (old_pod == nullptr || pod == nullptr) return {};
  std::vector<std::string> out;
  const auto mounted = MountedVolumes(after, *pod, Mounts::kAll);
  for (const auto& [volume, folders] : MountedVolumes(before, *old_pod, Mounts::kWritten)) {
    const auto now = mounted.find(volume);
    if (now == mounted.end() || std::ranges::includes(now->second, folders)) continue;
    out.push_back(StrCat(volume, " ", Join(folders, ", "), " → ", Join(now->second, ", ")));
  }
  return out;
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
  if (name == "prometheus") return true;  // as a word, it is in the names of many exporters
  const auto has_word = [&](const auto& words) {
    return std::ranges::any_of(
        Split(name, '-'), [&](std::string_view word) { return std::ranges::find(words, word) != std::end(words); });
  };
  return has_word(kWords) && !has_word(kOthers);
}

bool IsTask(const Value& object) { return object.StringOr("kind").ends_with("Job"); }

// Returns "trillian-mysql" of such a StatefulSet, whose image may be called "db_server".
std::string_view NameThatTells(const Value& object) {
  return object.StringOr("kind") == "StatefulSet" ? TextAt(object, {"metadata", "name"}) : std::string_view();
}

}  // namespace

std::vector<Database> DatabasesOf(const Value& object) {
  const Value* pod = object.is_object() ? PodSpecOf(object) : nullptr;
  std::vector<Database> out;
  if (pod == nullptr || IsTask(object)) return out;
  const std::map<std::string_view, std::string> lasting = LastingVolumes(object, *pod);
  bool is_first = true;
  for (const Value& container : ItemsAt(*pod, {"containers"})) {
    Database found = {.image = std::string(TextAt(container, {"image"}))};
    const bool is_known = IsDatabase(found.image) || (is_first && IsDatabase(std::string(NameThatTells(object))));
    is_first = false;
    if (!is_known || found.image.empty()) continue;
    for (const Value& mount : ItemsAt(container, {"volumeMounts"})) {
      const auto at = lasting.find(TextAt(mount, {"name"}));
      if (at != lasting.end()) found.volumes.push_back(at->second);
    }
    out.push_back(std::move(found));
  }
  return out;
}

std::vector<std::string> DataInPods(const Value& before, const Value& after) {
  NamesOnce out;
  const std::vector<Database> now = DatabasesOf(after);
  for (const Database& database : DatabasesOf(before)) {
    if (!database.volumes.empty()) continue;
    const auto next = std::ranges::find_if(now, [&](const Database& one) {
      return RepositoryOf(one.image) == RepositoryOf(database.image) && !one.volumes.empty();
    });
    out.Add(StrCat(NameOfImage(database.image), next == now.end() ? "" : ", which gets one now"));
  }
  return out.all();
}

std::vector<Database> NewDatabases(const Value& before, const Value& after) {
  std::set<std::string> known;
  for (const std::string& image : before.is_object() ? ImagesOf(before) : std::vector<std::string>()) {
    known.insert(RepositoryOf(image));
  }
  std::vector<Database> out = DatabasesOf(after);
  std::erase_if(out, [&](const Database& database) { return known.contains(RepositoryOf(database.image)); });
  return out;
}

}  // namespace smp::explain
