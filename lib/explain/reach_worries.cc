#include "explain/reach_worries.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "value/at.h"
#include "value/path.h"

namespace smp::explain {

namespace {

// Returns true for another type or selector of a Service, for other sources that it lets in, and for a port that it loses.
bool ChangesReach(const ReportRow& row) {
  if (row.path.size() < 2) return false;
  const std::string& field = row.path[1].name;
  if (field == "selector" || field == "loadBalancerSourceRanges") return row.op != RowOp::kKeep;
  if (field == "type") return row.path.size() == 2 && row.op == RowOp::kSet;
  return field == "ports" && row.path.size() <= 3 && row.op == RowOp::kDelete;
}

// Returns true for the class of an Ingress: another controller serves it then.
bool ChangesClass(const ReportRow& row) {
  const bool is_class = !row.path.empty() && (row.path.back().name == "ingressClassName" ||
                                              row.path.back().name == "kubernetes.io/ingress.class");
  return is_class && row.op != RowOp::kKeep;
}

// Returns "backends web → api" of an Ingress that sends requests to other Services in the place of some.
std::string ReplacedBackends(const ReachFacts& reach) {
  constexpr size_t kMost = 2;
  std::vector<std::string> gone, come;
  std::ranges::set_difference(reach.backends_before, reach.backends, std::back_inserter(gone));
  std::ranges::set_difference(reach.backends, reach.backends_before, std::back_inserter(come));
  if (gone.empty() || come.empty()) return {};
  return StrCat("backends ", NameSome(std::move(gone), kMost), " → ", NameSome(std::move(come), kMost));
}

}  // namespace

void AddReach(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out) {
  const bool is_service = object.kind == "Service", is_ingress = object.kind == "Ingress";
  if ((!is_service && !is_ingress) || object.action != Action::kChange) return;
  NamesOnce changes;
  for (const ReportRow& row : object.rows) {
    const bool is_type = !row.path.empty() && row.path.back().name == "type";
    const bool is_told = is_type && !(object.reach.opens.empty() && object.reach.closes.empty());
    const bool changes_it = !is_told && (is_service ? ChangesReach(row) : ChangesClass(row));
    if (changes_it && !undone.contains(&row)) changes.Add(ChangeInWords(row, object.name));
  }
  if (std::string backends = ReplacedBackends(object.reach); !backends.empty()) changes.Add(std::move(backends));
  if (!changes.empty()) out[Worry::kReach] = NameInBoth(changes, kMostTold);
  if (!object.reach.closes.empty()) out[Worry::kCloses] = {object.reach.closes};
}

namespace {

// What a change of a NetworkPolicy does to traffic.
enum class Traffic { kLess, kMore, kOther };

bool HasAllOf(const Value* list, const Value* others) {
  const auto items = [](const Value* value) {
    return value == nullptr || !value->is_array() ? std::span<const Value>() : value->Items();
  };
  return std::ranges::all_of(
      items(others), [&](const Value& other) { return std::ranges::find(items(list), other) != items(list).end(); });
}

// What a policy is not about is all allowed; of what it is about, only what its rules say.
Traffic TrafficOf(const ReportRow& row) {
  const bool is_list = row.path.size() == 2 && row.op != RowOp::kMove;
  const bool only_gains = is_list && HasAllOf(row.outcome, row.live),
             only_loses = is_list && HasAllOf(row.live, row.outcome);
  const std::string& field = row.path[1].name;
  const bool is_known = field == "policyTypes" || field == "ingress" || field == "egress";
  if (!is_known || only_gains == only_loses) return Traffic::kOther;
  return only_gains == (field == "policyTypes") ? Traffic::kLess : Traffic::kMore;
}

std::vector<std::string> TypesIn(const Value* list) {
  return list == nullptr ? std::vector<std::string>() : TextsAt(*list, {});
}

// Returns "egress" where the policy becomes one about it, or is no longer.
std::set<std::string> ChangedDirections(const ObjectReport& object) {
  std::set<std::string> out;
  for (const ReportRow& row : object.rows) {
    if (row.path.size() != 2 || row.path[1].name != "policyTypes" || row.op == RowOp::kKeep) continue;
    const std::vector<std::string> before = TypesIn(row.live), after = TypesIn(row.outcome);
    for (const std::string& type : TextsNotIn(before, after)) out.insert(ToLower(type));
    for (const std::string& type : TextsNotIn(after, before)) out.insert(ToLower(type));
  }
  return out;
}

// Returns "ingress", "podSelector app", "policyTypes + Egress".
std::string TrafficInWords(const ReportRow& row, const std::string& own_name) {
  const std::string words = ChangeInWords(row, own_name);
  return row.path[1].name == "podSelector" ? StrCat("podSelector: ", words) : words;
}

}  // namespace

void AddTraffic(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out) {
  if (object.kind != "NetworkPolicy" || object.action != Action::kChange) return;
  NamesOnce changes;
  std::set<Traffic> found;
  const std::set<std::string> directions = ChangedDirections(object);
  for (const ReportRow& row : object.rows) {
    const bool of_spec = row.path.size() > 1 && row.path[0].name == "spec" && row.op != RowOp::kKeep;
    if (!of_spec || undone.contains(&row)) continue;
    changes.Add(TrafficInWords(row, object.name));
    // Rules that come and go with their direction say less than that.
    if (!directions.contains(row.path[1].name)) found.insert(TrafficOf(row));
  }
  if (changes.empty()) return;
  if (!directions.empty() && object.policy.allows_all) found = {Traffic::kOther};
  const bool is_less = found == std::set{Traffic::kLess}, is_more = found == std::set{Traffic::kMore};
  out[is_less   ? Worry::kTraffic
      : is_more ? Worry::kMoreTraffic
                : Worry::kOtherTraffic] = NameInBoth(changes, kMostTold);
}

}  // namespace smp::explain
