#include "cmd/node_labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "value/at.h"

namespace smp::cmd {

namespace {

enum class Found { kSome, kNone, kUnknown };

Found NodesWith(kube::Client& client, const std::string& label) {
  const kube::ObjectRef nodes = {{"", "v1", "Node"}, "nodes", "", ""};
  const Result<Document> page = client.ListPage(nodes, {.label_selector = label, .limit = 1});
  if (!page.ok()) return Found::kUnknown;
  const bool complete = TextAt(page->root(), {"metadata", "continue"}).empty();
  return !ItemsAt(page->root(), {"items"}).empty() ? Found::kSome : complete ? Found::kNone : Found::kUnknown;
}

}  // namespace

void FindNodes(kube::Client& client, explain::Report& report) {
  constexpr size_t kMost = 8;  // each is a request
  std::set<std::string> labels;
  for (const explain::ObjectReport& object : report.objects) {
    if (object.starts_pods()) labels.insert(object.pods.nodes.begin(), object.pods.nodes.end());
  }
  if (labels.size() > kMost) return;
  std::map<std::string, Found> found;
  for (const std::string& label : labels) found.emplace(label, NodesWith(client, label));
  for (explain::ObjectReport& object : report.objects) {
    if (!object.starts_pods()) continue;
    std::vector<std::string>& nodes = object.pods.nodes;
    std::ranges::copy_if(nodes, std::back_inserter(object.pods.no_node),
                         [&](const std::string& label) { return found.at(label) == Found::kNone; });
    std::erase_if(nodes, [&](const std::string& label) { return found.at(label) != Found::kUnknown; });
  }
}

}  // namespace smp::cmd
