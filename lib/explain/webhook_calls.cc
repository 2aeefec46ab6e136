#include "explain/webhook_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/access_facts.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::explain {

namespace {

using NameSet = std::set<std::string>;

constexpr const char* kSelectors[] = {"matchConditions", "namespaceSelector", "objectSelector"};

// Returns what chooses objects, as JSON; "" if all are meant.
std::string SelectorsOf(const Value& webhook) {
  std::string out;
  for (const char* name : kSelectors) {
    const Value* value = webhook.Find(name);
    const bool chooses = value != nullptr && !value->is_scalar() && !value->empty();
    if (chooses) out += StrCat(name, WriteJson(*value));
  }
  return out;
}

// A webhook of v1 fails unless it says otherwise.
bool Refuses(const Value& webhook, bool is_beta) {
  const std::string_view policy = TextAt(webhook, {"failurePolicy"});
  return policy == "Fail" || (policy.empty() && !is_beta);
}

// All resources come first, then those of Kubernetes, then custom ones.
enum class Reach { kAll, kKubernetes, kCustom };

struct CalledResource {
  Reach reach = Reach::kKubernetes;
  std::string group, name;
  auto operator<=>(const CalledResource&) const = default;
};

CalledResource ResourceOf(std::string_view name, std::string_view group) {
  const bool is_custom = group.find('.') != group.npos && !group.ends_with(".k8s.io");
  const Reach reach = group == "*" ? Reach::kAll : is_custom ? Reach::kCustom : Reach::kKubernetes;
  return {reach, std::string(group), std::string(name == "*/*" ? "*" : name)};
}

// Who is asked, and about which objects.
using Receiver = std::pair<std::string, std::string>;  // with the selectors
// What each is asked about: the operations of each resource.
using Calls = std::map<Receiver, std::map<CalledResource, NameSet>>;

void AddRule(const Value& rule, std::map<CalledResource, NameSet>& out) {
  NameSet operations;
  for (const std::string& name : TextsAt(rule, {"operations"})) {
    operations.insert(name == "*" ? "all requests" : ToLower(name));
  }
  for (const std::string& group : TextsAt(rule, {"apiGroups"})) {
    for (const std::string& name : TextsAt(rule, {"resources"})) {
      out[ResourceOf(name, group)].insert(operations.begin(), operations.end());
    }
  }
}

// Returns the calls whose failure refuses a request.
Calls CallsOf(const Value& object) {
  Calls out;
  if (!object.is_object()) return out;
  const bool is_beta = object.StringOr("apiVersion").ends_with("beta1");
  for (const Value& webhook : ItemsAt(object, {"webhooks"})) {
    if (!webhook.is_object() || !Refuses(webhook, is_beta)) continue;
    auto& calls = out[{ReceiverOf(webhook), SelectorsOf(webhook)}];
    for (const Value& rule : ItemsAt(webhook, {"rules"})) AddRule(rule, calls);
  }
  return out;
}

bool Has(const Calls& calls, const Receiver& receiver, const CalledResource& resource, const NameSet& operations) {
  const auto of_receiver = calls.find(receiver);
  if (of_receiver == calls.end()) return false;
  const auto at = of_receiver->second.find(resource);
  return at != of_receiver->second.end() && std::ranges::includes(at->second, operations);
}

// Calls that are told together: of all objects or of some, with the same operations, to the same receiver.
using Alike = std::tuple<bool, NameSet, std::string>;

// Returns "pods, services", "all of apps", "all resources", or "backups, clusters of db.example.com".
std::string InGroup(std::string_view group, std::vector<std::string> names) {
  constexpr size_t kMostNames = 3;
  const bool is_all = std::ranges::find(names, "*") != names.end();
  if (group == "*") return is_all ? "all resources" : NameSome(std::move(names), kMostNames);
  if (is_all) return StrCat("all of ", group.empty() ? "the core group" : group);
  const bool is_custom = ResourceOf("", group).reach == Reach::kCustom;
  return StrCat(NameSome(std::move(names), kMostNames), is_custom ? StrCat(" of ", group) : "");
}

std::string InWords(const Alike& alike, const std::set<CalledResource>& resources) {
  constexpr size_t kMostGroups = 3;
  const auto& [of_some, operations, receiver] = alike;
  std::vector<std::pair<std::string_view, std::vector<std::string>>> groups;
  for (const CalledResource& resource : resources) {
    if (groups.empty() || groups.back().first != resource.group) groups.push_back({resource.group, {}});
    groups.back().second.push_back(resource.name);
  }
  std::vector<std::string> words;
  for (auto& [group, names] : groups) words.push_back(InGroup(group, std::move(names)));
  return StrCat(Join(std::vector<std::string>(operations.begin(), operations.end()), ", "), " of ",
                of_some ? "some " : "", NameSome(std::move(words), kMostGroups), ", by ", receiver);
}

}  // namespace

std::vector<std::string> NewCalls(const Value& before, const Value& after) {
  if (!after.is_object() || !after.StringOr("kind").ends_with("WebhookConfiguration")) return {};
  const Calls old = CallsOf(before);
  std::map<Alike, std::set<CalledResource>> told;
  for (const auto& [receiver, calls] : CallsOf(after)) {
    for (const auto& [resource, operations] : calls) {
      if (Has(old, receiver, resource, operations)) continue;
      told[{!receiver.second.empty(), operations, receiver.first}].insert(resource);
    }
  }
  std::vector<std::pair<Reach, std::string>> ranked;
  for (const auto& [alike, resources] : told) ranked.emplace_back(resources.begin()->reach, InWords(alike, resources));
  std::ranges::stable_sort(ranked, {}, &std::pair<Reach, std::string>::first);
  std::vector<std::string> out;
  for (auto& [reach, words] : ranked) out.push_back(std::move(words));
  return out;
}

std::vector<std::string> CalledServices(const Value& object) {
  if (!object.StringOr("kind").ends_with("WebhookConfiguration")) return {};
  NamesOnce out;
  for (const Value& webhook : ItemsAt(object, {"webhooks"})) {
    if (TextAt(webhook, {"clientConfig", "service", "name"}).empty()) return {};
    out.Add(ReceiverOf(webhook));
  }
  return out.all();
}

}  // namespace smp::explain
