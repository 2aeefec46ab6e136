#include "cmd/missing_services.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smp::cmd {

namespace {

using ServiceName = std::pair<std::string, std::string>;  // namespace, name

struct Naming {
  explain::ObjectReport* object;
  std::string words;
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
  std::map<ServiceName, std::vector<Naming>> asked;
  for (explain::ObjectReport& object : report.objects) {
    for (const auto& [name_space, name, words] : object.services) {
      const ServiceName service(name_space, name);
      if (in_input.contains(service) || !kube::CheckPathSegments(RefOf(service)).ok()) continue;
      asked[service].push_back({&object, words});
    }
  }
  if (asked.empty() || asked.size() > kMost) return;
  std::vector<kube::ObjectRef> refs;
  for (const auto& [service, namings] : asked) refs.push_back(RefOf(service));
  const std::vector<Result<Document>> answers = client.GetAllMetadata(refs);
  auto answer = answers.begin();
  for (const auto& [service, namings] : asked) {
    const bool is_missing = !answer->ok() && answer->error().code == ErrorCode::kNotFound;
    ++answer;
    for (const Naming& naming : namings) {
      if (is_missing) naming.object->no_service.push_back(naming.words);
    }
  }
}

}  // namespace smp::cmd
