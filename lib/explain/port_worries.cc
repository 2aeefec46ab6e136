#include "explain/port_worries.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/name_some.h"
#include "base/strings.h"

namespace smp::explain {

namespace {

constexpr size_t kMostPortsNamed = 4;
constexpr size_t kMostProviders = 1000;  // that are looked through for each selector

struct Provider {
  const ObjectReport* object;
  const PortFacts* facts;
};

// What has ports, either before the apply or after it.
class Providers {
 public:
  Providers(const Objects& objects, bool after) {
    for (const ObjectReport* object : objects) {
      const bool changes = after && object->action != Action::kError;
      if (after && object->action == Action::kPrune) continue;
      const PortFacts& facts = changes ? object->ports_after : object->ports_before;
      const bool is_service = object->kind == "Service";
      // A headless Service needs no ports.
      if (is_service ? facts.ports.empty() : facts.labels.empty()) continue;
      auto& some = is_service ? services_[facts.name_space] : pods_[facts.name_space];
      some.push_back({object, &facts});
    }
  }

  // Returns those that the port may be of.
  std::vector<Provider> Of(const NamedPort& need) const {
    std::vector<Provider> out;
    const auto& all = need.of == NamedPort::Of::kService ? services_ : pods_;
    for (const auto& [name_space, some] : all) {
      if (!need.everywhere && !need.namespaces.contains(std::string(name_space))) continue;
      if (some.size() > kMostProviders) continue;
      for (const Provider& provider : some) {
        const bool is_it = need.service.empty() ? Selects(need.selector, provider.facts->labels)
                                                : provider.facts->name == need.service;
        if (is_it) out.push_back(provider);
      }
    }
    return out;
  }

 private:
  std::map<std::string_view, std::vector<Provider>> services_, pods_;  // by the namespace
};

bool HasPort(const Provider& provider, const std::string& port) { return provider.facts->ports.contains(port); }

// Returns true if there is something that may have the port, and nothing has it.
bool IsMissing(const NamedPort& need, const std::vector<Provider>& providers) {
  return !providers.empty() &&
         std::ranges::none_of(providers, [&](const Provider& provider) { return HasPort(provider, need.port); });
}

bool IsNumber(const std::string& port) { return std::ranges::all_of(port, IsDigit); }

// Returns the names, or the numbers where none has a name.
std::string PortsOf(const Provider& provider, bool numbers) {
  NamesOnce names;
  for (const std::string& port : provider.facts->ports) {
    if (IsNumber(port) == numbers) names.Add(port);
  }
  return names.empty() ? "none" : names.Some(kMostPortsNamed);
}

// Returns "metrics: Service web has http, probes".
std::string InWords(const NamedPort& need, const std::vector<Provider>& providers) {
  const Provider& first = providers.front();
  const size_t more = providers.size() - 1;
  return StrCat(need.port, ": ", first.object->kind, " ", first.object->name, " has ",
                PortsOf(first, IsNumber(need.port)), more == 0 ? "" : StrCat(", ", more, " more do not have it"));
}

// Pods answer on each number, whether they declare it or not: one counts as gone that they declared before, if they declare others now.
bool IsGone(const NamedPort& need, const Providers& before, const std::vector<Provider>& after) {
  if (!IsMissing(need, after)) return false;
  const bool may_be_undeclared = need.of == NamedPort::Of::kPods && IsNumber(need.port);
  const auto has = [&](const Provider& provider) { return HasPort(provider, need.port); };
  const auto declares = [](const Provider& provider) { return std::ranges::any_of(provider.facts->ports, IsNumber); };
  return !may_be_undeclared || (std::ranges::any_of(before.Of(need), has) && std::ranges::any_of(after, declares));
}

// Returns "http: Service web has web" for each port that the object names, and that has gone.
NamesOnce PortsGone(const ObjectReport& object, const Providers& before, const Providers& after) {
  NamesOnce out;
  for (const NamedPort& need : object.ports_after.needed) {
    const std::vector<Provider> providers = after.Of(need);
    if (!IsGone(need, before, providers)) continue;
    const auto& was_needed = object.ports_before.needed;
    const bool was_so = std::ranges::any_of(was_needed, [&](const NamedPort& old) {
      return old.port == need.port && old.service == need.service && IsMissing(old, before.Of(old));
    });
    if (!was_so) out.Add(InWords(need, providers));
  }
  return out;
}

// Returns "80: Ingress public" for each port of the object that has gone, and that something outside of the input names.
NamesOnce PortsOfOthersGone(const ObjectReport& object, const Providers& before, const Providers& after) {
  NamesOnce out;
  for (const auto& [who, need] : object.ports_of_others) {
    if (IsGone(need, before, after.Of(need))) out.Add(StrCat(need.port, ": ", who));
  }
  return out;
}

}  // namespace

void AddGonePorts(const Objects& objects, std::vector<FoundWorries>& out) {
  const Providers before(objects, false), after(objects, true);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& object = *objects[i];
    if (object.compared || object.action == Action::kPrune || object.action == Action::kError) continue;
    const NamesOnce gone = PortsGone(object, before, after), of_others = PortsOfOthersGone(object, before, after);
    if (!gone.empty()) out[i][Worry::kPortGone] = NameInBoth(gone, kMostTold);
    if (!of_others.empty()) out[i][Worry::kPortOfOthers] = NameInBoth(of_others, kMostTold);
  }
}

}  // namespace smp::explain
