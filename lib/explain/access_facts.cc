#include "explain/access_facts.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/pod_security.h"
#include "explain/role_facts.h"
#include "explain/webhook_calls.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::explain {

namespace {

// Returns "monitoring/adapter", or an URL; "" if the API server answers itself.
std::string Receiver(const Value& config) {
  const std::string_view url = TextAt(config, {"url"}), name = TextAt(config, {"service", "name"});
  if (!url.empty() || name.empty()) return std::string(url);
  return StrCat(TextAt(config, {"service", "namespace"}), "/", name);
}

void AddReceiver(std::string name, const Value* config, std::map<std::string, std::string>& out) {
  if (config != nullptr && config->is_object()) out[std::move(name)] = Receiver(*config);
}

// Returns who gets the requests: of webhooks by their names, of others by "".
std::map<std::string, std::string> Receivers(const Value& object) {
  std::map<std::string, std::string> out;
  if (object.StringOr("kind") == "APIService") AddReceiver("", object.Find("spec"), out);
  AddReceiver("", object.FindPath({"spec", "conversion", "webhook", "clientConfig"}), out);
  for (const Value& webhook : ItemsAt(object, {"webhooks"})) {
    AddReceiver(std::string(TextAt(webhook, {"name"})), webhook.FindPath({"clientConfig"}), out);
  }
  return out;
}

std::vector<std::string> Redirects(const Value& before, const Value& after) {
  const auto in_words = [](const std::string& receiver) { return receiver.empty() ? "the API server" : receiver; };
  const std::map<std::string, std::string> old = Receivers(before);
  NamesOnce out;
  for (const auto& [name, receiver] : Receivers(after)) {
    const auto at = old.find(name);
    if (at == old.end() || at->second == receiver) continue;
    out.Add(StrCat(in_words(at->second), " → ", in_words(receiver)));
  }
  return out.all();
}

// Returns how much the level forbids. The API server may have another default than this.
int Strictness(std::string_view level) { return level == "restricted" ? 2 : level == "baseline" ? 1 : 0; }

// Sets `stricter` or `laxer`.
void CompareLevels(const Value& before, const Value& after, AccessFacts& out) {
  if (after.StringOr("kind") != "Namespace") return;
  const std::string old = PodSecurityOf(before).level, now = PodSecurityOf(after).level;
  const int change = Strictness(now) - Strictness(old);
  const auto name = [](const std::string& level) { return level.empty() ? "no level" : level; };
  if (change != 0) (change > 0 ? out.stricter : out.laxer) = StrCat(name(old), " → ", name(now));
}

}  // namespace

std::string ReceiverOf(const Value& webhook) {
  const Value* config = webhook.Find("clientConfig");
  return config == nullptr || !config->is_object() ? "" : Receiver(*config);
}

namespace {

// Returns "cluster-admin to Group dev" of a binding that is new, or gets another role, if the role is one of Kubernetes that allows all,
// or if everybody gets it; "" of others. What other roles allow, they tell themselves.
std::string BindsAnew(const Value& before, const Value& after) {
  constexpr size_t kMost = 2;
  constexpr std::string_view kEverybody[] = {"Group system:authenticated", "Group system:unauthenticated",
                                             "User system:anonymous"};
  if (!after.StringOr("kind").ends_with("RoleBinding")) return {};
  const std::string_view role = TextAt(after, {"roleRef", "name"});
  if (before.is_object() && TextAt(before, {"roleRef", "name"}) == role) return {};
  std::vector<std::string> subjects = SubjectsOf(after);
  const bool to_all = std::ranges::any_of(subjects, [&](const std::string& subject) {
    return std::ranges::find(kEverybody, subject) != std::end(kEverybody);
  });
  const bool allows_all = role == "cluster-admin" || role == "admin";
  if (subjects.empty() || (!allows_all && !to_all)) return {};
  return StrCat(role, " to ", NameSome(std::move(subjects), kMost));
}

}  // namespace

AccessFacts AccessFactsOf(const Value& before, const Value& after) {
  if (!after.is_object()) return {};
  if (!before.is_object()) return {.binds = BindsAnew(before, after), .new_calls = NewCalls(before, after)};
  const bool binds = after.StringOr("kind").ends_with("RoleBinding");
  const std::vector<std::string> none, old = binds ? SubjectsOf(before) : none, now = binds ? SubjectsOf(after) : none;
  AccessFacts out = {.redirects = Redirects(before, after),
                     .lost_by = TextsNotIn(now, old),
                     .given_to = TextsNotIn(old, now),
                     .binds = BindsAnew(before, after),
                     .new_calls = NewCalls(before, after)};
  CompareLevels(before, after, out);
  return out;
}

TrafficPolicy PolicyOf(const Value& object) {
  if (object.StringOr("kind") != "NetworkPolicy") return {};
  const auto allows_all = [&](std::string_view rules) {
    return std::ranges::any_of(ItemsAt(object, {"spec", rules}),
                               [](const Value& rule) { return rule.is_object() && rule.empty(); });
  };
  const std::vector<std::string> types = TextsAt(object, {"spec", "policyTypes"});
  const auto concerns = [&](std::string_view type) { return std::ranges::find(types, type) != types.end(); };
  const bool egress = concerns("Egress") || (types.empty() && !ItemsAt(object, {"spec", "egress"}).empty());
  const bool ingress = concerns("Ingress") || types.empty();
  TrafficPolicy out = {.spec = StrCat(ingress ? "ingress " : "", egress ? "egress " : ""),
                       .allows_all = (!ingress || allows_all("ingress")) && (!egress || allows_all("egress"))};
  for (const char* field : {"podSelector", "ingress", "egress"}) {
    const Value* value = object.FindPath({"spec", field});
    if (value != nullptr && !value->is_null()) out.spec += StrCat(field, WriteJson(*value));
  }
  return out;
}

}  // namespace smp::explain
