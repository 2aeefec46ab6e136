#include "explain/worries.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_hosts.h"
#include "explain/changed_words.h"
#include "explain/image_worries.h"
#include "explain/object_names.h"
#include "explain/placeholders.h"
#include "explain/reach_worries.h"
#include "explain/refusal_worries.h"
#include "explain/rights_worries.h"
#include "explain/row_values.h"
#include "explain/schema_changes.h"
#include "explain/schema_worries.h"
#include "explain/settings_worries.h"
#include "explain/switches.h"
#include "explain/text_rows.h"
#include "explain/undone_worries.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/metadata.h"
#include "value/path.h"

namespace smp::explain {

namespace {

// Who set the fields of others, by their paths.
std::map<std::string, NamesOnce> ManagersByPath(const ObjectReport& object) {
  std::map<std::string, NamesOnce> out;
  for (const FieldsOfManager& of_manager : object.of_others) {
    for (const FieldPath& path : of_manager.paths) out[ToString(path)].Add(ManagerInWords(of_manager.manager, object));
  }
  return out;
}

// Adds "spec.hostNetwork; by mallory": who set the field, or what it is in.
void AddPrivileges(const ObjectReport& object, FoundWorries& out) {
  if (std::ranges::none_of(object.privileges, IsPrivilege)) return;
  const std::map<std::string, NamesOnce> by_path = ManagersByPath(object);
  FieldsByManagers privileges;
  for (const FieldPath& path : object.privileges) {
    if (!IsPrivilege(path)) continue;
    NamesOnce managers;
    for (auto end = path.begin(); end != path.end();) {
      const auto at = by_path.find(ToString(FieldPath(path.begin(), ++end)));
      if (at == by_path.end()) continue;
      for (const std::string& manager : at->second.all()) managers.Add(manager);
    }
    privileges.Add(ToString(path), managers);
  }
  out[Worry::kPrivileges] = privileges.Words();
}

// What containers lose, each with their names; "" for a whole Pod.
class LostSafeguards {
 public:
  void Add(const std::string& what, std::string container) {
    const auto [at, is_new] = places_.try_emplace(what, all_.size());
    if (is_new) all_.push_back({what, {}});
    all_[at->second].second.Add(std::move(container));
  }

  // Returns "-livenessProbe of agent, proxy"; without names if all of the `containers` lose it.
  NamesOnce InWords(size_t containers) const {
    constexpr size_t kMost = 2;
    NamesOnce out;
    for (const auto& [what, names] : all_) {
      const bool of_pod = std::ranges::find(names.all(), "") != names.all().end();
      const bool of_all = of_pod || names.all().size() >= containers;
      out.Add(StrCat("-", what, of_all ? "" : " of ", of_all ? "" : names.Some(kMost)));
    }
    return out;
  }

 private:
  std::vector<std::pair<std::string, NamesOnce>> all_;
  std::map<std::string, size_t> places_;
};

// Returns true for a securityContext that only gives: {privileged: true, runAsUser: 0}.
bool IsOnlyAllowed(const Value& context) {
  constexpr std::string_view kGive[] = {"allowPrivilegeEscalation", "privileged"};
  if (!context.is_object() || context.empty()) return false;
  return std::ranges::all_of(context.Members(), [&](const Member& member) {
    const bool gives = std::ranges::find(kGive, member.name) != std::end(kGive) && member.value == Value::Bool(true);
    const bool adds = member.name == "capabilities" && member.value.is_object() && member.value.Find("drop") == nullptr;
    const bool is_root = member.name == "runAsUser" && member.value.is_int() && member.value.AsInt() == 0;
    return gives || adds || is_root;
  });
}

// Returns "validationActions Deny" where the binding of a policy no longer refuses what breaks it.
std::string LostAction(const ReportRow& row) {
  if (row.path.size() < 2 || row.path[1].name != "validationActions" || row.live == nullptr) return {};
  const auto denies = [](const Value* list) {
    return list != nullptr && list->is_array() &&
           std::ranges::find(list->Items(), Value::UnownedString("Deny")) != list->Items().end();
  };
  return denies(row.live) && !denies(row.outcome) ? "validationActions Deny" : "";
}

// Adds "-readinessProbe": without it, Pods get traffic that cannot answer.
void AddSafeguards(const ObjectReport& object, FoundWorries& out) {
  constexpr std::string_view kSafeguards[] = {"livenessProbe", "readinessProbe", "securityContext", "startupProbe"};
  LostSafeguards lost;
  for (const ReportRow& row : object.rows) {
    const bool removes = row.op == RowOp::kDelete && !row.path.empty();
    if (removes && row.live != nullptr && IsOnlyAllowed(*row.live)) continue;
    if (removes && std::ranges::find(kSafeguards, row.path.back().name) != std::end(kSafeguards)) {
      lost.Add(FieldInWords(row.path), ContainerOf(row.path));
    }
  }
  for (const ReportRow& row : object.rows) {
    if (std::string action = LostAction(row); !action.empty()) lost.Add(action, "");
    const bool mounts = !row.path.empty() && row.path.front().name == "automountServiceAccountToken";
    if (mounts && row.live != nullptr && *row.live == Value::Bool(false))
      lost.Add("automountServiceAccountToken: false", "");
  }
  for (const LostProtection& protection : object.pods.lost_protection) lost.Add(protection.what, protection.container);
  const NamesOnce words = lost.InWords(object.pods.containers);
  if (!words.empty()) out[Worry::kSafeguards] = NameInBoth(words, kMostTold);
}

// Returns true for a switch of a container that protects.
bool IsSafer(const ReportRow& row) {
  constexpr std::pair<std::string_view, bool> kSafe[] = {{"allowPrivilegeEscalation", false},
                                                         {"automountServiceAccountToken", false},
                                                         {"readOnlyRootFilesystem", true},
                                                         {"runAsNonRoot", true}};
  return std::ranges::any_of(kSafe, [&](const auto& safe) {
    const bool is_field = !row.path.empty() && row.path.back().name == safe.first;
    return is_field && row.outcome != nullptr && row.outcome->is_bool() && row.outcome->AsBool() == safe.second;
  });
}

// Adds "ROOK_USE_CSI_OPERATOR false → true". What gives rights or drops fields, and what is undone, is told of already.
void AddSettings(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out) {
  constexpr std::string_view kTold[] = {"hostIPC", "hostNetwork", "hostPID", kPreserve, "privileged"};
  NamesOnce switches;
  for (const ReportRow& row : object.rows) {
    const bool is_told = !row.path.empty() && std::ranges::find(kTold, row.path.back().name) != std::end(kTold);
    if (IsLastAppliedAnnotation(row.path)) continue;  // it only records what live has
    if (row.op == RowOp::kSet && !is_told && !IsSafer(row) && !undone.contains(&row)) AddSwitches(row, switches);
  }
  if (!switches.empty()) out[Worry::kSwitches] = NameInBoth(switches, kMostTold);
}

// Adds "DB_URL db → db-primary" of variables and of the keys of ConfigMaps. What is undone is told of already.
void AddAddresses(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out) {
  constexpr size_t kLongestHost = 48;  // bytes
  NamesOnce changes;
  for (const auto& [before, after, field, row, is_undone] : ChangedHosts(object)) {
    const bool is_whole = !IsTextBlock(row->outcome);
    if (is_undone || (is_whole && undone.contains(row))) continue;  // told already
    const CutLine old = CutAroundChanges(before, after, kLongestHost),
                  now = CutAroundChanges(after, before, kLongestHost);
    changes.Add(StrCat(field, " ", old.text, " → ", now.text));
  }
  if (!changes.empty()) out[Worry::kOtherAddress] = NameInBoth(changes, kMostTold);
}

// Returns true for the variables by which operators are told which namespaces they look after.
bool NamesNamespaces(std::string_view variable) {
  return variable.ends_with("WATCH_NAMESPACE") || variable.ends_with("WATCH_NAMESPACES");
}

// Returns "a", "metadata.namespace" for the Pod's own, or "all" where none is named.
std::string NamespacesInWords(const Value* value) {
  if (value == nullptr || value->is_null()) return "all";
  const std::string_view field = value->is_object() ? TextAt(*value, {"fieldRef", "fieldPath"}) : "";
  if (!field.empty()) return std::string(field);
  return value->is_string() && value->AsString().empty() ? "all" : CutValue(*value);
}

// Adds "env WATCH_NAMESPACE all → metadata.namespace": an operator leaves what is in other namespaces to itself.
void AddNamespaces(const ObjectReport& object, FoundWorries& out) {
  NamesOnce changes;
  for (const ReportRow& row : object.rows) {
    if (row.op != RowOp::kSet || row.path.size() < 3 || row.path[row.path.size() - 3].name != "env") continue;
    const std::string variable = FirstKey(row.path[row.path.size() - 2]);
    const bool is_value = row.path.back().name == "value" || row.path.back().name == "valueFrom";
    if (!is_value || row.masked || !NamesNamespaces(variable)) continue;
    const std::string before = NamespacesInWords(ValueBefore(row)), after = NamespacesInWords(ValueAfter(row));
    if (before != after && !after.empty()) changes.Add(StrCat("env ", variable, " ", before, " → ", after));
  }
  if (!changes.empty()) out[Worry::kNamespaces] = NameInBoth(changes, kMostTold);
}

// Returns the field by which a row changes what webhooks and policies are asked, or what happens if they fail; nullptr if it does not.
const PathStep* FieldOfAdmission(const ReportRow& row, std::string_view kind) {
  constexpr std::string_view kFields[] = {"failurePolicy", "matchConditions",   "matchConstraints",
                                          "matchPolicy",   "namespaceSelector", "objectSelector",
                                          "rules"};
  const bool admits = kind.ends_with("WebhookConfiguration") || kind.ends_with("AdmissionPolicy");
  const bool is_crd = kind == "CustomResourceDefinition" && row.path.size() > 1;
  if (is_crd && row.path[1].name == "conversion") return &row.path[1];
  const auto at = std::ranges::find_if(row.path, [&](const PathStep& step) {
    return step.name == "caBundle" || (admits && std::ranges::find(kFields, step.name) != std::end(kFields));
  });
  return at == row.path.end() ? nullptr : &*at;
}

// Adds "-caBundle", "failurePolicy Ignore → Fail", "rules".
void AddServerCalls(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out) {
  if (object.action != Action::kChange) return;
  NamesOnce fields;
  for (const ReportRow& row : object.rows) {
    const PathStep* field = FieldOfAdmission(row, object.kind);
    if (field == nullptr || row.op == RowOp::kKeep || undone.contains(&row)) continue;
    const std::string conversion = ChangeOfConversion(row.path, row.live, row.outcome);
    const bool is_whole = field == &row.path.back() || field->name == "conversion";
    fields.Add(!conversion.empty() ? conversion : is_whole ? ChangeInWords(row, object.name) : field->name);
  }
  if (!fields.empty()) out[Worry::kServerCalls] = NameInBoth(fields, kMostTold);
}

void AddPlaceholdersOf(const ObjectReport& object, FoundWorries& out) {
  NamesOnce found;
  for (const ReportRow& row : object.rows) AddPlaceholders(row, object, found);
  if (!found.empty()) out[Worry::kPlaceholder] = NameInBoth(found, kMostTold);
}

// Adds "instance a → b": these labels and this annotation name the application that an object belongs to.
void AddOwner(const ObjectReport& object, FoundWorries& out) {
  constexpr std::string_view kNames[] = {"app.kubernetes.io/instance", "app.kubernetes.io/part-of",
                                         "meta.helm.sh/release-name"};
  NamesOnce owners;
  for (const ReportRow& row : object.rows) {
    const bool names_it = row.path.size() == 3 && row.path[0].name == "metadata" &&
                          std::ranges::find(kNames, row.path[2].name) != std::end(kNames);
    const Value *before = ValueBefore(row), *after = ValueAfter(row);
    if (!names_it || before == nullptr || after == nullptr || !before->is_string() || !after->is_string()) continue;
    owners.Add(StrCat(before->AsString(), " → ", after->AsString()));
  }
  if (!owners.empty()) out[Worry::kOtherApp] = NameInBoth(owners, kMostTold);
}

void AddPodFacts(const ObjectReport& object, FoundWorries& out) {
  const PodFacts& pods = object.pods;
  if (!pods.gone_volumes.empty()) out[Worry::kGoneVolumes] = NameInBoth(pods.gone_volumes, kMostTold);
  if (!pods.moved_volumes.empty()) out[Worry::kMovedVolumes] = NameInBoth(pods.moved_volumes, kMostTold);
  if (!pods.loses_data.empty()) out[Worry::kDataInPods] = NameInBoth(pods.loses_data, kMostTold);
  if (object.action == Action::kRecreate && Serves(object.kind) && !object.orphans) {
    out[Worry::kStopsFirst] = {"deleted with its Pods, and created again"};
  } else if (pods.stops_first) {
    out[Worry::kStopsFirst] = {object.pods.recreates ? "strategy Recreate" : "maxSurge 0, and all may be unavailable"};
  }
  if (!object.pods_stay.empty()) out[Worry::kPodsStay] = {object.pods_stay};
  if (!pods.lost_probes.empty()) out[Worry::kPortGone] = NameInBoth(pods.lost_probes, kMostTold);
  if (!pods.node_rights.empty()) out[Worry::kNodeRights] = NameInBoth(pods.node_rights, kMostTold);
  if (!pods.other_account.empty()) out[Worry::kOtherAccount] = {pods.other_account};
  if (!pods.moving_images.empty()) out[Worry::kMovingImage] = NameInBoth(pods.moving_images, kMostTold);
  if (object.kind == "Job" && object.action != Action::kChange && object.new_pods)
    out[Worry::kRunsAtOnce] = {pods.runs};
}

// Adds what an object gives to others; who loses a role by it, only all objects together tell.
void AddAccess(const ObjectReport& object, FoundWorries& out) {
  const AccessFacts& access = object.access;
  if (!access.binds.empty()) out[Worry::kRightsGiven] = {access.binds};
  if (!access.new_calls.empty()) out[Worry::kWebhook] = {NameSome(access.new_calls, 2, "; "), access.new_calls.front()};
  if (!access.redirects.empty()) out[Worry::kOtherService] = NameInBoth(access.redirects, kMostTold);
  if (!access.stricter.empty()) out[Worry::kStricterPods] = {access.stricter};
  if (!access.laxer.empty()) out[Worry::kLaxer] = {access.laxer};
}

// Returns true if apply chose to be server-side, and the object was not applied so before.
bool SwitchesToServerSide(const ObjectReport& object) {
  return object.patch && object.patch->type == "apply" && !object.patch->why.empty() &&
         std::ranges::none_of(object.appliers, IsOfApply);
}

}  // namespace

WorryWords NameInBoth(const std::vector<std::string>& names, size_t most) {
  return {NameSome(names, most), NameSome(names, std::min(most, kMostBrief)), names};
}

std::string ManagerInWords(const FieldManager& manager, const ObjectReport& object) {
  const bool has_age = object.now && !manager.time.empty();
  if (manager.name == "kube-controller-manager" && manager.subresource == "scale")
    return StrCat("an autoscaler (", manager.name, ")");
  return StrCat(manager.name, manager.subresource.empty() ? "" : StrCat(" (", manager.subresource, ")"),
                has_age ? StrCat(" ", TimeText(manager.time, object.now)) : "");
}

void FieldsByManagers::Add(std::string field, const NamesOnce& managers) {
  const std::string name = managers.Some(kMostTold);
  auto set = std::ranges::find(sets_, name, &Set::managers);
  if (set == sets_.end()) {
    // What nobody is named for comes last, where it cannot seem to be the next one's.
    const auto last = std::ranges::find(sets_, "", &Set::managers);
    set = name.empty() ? sets_.insert(sets_.end(), Set{}) : sets_.insert(last, Set{name});
  }
  set->fields.Add(std::move(field));
}

std::string FieldsByManagers::Some(size_t most) const {
  std::vector<std::string> parts;
  // Each set names one field, and the rest of the room goes to those that have more, one by one.
  const size_t rounds = std::max<size_t>((most + sets_.size() - 1) / std::max<size_t>(sets_.size(), 1), 1);
  size_t room = rounds * sets_.size();
  std::vector<size_t> shares(sets_.size());
  for (size_t round = 1; round <= most && room > 0; ++round) {
    for (size_t i = 0; i < sets_.size() && room > 0; ++i) {
      if (sets_[i].fields.all().size() < round) continue;
      ++shares[i];
      --room;
    }
  }
  for (size_t i = 0; i < sets_.size(); ++i) {
    const auto& [managers, fields] = sets_[i];
    parts.push_back(StrCat(fields.Some(std::max<size_t>(shares[i], 1)), managers.empty() ? "" : "; by ", managers));
  }
  return NameSome(std::move(parts), most, "; ");
}

WorryWords FieldsByManagers::Words() const { return {Some(kMostTold), Some(kMostBrief)}; }

WorryWords NameInBoth(const NamesOnce& names, size_t most) { return NameInBoth(names.all(), most); }

FoundWorries WorriesOf(const ObjectReport& object) {
  FoundWorries out;
  if (object.compared) return out;
  if (object.action == Action::kError) return OfFailure(object);
  if (!object.lost_fields.empty()) out[Worry::kFieldsLost] = NameInBoth(object.lost_fields, kMostTold);
  if (object.scale.deletes_claims) {
    out[Worry::kClaimsGo] = {StrCat("replicas ", object.scale.replicas_before, " → ", object.scale.replicas)};
  }
  if (object.scale.stops && object.action == Action::kChange && Serves(object.kind))
    out[Worry::kStops] = {StrCat("replicas ", object.scale.replicas_before, " → 0")};
  if (!object.loses.empty()) out[Worry::kDestroys] = {std::string(object.loses)};
  AddDeletedOfOthers(object, out);
  AddPrivileges(object, out);
  if (!object.applied_since.empty()) out[Worry::kOlderFile] = {StrCat("by ", object.applied_since)};
  if (object.becomes_server_side) out[Worry::kBecomesServerSide];
  if (object.is_going && (object.differs() || object.kind == "Namespace")) out[Worry::kIsGoing];
  if (object.action == Action::kUnchanged) return out;
  const UndoingRows undone = RowsThatUndo(object);
  AddUndone(object, undone, out);
  AddKept(object, out);
  AddSafeguards(object, out);
  AddImages(object, out);
  AddSettings(object, undone, out);
  AddAddresses(object, undone, out);
  AddPlaceholdersOf(object, out);
  AddNamespaces(object, out);
  AddServerCalls(object, undone, out);
  AddOwner(object, out);
  AddPodFacts(object, out);
  AddOtherSettings(object, out);
  AddAccess(object, out);
  AddReach(object, undone, out);
  AddTraffic(object, undone, out);
  if (SwitchesToServerSide(object)) out[Worry::kServerSide];
  for (const ReportRow& row : object.rows) {
    if (row.op != RowOp::kSet || row.path.empty() || row.outcome == nullptr) continue;
    if (row.path.back().name == "rules" && object.kind.ends_with("Role")) AddRightsWorries(row, out);
    if (row.path.back().name == "clusterRoleSelectors" && object.action == Action::kChange) out[Worry::kAggregates];
    if (row.path.back().name == "versions" && object.kind == "CustomResourceDefinition") AddSchemas(row, out);
  }
  AddUnknownGone(object, out);
  if (object.hits) TellHits(*object.hits, out);
  return out;
}

}  // namespace smp::explain
