#include "explain/pod_security.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "schema/release.h"
#include "value/at.h"

namespace smp::explain {

namespace {

constexpr Versions kAll;

// The containers of a Pod, and what they say of themselves. A null counts as nothing everywhere.
std::vector<const Value*> AllContainers(const Value& pod) {
  std::vector<const Value*> out;
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& container : ItemsAt(pod, {list})) {
      if (container.is_object()) out.push_back(&container);
    }
  }
  return out;
}

const Value* ContextField(const Value& pod_or_container, std::string_view field) {
  const Value* value = pod_or_container.FindPath({"securityContext", field});
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool IsFalse(const Value* value) { return value != nullptr && value->is_bool() && !value->AsBool(); }
bool IsTrue(const Value* value) { return value != nullptr && value->is_bool() && value->AsBool(); }

template <size_t N>
bool IsAmong(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

// What is forbidden in one Pod, each once.
class Found {
 public:
  explicit Found(const Value& pod)
      : is_windows_(TextAt(pod, {"os", "name"}) == "windows"),
        has_own_users_(pod.is_object() && IsFalse(pod.Find("hostUsers"))) {}

  void Add(std::string what, std::optional<Versions> baseline, std::optional<Versions> restricted) {
    if (names_.insert(what).second) all_.push_back({std::move(what), baseline, restricted});
  }
  void AddInBoth(std::string what, Versions versions = kAll) { Add(std::move(what), versions, versions); }
  void AddInRestricted(std::string what, Versions versions) { Add(std::move(what), std::nullopt, versions); }

  // Since 1.25, some rules are not for Windows, and since 1.35, some are not for Pods whose root is nobody on the node.
  Versions NotForWindows(int from) const { return is_windows_ ? Versions{from, 25} : Versions{from}; }
  Versions NotForOwnUsers(int from) const { return has_own_users_ ? Versions{from, 35} : Versions{from}; }

  std::vector<Forbidden> Take() { return std::move(all_); }

 private:
  bool is_windows_, has_own_users_;
  std::set<std::string> names_;
  std::vector<Forbidden> all_;
};

// --- rules of both profiles

void AddCapabilities(const Value& container, Found& out) {
  constexpr std::array<std::string_view, 13> kOfBaseline = {
      "AUDIT_WRITE",      "CHOWN",   "DAC_OVERRIDE", "FOWNER",  "FSETID", "KILL",      "MKNOD",
      "NET_BIND_SERVICE", "SETFCAP", "SETGID",       "SETPCAP", "SETUID", "SYS_CHROOT"};
  for (const std::string& name : TextsAt(container, {"securityContext", "capabilities", "add"})) {
    const std::string what = StrCat("capability ", name);
    if (!IsAmong(name, kOfBaseline)) {
      out.Add(what, kAll, out.NotForWindows(0));
    } else if (name != "NET_BIND_SERVICE") {
      out.AddInRestricted(what, out.NotForWindows(22));
    }
  }
}

// In the network of the host, each port is one of it.
void AddHostPorts(const Value& pod, const Value& container, Found& out) {
  if (IsTrueAt(pod, {"hostNetwork"})) return;
  for (const Value& port : ItemsAt(container, {"ports"})) {
    if (const int64_t number = IntAt(port, {"hostPort"}); number != 0) out.AddInBoth(StrCat("hostPort ", number));
  }
}

void AddHostsOfProbes(const Value& container, Found& out) {
  constexpr std::pair<const char*, const char*> kPlaces[] = {{"", "livenessProbe"},
                                                             {"", "readinessProbe"},
                                                             {"", "startupProbe"},
                                                             {"lifecycle", "postStart"},
                                                             {"lifecycle", "preStop"}};
  for (const auto& [within, name] : kPlaces) {
    const Value* probe =
        *within == '\0' ? container.FindPath({name}) : container.FindPath({std::string_view(within), name});
    for (const char* way : {"httpGet", "tcpSocket"}) {
      const bool has_host = probe != nullptr && !TextAt(*probe, {way, "host"}).empty();
      if (has_host) out.AddInBoth(StrCat("host of the ", name), {34});
    }
  }
}

bool IsConfined(const Value& profile) {
  const std::string_view type = TextAt(profile, {"type"});
  return type == "RuntimeDefault" || type == "Localhost";
}

void AddSelinux(const Value& options, Found& out) {
  constexpr std::array<std::string_view, 4> kTypes = {"", "container_t", "container_init_t", "container_kvm_t"};
  const std::string_view type = TextAt(options, {"type"});
  const bool names_whom = !TextAt(options, {"user"}).empty() || !TextAt(options, {"role"}).empty();
  if (names_whom) out.AddInBoth("seLinuxOptions");
  if (type == "container_engine_t") {
    out.AddInBoth("seLinuxOptions type container_engine_t", {0, 31});
  } else if (!IsAmong(type, kTypes)) {
    out.AddInBoth(StrCat("seLinuxOptions type ", type));
  }
}

// Adds what the securityContext of a Pod or of a container has.
void AddContext(const Value& pod_or_container, Found& out) {
  const auto field = [&](std::string_view name) { return ContextField(pod_or_container, name); };
  if (IsTrue(field("privileged"))) out.AddInBoth("privileged");
  if (const Value* windows = field("windowsOptions"); windows != nullptr && IsTrueAt(*windows, {"hostProcess"})) {
    out.AddInBoth("hostProcess");
  }
  if (const Value* seccomp = field("seccompProfile"); seccomp != nullptr && !IsConfined(*seccomp)) {
    out.Add(StrCat("seccompProfile ", TextAt(*seccomp, {"type"})), Versions{19}, out.NotForWindows(19));
  }
  if (const Value* armor = field("appArmorProfile"); armor != nullptr && !IsConfined(*armor)) {
    out.AddInBoth(StrCat("appArmorProfile ", TextAt(*armor, {"type"})));
  }
  const Value* proc = field("procMount");
  if (proc != nullptr && proc->is_string() && proc->AsString() != "Default") {
    out.Add(StrCat("procMount ", proc->AsString()), out.NotForOwnUsers(0), kAll);
  }
  if (const Value* selinux = field("seLinuxOptions"); selinux != nullptr) AddSelinux(*selinux, out);
}

// Older ways to say what securityContext says today.
void AddAnnotations(const Value& annotations, Found& out) {
  constexpr std::string_view kArmor = "container.apparmor.security.beta.kubernetes.io/";
  constexpr std::string_view kSeccomp[] = {"seccomp.security.alpha.kubernetes.io/pod",
                                           "container.seccomp.security.alpha.kubernetes.io/"};
  if (!annotations.is_object()) return;
  for (const Member& member : annotations.Members()) {
    const std::string_view value = member.value.is_string() ? member.value.AsString() : "";
    const bool is_local = value.starts_with("localhost/"), is_default = value == "runtime/default";
    if (member.name.starts_with(kArmor) && !value.empty() && !is_default && !is_local) {
      out.AddInBoth(StrCat("AppArmor ", value));
    }
    const bool is_seccomp = member.name == kSeccomp[0] || member.name.starts_with(kSeccomp[1]);
    if (is_seccomp && !is_default && !is_local && value != "docker/default") {
      out.AddInBoth(StrCat("seccomp ", value), {0, 19});
    }
  }
}

void AddSysctls(const Value& pod, Found& out) {
  constexpr std::pair<std::string_view, int> kSafeSince[] = {{"kernel.shm_rmid_forced", 0},
                                                             {"net.ipv4.ip_local_port_range", 0},
                                                             {"net.ipv4.ip_unprivileged_port_start", 0},
                                                             {"net.ipv4.ping_group_range", 0},
                                                             {"net.ipv4.tcp_syncookies", 0},
                                                             {"net.ipv4.ip_local_reserved_ports", 27},
                                                             {"net.ipv4.tcp_fin_timeout", 29},
                                                             {"net.ipv4.tcp_keepalive_intvl", 29},
                                                             {"net.ipv4.tcp_keepalive_probes", 29},
                                                             {"net.ipv4.tcp_keepalive_time", 29},
                                                             {"net.ipv4.tcp_rmem", 32},
                                                             {"net.ipv4.tcp_wmem", 32}};
  for (const Value& sysctl : ItemsAt(pod, {"securityContext", "sysctls"})) {
    const std::string_view name = TextAt(sysctl, {"name"});
    const auto safe = std::ranges::find(kSafeSince, name, [](const auto& entry) { return entry.first; });
    const Versions forbidden = safe == std::end(kSafeSince) ? kAll : Versions{0, safe->second};
    if (forbidden.before > 0) out.AddInBoth(StrCat("sysctl ", name), forbidden);
  }
}

// --- rules of the profile restricted

// A volume without a source is an emptyDir.
void AddVolumes(const Value& pod, Found& out) {
  constexpr std::array<std::string_view, 9> kAllowed = {"configMap", "csi",   "downwardAPI",           "emptyDir",
                                                        "ephemeral", "image", "persistentVolumeClaim", "projected",
                                                        "secret"};
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    for (const Member& member : volume.is_object() ? volume.Members() : std::span<const Member>()) {
      const bool is_source = member.name != "name" && !member.value.is_null();
      const bool is_told = member.name == "hostPath";  // as a rule of both
      if (is_source && !is_told && !IsAmong(member.name, kAllowed)) {
        out.AddInRestricted(StrCat("volume ", member.name), kAll);
      }
    }
  }
}

void AddUsers(const Value& pod, Found& out) {
  bool is_root = false, is_missing = false;
  const Value* of_pod = ContextField(pod, "runAsNonRoot");
  std::vector<const Value*> all = AllContainers(pod);
  for (const Value* container : all)
    is_missing |= !IsTrue(of_pod) && ContextField(*container, "runAsNonRoot") == nullptr;
  all.push_back(&pod);
  bool may_be_root = false;
  for (const Value* one : all) {
    may_be_root |= IsFalse(ContextField(*one, "runAsNonRoot"));
    const Value* user = ContextField(*one, "runAsUser");
    is_root |= user != nullptr && user->is_number() && IntAt(*one, {"securityContext", "runAsUser"}, 1) == 0;
  }
  if (may_be_root) out.AddInRestricted("runAsNonRoot is false", out.NotForOwnUsers(0));
  if (!may_be_root && is_missing) out.AddInRestricted("runAsNonRoot is not true", out.NotForOwnUsers(0));
  if (is_root) out.AddInRestricted("runAsUser 0", out.NotForOwnUsers(23));
}

void AddRestricted(const Value& pod, Found& out) {
  AddVolumes(pod, out);
  const Value* of_pod = ContextField(pod, "seccompProfile");
  const bool is_confined = of_pod != nullptr && IsConfined(*of_pod);
  for (const Value* container : AllContainers(pod)) {
    if (!IsFalse(ContextField(*container, "allowPrivilegeEscalation"))) {
      out.AddInRestricted("allowPrivilegeEscalation is not false", out.NotForWindows(8));
    }
    const std::vector<std::string> dropped = TextsAt(*container, {"securityContext", "capabilities", "drop"});
    if (std::ranges::find(dropped, "ALL") == dropped.end()) {
      out.AddInRestricted("capabilities are not dropped", out.NotForWindows(22));
    }
    if (!is_confined && ContextField(*container, "seccompProfile") == nullptr) {
      out.AddInRestricted("no seccompProfile", out.NotForWindows(19));
    }
  }
  AddUsers(pod, out);
}

}  // namespace

std::vector<std::string> HostNamespaces(const Value& pod) {
  std::vector<std::string> out;
  for (const char* name : {"hostIPC", "hostNetwork", "hostPID"}) {
    if (IsTrueAt(pod, {name})) out.emplace_back(name);
  }
  return out;
}

std::vector<std::string> HostPaths(const Value& pod) {
  std::vector<std::string> out;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    const std::string_view path = TextAt(volume, {"hostPath", "path"});
    if (!path.empty()) out.push_back(StrCat("hostPath ", path));
  }
  return out;
}

std::vector<Forbidden> ForbiddenIn(const Value& whole) {
  const Value* spec = whole.Find("spec");
  const Value none = Value::UnownedObject({});
  const Value& pod = spec != nullptr && spec->is_object() ? *spec : none;
  Found out(pod);
  for (std::string& name : HostNamespaces(pod)) out.AddInBoth(std::move(name));
  for (std::string& path : HostPaths(pod)) out.AddInBoth(std::move(path));
  AddContext(pod, out);
  for (const Value* container : AllContainers(pod)) {
    AddContext(*container, out);
    AddCapabilities(*container, out);
    AddHostPorts(pod, *container, out);
    AddHostsOfProbes(*container, out);
  }
  AddSysctls(pod, out);
  if (const Value* annotations = whole.FindPath({"metadata", "annotations"})) AddAnnotations(*annotations, out);
  AddRestricted(pod, out);
  return out.Take();
}

PodSecurity PodSecurityOf(const Value& name_space) {
  const auto label = [&](std::string_view name) {
    return TextAt(name_space, {"metadata", "labels", StrCat(kPodSecurity, name)});
  };
  PodSecurity out = {std::string(label("enforce")), std::nullopt};
  if (const auto pinned = ParseRelease(label("enforce-version"))) out.version = pinned->minor;
  return out;
}

std::vector<std::string> ForbiddenBy(const PodSecurity& enforced, const std::vector<Forbidden>& found,
                                     std::optional<int> newest) {
  const int last = newest.value_or(std::numeric_limits<int>::max() - 1);
  const int version = std::min(enforced.version.value_or(last), last);
  std::vector<std::string> out;
  for (const Forbidden& one : found) {
    const std::optional<Versions>& versions = enforced.level == "restricted" ? one.restricted
                                              : enforced.level == "baseline" ? one.baseline
                                                                             : std::nullopt;
    if (versions && versions->contain(version)) out.push_back(one.what);
  }
  return out;
}

}  // namespace smp::explain
