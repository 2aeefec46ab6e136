#include "cmd/named_objects.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cmd/missing_needs.h"

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

kube::ObjectRef ToRef(const ServiceName& service) {
  return RefOf(explain::NeededObject{.kind = "Service", .name = service.second}, service.first);
}

}  // namespace

void FindMissingNamed(kube::Client& client, explain::Report& report) {
  constexpr size_t kMost = 16;
  const std::set<ServiceName> in_input = ServicesInInput(report);
  std::map<ServiceName, std::vector<Naming>> asked;
  for (explain::ObjectReport& object : report.objects) {
    for (const auto& [name_space, name, words] : object.services) {
      const ServiceName service(name_space, name);
      if (in_input.contains(service) || !kube::CheckPathSegments(ToRef(service)).ok()) continue;
      asked[service].push_back({&object, words});
    }
  }
  if (asked.empty() || asked.size() > kMost) return;
  std::vector<kube::ObjectRef> refs;
  for (const auto& [service, namings] : asked) refs.push_back(ToRef(service));
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
