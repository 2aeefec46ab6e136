#include "cmd/default_classes.h"

#include <algorithm>
#include <set>
#include <string>

#include "cmd/missing_needs.h"
#include "explain/object_names.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

// Returns the names of those that are the default on the server.
std::set<std::string> DefaultsOnServer(kube::Client& client, const std::string& kind) {
  std::set<std::string> out;
  const Result<Document> list = client.List(RefOf({.kind = kind, .name = {}}, ""), "");
  if (!list.ok()) return out;
  for (const Value& one : ItemsAt(list->root(), {"items"})) {
    if (explain::IsDefaultClass(one)) out.emplace(TextAt(one, {"metadata", "name"}));
  }
  return out;
}

}  // namespace

void FindOtherDefaults(kube::Client& client, explain::Report& report) {
  for (const std::string kind : {"StorageClass", "IngressClass"}) {
    const auto becomes = [&](const explain::ObjectReport& object) {
      return object.kind == kind && object.becomes_default && object.differs();
    };
    if (std::ranges::none_of(report.objects, becomes)) continue;
    std::set<std::string> defaults = DefaultsOnServer(client, kind);
    for (const explain::ObjectReport& object : report.objects) {
      if (object.kind != kind || object.action == explain::Action::kError) continue;
      if (object.is_default && object.action != explain::Action::kPrune) {
        defaults.insert(object.name);
      } else {
        defaults.erase(object.name);
      }
    }
    for (explain::ObjectReport& object : report.objects) {
      if (!becomes(object)) continue;
      for (const std::string& name : defaults) {
        if (name != object.name) object.other_defaults.push_back(name);
      }
    }
  }
}

}  // namespace smp::cmd
