#include "cmd/port_users.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/object_names.h"
#include "explain/port_facts.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

constexpr size_t kMostNamespaces = 4;  // for each are two requests

bool LosesPorts(const explain::ObjectReport& object) {
  const bool changes = object.action == explain::Action::kChange || object.action == explain::Action::kRecreate;
  return changes && !std::ranges::includes(object.ports_after.ports, object.ports_before.ports);
}

bool LosesPort(const explain::ObjectReport& object, const explain::NamedPort& named) {
  const bool is_it = named.of == explain::NamedPort::Of::kPods
                         ? explain::Selects(named.selector, object.reach.pods_after)
                         : object.kind == "Service" && object.name == named.service;
  return is_it && named.namespaces.contains(object.name_space) && object.ports_before.ports.contains(named.port) &&
         !object.ports_after.ports.contains(named.port);
}

// Adds the ports that an object outside of the input names.
void AddUser(const std::string& name, const Value& user, const std::vector<explain::ObjectReport*>& losing) {
  for (const explain::NamedPort& named : explain::PortFactsOf(user).needed) {
    for (explain::ObjectReport* object : losing) {
      if (LosesPort(*object, named)) object->ports_of_others.emplace_back(name, named);
    }
  }
}

std::vector<kube::ObjectRef> CollectionsIn(const std::set<std::string>& namespaces) {
  std::vector<kube::ObjectRef> out;
  for (const std::string& name_space : namespaces) {
    out.push_back({{"networking.k8s.io", "v1", "Ingress"}, "ingresses", name_space, ""});
    out.push_back({{"", "v1", "Service"}, "services", name_space, ""});
  }
  return out;
}

}  // namespace

void FindPortUsers(kube::Client& client, explain::Report& report) {
  std::vector<explain::ObjectReport*> losing;
  std::set<std::string> namespaces;
  std::set<explain::ObjectName> input;
  for (explain::ObjectReport& object : report.objects) {
    input.insert(explain::NameOfObject(object));
    if (!LosesPorts(object)) continue;
    losing.push_back(&object);
    namespaces.insert(object.name_space);
  }
  if (namespaces.size() > kMostNamespaces) return;
  for (const kube::ObjectRef& collection : CollectionsIn(namespaces)) {
    const Result<Document> list = client.List(collection, "");
    if (!list.ok()) continue;
    const std::string& kind = collection.gvk.kind;
    for (const Value& user : ItemsAt(list->root(), {"items"})) {
      const std::string_view name = TextAt(user, {"metadata", "name"});
      if (!input.contains({kind, collection.name_space, name})) AddUser(StrCat(kind, " ", name), user, losing);
    }
  }
}

}  // namespace smp::cmd
