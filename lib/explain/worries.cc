#include "explain/worries.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/changed_hosts.h"
#include "explain/changed_images.h"
#include "explain/changed_words.h"
#include "explain/image_words.h"
#include "explain/image_worries.h"
#include "explain/message.h"
#include "explain/nested_changes.h"
#include "explain/object_names.h"
#include "explain/placeholders.h"
#include "explain/rights_worries.h"
#include "explain/row_values.h"
#include "explain/schema_changes.h"
#include "explain/schema_worries.h"
#include "explain/settings_worries.h"
#include "explain/switches.h"
#include "explain/undone_words.h"
#include "explain/undone_worries.h"
#include "smp/foretell.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/path.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestWhy = 80;      // bytes
constexpr size_t kLongestChange = 40;   // likewise
constexpr size_t kLongestBriefly = 60;  // likewise, where a screen is too short

// Returns "replicas" of "spec.replicas", and "ports[1].name" with an index, without which nobody knows which one.
std::string_view ShortField(std::string_view path) {
  const size_t last = path.rfind('.');
  if (last == std::string_view::npos) return path;
  const size_t item = path.rfind('[', last);
  const bool is_index = item != std::string_view::npos && path.find_first_not_of("0123456789", item + 1) == last - 1;
  return path.substr((is_index ? path.rfind('.', item) : last) + 1);
}

// Returns "\"v1alpha1\": missing from spec.versions" of "Invalid value: \"v1alpha1\": missing from spec.versions; …".
std::string_view WithoutAdvice(std::string_view message) {
  constexpr std::string_view kInvalid = "Invalid value: \"";
  if (!message.starts_with(kInvalid) || message.find("\": ", kInvalid.size()) == message.npos) return message;
  message.remove_prefix(kInvalid.size() - 1);
  return message.substr(0, message.find("; "));
}

// The server names what may change, which says too much, and is too long.
std::string_view WithoutList(std::string_view message) {
  constexpr std::string_view kLists[] = {"updates to statefulset spec for fields other than",
                                         "pod updates may not change fields other than"};
  const bool lists = std::ranges::any_of(kLists, [&](std::string_view start) { return message.starts_with(start); });
  return lists ? "may not change once set" : message;
}

// Returns "replicas 1 → 2: field is immutable"; without values where these are long, or where several fields are refused.
std::string InShort(const ObjectReport& object, size_t longest) {
  const Error& error = *object.error;
  std::string_view message = error.message;
  if (message.starts_with(kForetold)) message.remove_prefix(kForetold.size());
  message = WithoutList(WithoutAdvice(FirstCause(message)));
  const bool quoted = error.path.find('"') != std::string::npos;
  const std::string_view field = quoted ? error.path : ShortField(error.path);
  // The values say how much is refused: "storage 20Gi → 30Gi".
  const auto row = std::ranges::find_if(
      object.rows, [&](const ReportRow& one) { return !error.path.empty() && ToString(one.path) == error.path; });
  if (!object.also_refused.empty()) {
    NamesOnce fields;
    fields.Add(std::string(field));
    for (const std::string& path : object.also_refused) fields.Add(std::string(ShortField(path)));
    const std::string names = fields.Some(3);
    return CutEnd(StrCat(names, ": ", message), longest + names.size());
  }
  const std::string change = row == object.rows.end() ? "" : ChangeInWords(*row, object.name);
  const std::string_view what = change.empty() || change.size() > kLongestChange ? field : change;
  const size_t added = std::max(what.size(), field.size()) - field.size();
  return CutEnd(StrCat(what, field.empty() ? "" : ": ", message), longest + added);
}

// Returns " (labels version)" for what changes below the field that the server refuses to change.
std::string FieldsBelow(const ObjectReport& object) {
  NamesOnce fields;
  for (const ReportRow& row : object.rows) {
    const bool below = ToString(row.path).starts_with(StrCat(object.error->path, "."));
    if (below && !object.error->path.empty()) fields.Add(ChangeInWords(row, object.name));
  }
  return fields.empty() ? "" : StrCat(" (", fields.Some(2), ")");
}

// Returns "; it goes on giving admin to ServiceAccount shop/web, not Role shop/reader" of a binding whose role cannot change.
std::string RoleNotGiven(const ObjectReport& object) {
  const auto row = std::ranges::find_if(object.rows, [](const ReportRow& one) {
    return one.path.size() == 2 && one.path[0].name == "roleRef" && one.path[1].name == "name";
  });
  const auto& [role, subjects] = std::tie(object.role.role, object.role.subjects_before);
  if (row == object.rows.end() || row->live == nullptr || role.empty() || subjects.empty()) return {};
  return StrCat("; it goes on giving ", TextOfScalar(*row->live), " to ", NameSome(subjects, 1), ", not ", role);
}

// Returns "; not applied: operator 1.2 → 1.3".
std::string ImagesNotApplied(const ObjectReport& object) {
  NamesOnce images;
  for (const ReportRow& row : object.rows) {
    for (const auto& [before, after] : ChangedImages(row)) images.Add(ChangeOfImage(before, after, ""));
  }
  return images.empty() ? "" : StrCat("; not applied: ", images.Some(1));
}

// Returns "conflict with kubectl-set 5m ago over requests cpu 500m → 100m"; nullopt for other refusals.
std::optional<WorryWords> ConflictInWords(const ObjectReport& object) {
  if (object.error->code != ErrorCode::kConflict) return std::nullopt;
  NamesOnce fields, managers;
  for (const ReportRow& row : object.rows) {
    if (row.reason != Reason::kConflict) continue;
    fields.Add(UndoneInWords(row, object.name));
    const NamesOnce others = OthersOf(row, object);
    for (const std::string& manager : others.all()) managers.Add(manager);
  }
  if (fields.empty() || managers.empty()) return std::nullopt;
  const WorryWords over = NameInBoth(fields, kMostTold), with = NameInBoth(managers, kMostTold);
  return WorryWords{StrCat("conflict with ", with.all, " over ", over.all),
                    StrCat("conflict with ", with.brief, " over ", over.brief)};
}

FoundWorries OfFailure(const ObjectReport& object) {
  const bool refused = !object.rows.empty() || object.error->message.starts_with(kForetold);
  const Worry worry = object.is_absent ? Worry::kNotCreated : refused ? Worry::kRefused : Worry::kFailed;
  const std::string images = ImagesNotApplied(object);
  FoundWorries out;
  if (refused) AddKept(object, out);
  if (const auto conflict = ConflictInWords(object)) {
    out[worry] = {.all = StrCat(conflict->all, images), .brief = StrCat(conflict->brief, images)};
    return out;
  }
  const std::string role = RoleNotGiven(object);
  out[worry] = {.all = StrCat(InShort(object, kLongestWhy), FieldsBelow(object), role, images),
                .brief = StrCat(InShort(object, kLongestBriefly), role, images)};
  return out;
}

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

// Adds "selector app old → new, type LoadBalancer → NodePort, -ports 9090" of a Service.
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

// A changed policy may limit the traffic of the Pods that it selects, or allow more.
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
