#include "differential/three_way_rule.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/strings.h"
#include "value/json.h"

namespace smp {

namespace {

const Value* NonNull(const Value* value) { return value != nullptr && !value->is_null() ? value : nullptr; }
const Value* MemberOf(const Value* map, std::string_view name) { return map == nullptr ? nullptr : map->Find(name); }
const Value* IfObject(const Value* value) { return value != nullptr && value->is_object() ? value : nullptr; }
const Value* IfArray(const Value* value) { return value != nullptr && value->is_array() ? value : nullptr; }

std::set<std::string_view> NamesOf(const FourSides& maps) {
  std::set<std::string_view> names;
  for (const Value* map : {maps.original, maps.modified, maps.live, maps.outcome}) {
    if (map == nullptr) continue;
    for (const Member& m : map->Members()) names.insert(m.name);
  }
  return names;
}

// Go's zero value, which the documents state for every required field, names nothing. But a name that may be left out is "" to
// Go where it is left out.
const Value* DefaultOf(const Field* field) {
  static const Value nameless = Value::UnownedString("");
  const Value* value = field == nullptr ? nullptr : field->default_value;
  const bool zero = value == nullptr || (value->is_string() && value->empty()) || (value->is_int() && !value->AsInt());
  const bool may_be_left_out = field != nullptr && field->omits_zero && field->kind == TypeKind::kString;
  return !zero ? value : may_be_left_out ? &nameless : nullptr;
}

// The alternative of the union that a field belongs to; for the discriminator the one that it names. Empty if there is
// none.
std::string_view AlternativeOf(const Union& fields, std::string_view name, const Value& value) {
  if (name == fields.discriminator) return value.is_string() ? value.AsString() : std::string_view();
  for (const auto& [member, alternative] : fields.members) {
    if (member == name) return alternative;
  }
  return {};
}

bool Chooses(const Value& manifest, const Union& fields, std::string_view alternative) {
  const auto absent = [&](const auto& m) { return NonNull(manifest.Find(m.first)) == nullptr; };
  const auto other = [&](const auto& m) { return m.second != alternative; };
  if (!fields.by_presence) {
    return std::any_of(fields.members.begin(), fields.members.end(),
                       [&](const auto& m) { return !other(m) && !absent(m); });
  }
  return std::all_of(fields.members.begin(), fields.members.end(),
                     [&](const auto& m) { return other(m) || !absent(m); });
}

// True if the manifest chose an alternative of a union, and the field `name`, of which live has `value`, belongs to
// another.
bool ChoseAnother(const Value& manifest, const Type& type, std::string_view name, const Value& value) {
  return std::any_of(type.unions.begin(), type.unions.end(), [&](const Union& fields) {
    const std::string_view own = AlternativeOf(fields, name, value);
    if (own.empty()) return false;
    if (name != fields.discriminator) {
      const std::string_view named = manifest.StringOr(fields.discriminator);
      if (!named.empty() && named != own) return true;
    }
    return std::any_of(fields.members.begin(), fields.members.end(),
                       [&](const auto& m) { return m.second != own && Chooses(manifest, fields, m.second); });
  });
}

// What the server keeps of the old object, or makes of other fields, where an update says nothing of it or null:
// registry/core/service patchAllocatedValues, core/v1 SetDefaults_Container and the like.
bool IsLeftToServer(const Type& type, std::string_view name) {
  static const std::map<std::string_view, std::set<std::string_view>> kFields = {
      {"io.k8s.api.core.v1.ServiceSpec",
       {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"}},
      {"io.k8s.api.core.v1.ServicePort", {"nodePort", "targetPort"}},
      // To a Job without completions, Go adds both. Live Jobs that lack them keep lacking them, and those that have completions
      // keep them: the field is immutable.
      {"io.k8s.api.batch.v1.JobSpec", {"completions", "parallelism"}},
      {"io.k8s.api.core.v1.PodSpec", {"serviceAccount", "serviceAccountName"}},
      {"io.k8s.api.core.v1.Container", {"imagePullPolicy"}},
      {"io.k8s.api.core.v1.ImageVolumeSource", {"pullPolicy"}},
      {"io.k8s.api.networking.v1.NetworkPolicySpec", {"policyTypes"}},
  };
  const auto at = kFields.find(type.name);
  return type.storage == Storage::kGoTypes && at != kFields.end() && at->second.contains(name);
}

bool SaysNothing(const Value& value) {
  return value.is_null() || (value.is_array() && value.empty()) || (value.is_string() && value.empty()) ||
         (value.is_int() && value.AsInt() == 0);
}

using Items = std::vector<const Value*>;
using ByIdentity = std::map<std::string, Items>;

// A member of a map of the outcome.
struct Spot {
  const Value* map;
  std::string_view name;
  std::string path;
};

class Rules {
 public:
  explicit Rules(const Schema& schema) : schema_(schema) {}

  void Map(const FourSides& maps, TypeId type, const std::string& path, bool retain) {
    for (const std::string_view name : NamesOf(maps)) {
      const FourSides values = {NonNull(MemberOf(maps.original, name)), MemberOf(maps.modified, name),
                                NonNull(MemberOf(maps.live, name)), NonNull(MemberOf(maps.outcome, name))};
      const Spot spot = {maps.outcome, name, path.empty() ? std::string(name) : StrCat(path, ".", name)};
      Member(values, spot, *maps.modified, type, retain);
    }
  }

  Findings TakeFindings(const Value& outcome, Arena& arena) {
    Value expected = differing_.empty() ? outcome : Expected(outcome, arena);
    return {std::move(broken_), std::move(written_otherwise_), expected};
  }

 private:
  void Member(const FourSides& v, const Spot& spot, const Value& manifest, TypeId type, bool retain) {
    const Field* field = schema_.Find(type, spot.name);
    bool left = IsLeftToServer(schema_.type(type), spot.name);
    const bool account = spot.name.starts_with("serviceAccount");
    left = left && (!account || IsCopyOfOther(spot, v.outcome));
    if (left && account && v.modified == nullptr) return;  // follows the other one, which is judged itself
    const bool says_nothing = v.modified == nullptr ? v.original != nullptr : SaysNothing(*v.modified);
    if (left && says_nothing && SameOrBothAbsent(v.live, v.outcome)) return;
    const bool custom = schema_.type(type).storage == Storage::kAsWritten;
    if (NonNull(v.modified) != nullptr) {
      Wanted(v, spot, field, field != nullptr ? field->type : schema_.type(type).additional);
    } else if (v.modified != nullptr) {
      if (!(custom && IsDefault(v.outcome, field)))
        Expect(spot, nullptr, v, "is null in the manifest, and still there");
    } else if (v.original != nullptr) {
      if (!(custom && IsDefault(v.outcome, field)))
        Expect(spot, nullptr, v, "is no longer in the manifest, and still there");
    } else if (retain) {
      // A default is nobody's choice, and would come back.
      Expect(spot, nullptr, v, "is only in live, where the manifest chose another");
    } else if (v.outcome != nullptr || v.live == nullptr ||
               !ChoseAnother(manifest, schema_.type(type), spot.name, *v.live)) {
      Expect(spot, v.live, v, "is only in live, and not as it was");
    }
  }

  // serviceAccount and serviceAccountName are one to the server.
  static bool IsCopyOfOther(const Spot& spot, const Value* value) {
    const bool old = spot.name == "serviceAccount";
    const Value* other = MemberOf(spot.map, old ? "serviceAccountName" : "serviceAccount");
    return other != nullptr && value != nullptr && *other == *value;
  }

  // True if the server makes the same of the value as of the field's default.
  bool IsDefault(const Value* value, const Field* field) const {
    if (value == nullptr || field == nullptr || field->default_value == nullptr) return false;
    return SameWithDefaults(*value, *field->default_value, field->type);
  }

  // The types of a list are those of its items.
  bool SameWithDefaults(const Value& a, const Value& b, TypeId type) const {
    Arena arena;
    return WithDefaults(a, type, arena) == WithDefaults(b, type, arena);
  }

  // The value with the defaults of its maps' fields at any depth, as the server completes custom resources.
  Value WithDefaults(const Value& value, TypeId type, Arena& arena) const {
    if (value.is_array()) {
      std::vector<Value> items;
      for (const Value& item : value.Items()) items.push_back(WithDefaults(item, type, arena));
      return arena.Array(items);
    }
    if (!value.is_object()) return value;
    std::map<std::string_view, Value> members;
    for (const smp::Member& m : value.Members()) {
      const Field* field = schema_.Find(type, m.name);
      const TypeId of_member = field != nullptr ? field->type : schema_.type(type).additional;
      members.emplace(m.name, WithDefaults(m.value, of_member, arena));
    }
    for (const Field& field : schema_.type(type).fields) {
      if (field.default_value == nullptr || members.contains(field.name)) continue;
      members.emplace(field.name, WithDefaults(*field.default_value, field.type, arena));
    }
    std::vector<smp::Member> all;
    for (const auto& [name, member] : members) all.push_back({name, member});
    return arena.Object(std::move(all));
  }

  // What is written otherwise may still mean the same to the server, or be its default: that is for Go to say.
  void Expect(const Spot& spot, const Value* wanted, const FourSides& v, std::string_view what) {
    if (SameOrBothAbsent(wanted, v.outcome)) return;
    differing_[{spot.map, spot.name}] = wanted;
    written_otherwise_.push_back(StrCat(spot.path, ": ", what));
  }

  // The outcome as the rule wants it, where it is written otherwise.
  Value Expected(const Value& value, Arena& arena) const {
    if (value.is_array()) {
      std::vector<Value> items;
      for (const Value& item : value.Items()) items.push_back(Expected(item, arena));
      return arena.Array(items);
    }
    if (!value.is_object()) return value;
    std::vector<smp::Member> members;
    for (const smp::Member& m : value.Members()) {
      if (!differing_.contains({&value, m.name})) members.push_back({m.name, Expected(m.value, arena)});
    }
    for (auto at = differing_.lower_bound({&value, {}}); at != differing_.end() && at->first.first == &value; ++at) {
      if (at->second != nullptr) members.push_back({at->first.second, *at->second});
    }
    return arena.Object(std::move(members));
  }

  void Wanted(const FourSides& v, const Spot& spot, const Field* field, TypeId type) {
    const PatchRule rule = field == nullptr ? PatchRule() : field->patch;
    const bool replaced = rule.replace || schema_.type(type).is_atomic_map();
    if (v.modified->is_object() && IfObject(v.live) != nullptr && IfObject(v.outcome) != nullptr && !replaced) {
      const bool retain = rule.retain_keys && HasValues(*v.modified);
      return Map({IfObject(v.original), v.modified, v.live, v.outcome}, type, spot.path, retain);
    }
    const bool merged = field != nullptr && IsMerged(*field) && IfArray(v.outcome) != nullptr;
    if (v.modified->is_array() && IfArray(v.live) != nullptr && merged) {
      const FourSides lists = {IfArray(v.original), v.modified, v.live, v.outcome};
      return IdentityFields(*field).empty() ? Set(lists, spot.path) : List(lists, *field, spot.path);
    }
    const bool custom = schema_.type(type).storage == Storage::kAsWritten;
    if (custom && v.outcome != nullptr && SameWithDefaults(*v.modified, *v.outcome, type)) return;
    Expect(spot, v.modified, v, "is not as in the manifest");
  }

  static bool HasValues(const Value& map) {
    return std::any_of(map.Members().begin(), map.Members().end(), [](const auto& m) { return !m.value.is_null(); });
  }

  void Set(const FourSides& lists, const std::string& path) {
    const auto elements = [](const Value* list) {
      std::set<std::string> out;
      if (list == nullptr) return out;
      for (const Value& element : list->Items()) out.insert(WriteJson(element));
      return out;
    };
    const auto original = elements(lists.original), modified = elements(lists.modified);
    std::set<std::string> wanted = modified;
    for (const std::string& element : elements(lists.live)) {
      if (!original.contains(element)) wanted.insert(element);
    }
    if (elements(lists.outcome) == wanted) return;
    Say(path, StrCat("is not the set of ", Join(std::vector<std::string>(wanted.begin(), wanted.end()), " ")));
  }

  ByIdentity Grouped(const Value* list, const Field& field) {
    ByIdentity groups;
    if (list == nullptr) return groups;
    for (const Value& item : list->Items()) groups[IdentityOf(item, field, schema_)].push_back(&item);
    return groups;
  }

  void List(const FourSides& lists, const Field& field, const std::string& path) {
    ByIdentity original = Grouped(lists.original, field), modified = Grouped(lists.modified, field),
               live = Grouped(lists.live, field), outcome = Grouped(lists.outcome, field);
    original.erase("");  // items without identity: they belong to whoever put them into live
    AddChangedInLive(live, modified, field, original);
    std::set<std::string> identities;
    for (const ByIdentity* side : {&original, &modified, &live, &outcome}) {
      for (const auto& [identity, items] : *side) identities.insert(identity);
    }
    for (const std::string& id : identities) {
      Identity(original[id], modified[id], live[id], outcome[id], field, StrCat(path, "[", id, "]"));
    }
    Order(lists, original, modified, field, path);
  }

  // A port of which somebody changed the protocol in live was applied, though its identity was another one: the server takes no
  // two ports of one name, and in a Service none without a name beside others.
  void AddChangedInLive(const ByIdentity& live, const ByIdentity& modified, const Field& field, ByIdentity& original) {
    if (field.patch_keys.empty() || field.patch_keys == field.identity_keys) return;
    const auto has_duplicates = [](const ByIdentity& side) {  // items without identity are not alike
      return std::ranges::any_of(side,
                                 [](const auto& group) { return !group.first.empty() && group.second.size() > 1; });
    };
    if (has_duplicates(modified) || has_duplicates(original) || has_duplicates(live)) return;
    const bool of_service = schema_.type(field.type).name.ends_with(".ServicePort");
    const auto text = [](const Value* item, std::string_view name) {
      const Value* member = item->is_object() ? item->Find(name) : nullptr;
      const std::string json = member == nullptr || member->is_null() ? "" : WriteJson(*member);
      return json == "\"\"" ? "" : json;
    };
    std::map<std::string, Items> changed;
    for (const auto& [id, items] : live) {
      if (id.empty() || original.contains(id) || modified.contains(id)) continue;
      for (const Value* item : items) {
        const std::string name = text(item, "name"), key = text(item, field.patch_keys[0]);
        for (const auto& [other, applied] : original) {
          const bool is_missing = !other.empty() && !live.contains(other) && modified.contains(other);
          const Value* wanted = is_missing ? modified.at(other).back() : applied.back();
          const bool is_same =
              is_missing && text(wanted, "name") == name && text(wanted, field.patch_keys[0]) == key && !key.empty();
          if (is_same && (of_service || !name.empty())) {
            changed[id].push_back(item);
            break;
          }
        }
      }
    }
    original.insert(changed.begin(), changed.end());
  }

  void Identity(const Items& original, const Items& modified, const Items& live, const Items& outcome,
                const Field& field, const std::string& path) {
    const size_t known = std::max(original.size(), modified.size());
    const size_t wanted = modified.size() + (live.size() > known ? live.size() - known : 0);
    if (outcome.size() != wanted) return Say(path, StrCat("is there ", outcome.size(), " times, not ", wanted));
    if (original.empty() && modified.empty()) return Untouched(live, outcome, path);
    const auto is_object = [](const Value* item) { return item->is_object(); };
    if (!std::all_of(outcome.begin(), outcome.end(), is_object)) return;  // nothing that has an identity
    if (original.size() <= 1 && modified.size() == 1 && live.size() == 1) {
      const Value* before = original.empty() ? nullptr : IfObject(original[0]);
      return Map({before, modified[0], live[0], outcome[0]}, field.type, path,
                 field.patch.retain_keys && HasValues(*modified[0]));
    }
    for (size_t i = 0; i < modified.size(); ++i) {
      const Value* item = outcome[outcome.size() - modified.size() + i];
      Map({nullptr, modified[i], item, item}, field.type, path, false);
    }
  }

  void Untouched(const Items& live, const Items& outcome, const std::string& path) {
    for (size_t i = 0; i < live.size(); ++i) {
      if (!(*live[i] == *outcome[i])) Say(path, "is only in live, and not as it was");
    }
  }

  void Order(const FourSides& lists, const ByIdentity& original, const ByIdentity& modified, const Field& field,
             const std::string& path) {
    const auto count = [](const ByIdentity& side, const std::string& id) {
      const auto at = side.find(id);
      return at == side.end() ? 0U : at->second.size();
    };
    // Of each list the identities that stand there once and belong to one side alone.
    const auto sequence = [&](const Value* list, const ByIdentity& groups, bool ours) {
      std::vector<std::string> out;
      for (const Value& item : list->Items()) {
        const std::string id = IdentityOf(item, field, schema_);
        if (count(groups, id) != 1) continue;
        const bool wanted = count(modified, id) == 1;
        const bool foreign = count(modified, id) == 0 && count(original, id) == 0;
        if (ours ? wanted : foreign) out.push_back(id);
      }
      return out;
    };
    const ByIdentity outcome = Grouped(lists.outcome, field), live = Grouped(lists.live, field);
    std::vector<std::string> manifest = sequence(lists.modified, modified, true);
    std::erase_if(manifest, [&](const std::string& id) { return count(outcome, id) != 1; });
    if (sequence(lists.outcome, outcome, true) != manifest) Say(path, "does not stand in the manifest's order");
    if (sequence(lists.outcome, outcome, false) != sequence(lists.live, live, false)) {
      Say(path, "has items of others in another order");
    }
  }

  void Say(const std::string& path, std::string_view what) { broken_.push_back(StrCat(path, ": ", what)); }

  const Schema& schema_;
  std::vector<std::string> broken_, written_otherwise_;
  // By map and member of the outcome: what the rule wants there, nullptr if nothing.
  std::map<std::pair<const Value*, std::string_view>, const Value*> differing_;
};

}  // namespace

bool IsMerged(const Field& list) { return list.patch.list != ListMerge::kAtomic; }

std::vector<std::string> IdentityFields(const Field& list) {
  return list.patch.list == ListMerge::kKeyed ? list.identity_keys : std::vector<std::string>();
}

std::string IdentityOf(const Value& item, const Field& list, const Schema& schema) {
  std::vector<std::string> texts;
  for (const std::string& name : IdentityFields(list)) {
    const Value* value = NonNull(item.Find(name));
    if (value == nullptr) value = DefaultOf(schema.Find(list.type, name));
    if (value == nullptr) return {};
    texts.push_back(StrCat(name, "=", WriteJson(*value)));
  }
  return Join(texts, ",");
}

bool HasItemWithoutIdentity(const Value& object, const Schema& schema, TypeId type) {
  const auto in = [&](const Member& m) {
    const Field* field = schema.Find(type, m.name);
    if (field == nullptr) return false;
    if (m.value.is_object()) return HasItemWithoutIdentity(m.value, schema, field->type);
    if (!m.value.is_array() || !IsMerged(*field) || IdentityFields(*field).empty()) return false;
    return std::any_of(m.value.Items().begin(), m.value.Items().end(), [&](const Value& item) {
      return IdentityOf(item, *field, schema).empty() || HasItemWithoutIdentity(item, schema, field->type);
    });
  };
  return object.is_object() && std::any_of(object.Members().begin(), object.Members().end(), in);
}

std::string CanonicalText(const Value& object, const Schema& schema, TypeId type) {
  if (!object.is_object()) return WriteJson(object);
  std::vector<std::string> members;
  for (const smp::Member& m : object.Members()) {
    if (m.value.is_null()) continue;
    const Field* field = schema.Find(type, m.name);
    const TypeId below = field != nullptr ? field->type : schema.type(type).additional;
    std::string text;
    if (m.value.is_array()) {
      std::vector<std::string> items;
      for (const Value& item : m.value.Items()) items.push_back(CanonicalText(item, schema, below));
      const bool set = field != nullptr && IsMerged(*field) && IdentityFields(*field).empty();
      if (set) std::sort(items.begin(), items.end());
      text = StrCat("[", Join(items, ","), "]");
    } else {
      text = CanonicalText(m.value, schema, below);
    }
    members.push_back(StrCat(WriteJson(Value::UnownedString(m.name)), ":", text));
  }
  return StrCat("{", Join(members, ","), "}");
}

Findings CheckRule(const FourSides& objects, const Schema& schema, TypeId type, Arena& arena) {
  Rules checker(schema);
  checker.Map(objects, type, "", false);
  return checker.TakeFindings(*objects.outcome, arena);
}

}  // namespace smp
