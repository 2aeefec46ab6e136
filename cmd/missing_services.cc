#include "cmd/missing_services.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/changed_hosts.h"

namespace smp::cmd {

namespace {

using ServiceName = std::pair<std::string, std::string>;  // namespace, name

struct NamedHost {
  explain::ObjectReport* object;
  std::string host;
};

std::set<ServiceName> ServicesInInput(const explain::Report& report) {
  std::set<ServiceName> out;
  for (const explain::ObjectReport& object : report.objects) {
    const bool comes = object.kind == "Service" && object.api_version == "v1" &&
                       object.action != explain::Action::kError && object.action != explain::Action::kPrune;
    if (comes) out.emplace(object.name_space, object.name);
  }
  return out;
}

kube::ObjectRef RefOf(const ServiceName& service) {
  return {{"", "v1", "Service"}, "services", service.first, service.second};
}

}  // namespace

void FindMissingServices(kube::Client& client, explain::Report& report) {
  constexpr size_t kMost = 16;
  const std::set<ServiceName> in_input = ServicesInInput(report);
  std::map<ServiceName, std::vector<NamedHost>> asked;
  for (explain::ObjectReport& object : report.objects) {
    for (const explain::ChangedHost& changed : explain::ChangedHosts(object)) {
      const ServiceName service = explain::ServiceOf(changed.after, object.name_space);
      const bool is_known = service.second.empty() || in_input.contains(service);
      if (!is_known && kube::CheckPathSegments(RefOf(service)).ok())
        asked[service].push_back({&object, std::string(changed.after)});
    }
  }
  if (asked.empty() || asked.size() > kMost) return;
  std::vector<kube::ObjectRef> refs;
  for (const auto& [service, hosts] : asked) refs.push_back(RefOf(service));
  const std::vector<Result<Document>> answers = client.GetAllMetadata(refs);
  auto answer = answers.begin();
  for (const auto& [service, hosts] : asked) {
    const bool is_missing = !answer->ok() && answer->error().code == ErrorCode::kNotFound;
    ++answer;
    for (const NamedHost& named : hosts) {
      if (is_missing) named.object->no_service.insert(named.host);
    }
  }
}

}  // namespace smp::cmd
