#include "cmd/named_objects.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cmd/missing_needs.h"

namespace smp::cmd {

namespace {

using Name = std::tuple<std::string, std::string, std::string>;  // kind, namespace, name

struct Naming {
  explain::ObjectReport* object;
  std::string words;
};

// What the input brings, and what controllers make of it: ExternalSecrets and SealedSecrets have the name of their Secret.
class InInput {
 public:
  explicit InInput(const explain::Report& report) {
    for (const explain::ObjectReport& object : report.objects) {
      if (object.action == explain::Action::kPrune) gone_.emplace(object.kind, object.name_space, object.name);
      if (object.action == explain::Action::kError || object.action == explain::Action::kPrune) continue;
      const bool makes_it = object.kind.ends_with("Secret");
      names_.emplace(makes_it ? "Secret" : object.kind, object.name_space, object.name);
      if (object.kind == "Certificate") certified_.insert(object.name_space);
    }
  }

  // Returns true if the apply deletes it.
  bool Loses(const Name& name) const { return gone_.contains(name); }

  bool Has(const explain::NamedObject& named) const {
    const bool is_made = named.kind == "Secret" && certified_.contains(named.name_space);
    return is_made || names_.contains({named.kind, named.name_space, named.name});
  }

 private:
  std::set<Name> names_, gone_;
  std::set<std::string> certified_;  // namespaces
};

kube::ObjectRef ToRef(const Name& name) {
  const auto& [kind, name_space, own_name] = name;
  return RefOf(explain::NeededObject{.kind = kind, .name = own_name}, name_space);
}

std::vector<std::string>& MissingOf(const std::string& kind, explain::ObjectReport& object) {
  return kind == "Service" ? object.no_service : kind == "Secret" ? object.no_certificate : object.no_class;
}

}  // namespace

void FindMissingNamed(kube::Client& client, explain::Report& report) {
  constexpr size_t kMost = 64;  // each is a request
  const InInput in_input(report);
  std::map<Name, std::vector<Naming>> asked;
  for (explain::ObjectReport& object : report.objects) {
    for (const explain::NamedObject& named : object.names) {
      const Name name(named.kind, named.name_space, named.name);
      const bool is_asked = asked.size() < kMost || asked.contains(name);
      if (!is_asked || in_input.Has(named) || !kube::CheckPathSegments(ToRef(name)).ok()) continue;
      asked[name].push_back({&object, named.words});
    }
  }
  if (asked.empty()) return;
  std::vector<kube::ObjectRef> refs;
  for (const auto& [name, namings] : asked) refs.push_back(ToRef(name));
  const std::vector<Result<Document>> answers = client.GetAllMetadata(refs);
  auto answer = answers.begin();
  for (const auto& [name, namings] : asked) {
    const bool is_missing = in_input.Loses(name) || (!answer->ok() && answer->error().code == ErrorCode::kNotFound);
    ++answer;
    for (const Naming& naming : namings) {
      explain::ObjectReport& object = *naming.object;
      if (is_missing) MissingOf(std::get<0>(name), object).push_back(naming.words);
    }
  }
}

}  // namespace smp::cmd
