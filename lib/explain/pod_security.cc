#include "explain/pod_security.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "value/at.h"

namespace smp::explain {

namespace {

std::vector<const Value*> AllContainers(const Value& pod) {
  std::vector<const Value*> out;
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const Value& container : ItemsAt(pod, {list})) {
      if (container.is_object()) out.push_back(&container);
    }
  }
  return out;
}

// The securityContext of the Pod and of each container; nullptr where there is none.
std::vector<const Value*> ContextsOf(const Value& pod) {
  std::vector<const Value*> out = {pod.Find("securityContext")};
  for (const Value* container : AllContainers(pod)) out.push_back(container->Find("securityContext"));
  std::erase_if(out, [](const Value* context) { return context == nullptr || !context->is_object(); });
  return out;
}

template <size_t N>
bool IsAmong(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

void AddCapabilities(const Value& container, NamesOnce& out) {
  constexpr std::array<std::string_view, 13> kAllowed = {
      "AUDIT_WRITE",      "CHOWN",   "DAC_OVERRIDE", "FOWNER",  "FSETID", "KILL",      "MKNOD",
      "NET_BIND_SERVICE", "SETFCAP", "SETGID",       "SETPCAP", "SETUID", "SYS_CHROOT"};
  for (const std::string& name : TextsAt(container, {"securityContext", "capabilities", "add"})) {
    if (!IsAmong(name, kAllowed)) out.Add(StrCat("capability ", name));
  }
}

// In the network of the host, each port is one of it.
void AddHostPorts(const Value& pod, const Value& container, NamesOnce& out) {
  if (IsTrueAt(pod, {"hostNetwork"})) return;
  for (const Value& port : ItemsAt(container, {"ports"})) {
    if (const int64_t number = IntAt(port, {"hostPort"}); number != 0) out.Add(StrCat("hostPort ", number));
  }
}

void AddProbeHosts(const Value& container, NamesOnce& out) {
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    for (const char* way : {"httpGet", "tcpSocket"}) {
      if (!TextAt(container, {probe, way, "host"}).empty()) out.Add(StrCat("host of the ", probe));
    }
  }
}

void AddContext(const Value& context, NamesOnce& out) {
  constexpr std::array<std::string_view, 5> kSelinux = {"", "container_t", "container_init_t", "container_kvm_t",
                                                        "container_engine_t"};
  if (IsTrueAt(context, {"privileged"})) out.Add("privileged");
  if (IsTrueAt(context, {"windowsOptions", "hostProcess"})) out.Add("hostProcess");
  if (TextAt(context, {"seccompProfile", "type"}) == "Unconfined") out.Add("seccompProfile Unconfined");
  if (TextAt(context, {"appArmorProfile", "type"}) == "Unconfined") out.Add("appArmorProfile Unconfined");
  const std::string_view proc = TextAt(context, {"procMount"});
  if (!proc.empty() && proc != "Default") out.Add(StrCat("procMount ", proc));
  const bool selinux = IsAmong(TextAt(context, {"seLinuxOptions", "type"}), kSelinux) &&
                       TextAt(context, {"seLinuxOptions", "user"}).empty() &&
                       TextAt(context, {"seLinuxOptions", "role"}).empty();
  if (!selinux) out.Add("seLinuxOptions");
}

void AddSysctls(const Value& pod, NamesOnce& out) {
  constexpr std::array<std::string_view, 10> kSafe = {
      "kernel.shm_rmid_forced",       "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start",
      "net.ipv4.tcp_syncookies",      "net.ipv4.ping_group_range",    "net.ipv4.ip_local_reserved_ports",
      "net.ipv4.tcp_keepalive_time",  "net.ipv4.tcp_fin_timeout",     "net.ipv4.tcp_keepalive_intvl",
      "net.ipv4.tcp_keepalive_probes"};
  for (const Value& sysctl : ItemsAt(pod, {"securityContext", "sysctls"})) {
    const std::string_view name = TextAt(sysctl, {"name"});
    if (!IsAmong(name, kSafe)) out.Add(StrCat("sysctl ", name));
  }
}

// Returns true if `is_fine` holds for what each container says, or for what the Pod says where a container says nothing.
bool HoldsForEach(const Value& pod, std::string_view field, const std::function<bool(const Value&)>& is_fine) {
  const Value* of_pod = pod.FindPath({"securityContext", field});
  return std::ranges::all_of(AllContainers(pod), [&](const Value* container) {
    const Value* own = container->FindPath({"securityContext", field});
    const Value* counts = own != nullptr ? own : of_pod;
    return counts != nullptr && is_fine(*counts);
  });
}

bool IsTrue(const Value& value) { return value.is_bool() && value.AsBool(); }

bool IsConfined(const Value& profile) {
  const std::string_view type = TextAt(profile, {"type"});
  return type == "RuntimeDefault" || type == "Localhost";
}

bool DropsAll(const Value& container) {
  const std::vector<std::string> dropped = TextsAt(container, {"securityContext", "capabilities", "drop"});
  return std::ranges::find(dropped, "ALL") != dropped.end();
}

void AddVolumes(const Value& pod, NamesOnce& out) {
  constexpr std::array<std::string_view, 9> kAllowed = {
      "name",      "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim",
      "projected", "secret"};
  for (const Value& volume : ItemsAt(pod, {"volumes"})) {
    for (const Member& member : volume.is_object() ? volume.Members() : std::span<const Member>()) {
      const bool is_told = member.name == "hostPath";  // by the baseline
      if (!is_told && !IsAmong(member.name, kAllowed)) out.Add(StrCat("volume ", member.name));
    }
  }
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

std::vector<std::string> ForbiddenByBaseline(const Value& pod) {
  NamesOnce out;
  for (std::string& name : HostNamespaces(pod)) out.Add(std::move(name));
  for (std::string& path : HostPaths(pod)) out.Add(std::move(path));
  for (const Value* context : ContextsOf(pod)) AddContext(*context, out);
  for (const Value* container : AllContainers(pod)) {
    AddCapabilities(*container, out);
    AddHostPorts(pod, *container, out);
    AddProbeHosts(*container, out);
  }
  AddSysctls(pod, out);
  return out.all();
}

std::vector<std::string> ForbiddenByRestricted(const Value& pod) {
  NamesOnce out;
  if (TextAt(pod, {"os", "name"}) == "windows") return {};  // some rules are not for it
  AddVolumes(pod, out);
  const auto containers = AllContainers(pod);
  const auto escalates = [](const Value* container) {
    const Value* may = container->FindPath({"securityContext", "allowPrivilegeEscalation"});
    return may == nullptr || !may->is_bool() || may->AsBool();
  };
  if (std::ranges::any_of(containers, escalates)) out.Add("allowPrivilegeEscalation is not false");
  if (!std::ranges::all_of(containers, [](const Value* container) { return DropsAll(*container); })) {
    out.Add("capabilities are not dropped");
  }
  const bool has_own_users = pod.Find("hostUsers") != nullptr && !IsTrueAt(pod, {"hostUsers"});
  if (!has_own_users && !HoldsForEach(pod, "runAsNonRoot", IsTrue)) out.Add("runAsNonRoot is not true");
  if (!HoldsForEach(pod, "seccompProfile", IsConfined)) out.Add("no seccompProfile");
  return out.all();
}

}  // namespace smp::explain
