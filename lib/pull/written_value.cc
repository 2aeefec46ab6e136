#include "pull/written_value.h"

#include <span>
#include <vector>

#include "explain/set_anew.h"
#include "pull/item_pairs.h"
#include "schema/facts/allocated.h"
#include "smp/defaulting.h"
#include "smp/derived.h"
#include "smp/service.h"
#include "value/at.h"

namespace smp::pull {

namespace {

const Type* TypeOf(const Place& map) {
  const bool known = map.schema != nullptr && !map.is_list && map.type != kNoType;
  return known ? &map.schema->type(map.type) : nullptr;
}

// Values of fields that are allocated which no server sets where a manifest lacks them.
bool IsChosen(std::string_view name, const Value& value) {
  const std::string_view text = value.is_string() ? value.AsString() : std::string_view();
  if (name == "preemptionPolicy") return text == "Never";
  if (name == "ipFamilyPolicy") return text != "SingleStack";
  return name == "clusterIP" && text == "None";
}

// A volume without a source is an emptyDir to the server, but to nobody who reads the manifest.
bool IsWrittenOut(const Type& type) { return type.name == "io.k8s.api.core.v1.Volume"; }

// Returns the item of the manifest that each item of live was, by what they mean; nullptr if it is new.
std::vector<const Value*> Partners(std::span<const Value> live, std::span<const Value> manifest, const Place& item) {
  Arena arena;
  std::vector<Value> before, after;
  for (const Value& value : manifest) before.push_back(AsStored(value, nullptr, item, arena));
  for (const Value& value : live) after.push_back(AsStored(value, nullptr, item, arena));
  std::vector<const Value*> out;
  for (const auto& pair : PairItems(before, after)) out.push_back(pair ? &manifest[*pair] : nullptr);
  return out;
}

}  // namespace

// The recursion is bounded by the parser's kMaxDepth.
Value ValueWriter::Written(const Value& live, const Value* manifest, const Place& place) const {
  if (manifest != nullptr && SameMeaning(live, *manifest, place)) return *manifest;
  if (live.is_array()) return WrittenList(live, manifest, place);
  return live.is_object() ? WrittenMap(live, manifest, place) : live;
}

Value ValueWriter::WrittenList(const Value& live, const Value* manifest, const Place& place) const {
  const bool is_list = manifest != nullptr && manifest->is_array();
  const Place item = PlaceOfItem(place);
  const auto beside = Partners(live.Items(), is_list ? manifest->Items() : std::span<const Value>(), item);
  std::vector<Value> items;
  for (size_t i = 0; i < live.size(); ++i) items.push_back(Written(live.Items()[i], beside[i], item));
  return arena_.Array(items);
}

Value ValueWriter::WrittenMap(const Value& live, const Value* manifest, const Place& place) const {
  if (manifest != nullptr && !manifest->is_object()) manifest = nullptr;
  const std::set<std::string_view> derived = Derived(live, place);
  std::vector<Member> members;
  for (const Member& m : live.Members()) {
    const Value* beside = manifest != nullptr ? manifest->Find(m.name) : nullptr;
    const bool is_servers = derived.contains(m.name) || IsSetAnew(m.value, m.name, place);
    if (beside == nullptr && (is_servers || m.name == kRestartedAt)) continue;
    const Place below = PlaceOfMember(place, m.name);
    const Value written = Written(m.value, beside, below);
    if (beside != nullptr || !MeansNothing(written, below)) members.push_back({m.name, written});
  }
  // What says nothing stays as it is.
  for (const Member& m : manifest != nullptr ? manifest->Members() : std::span<const Member>()) {
    const bool says_nothing = CountsAsAbsent(m.value, PlaceOfMember(place, m.name));
    if (says_nothing && live.Find(m.name) == nullptr) members.push_back(m);
  }
  return arena_.Object(std::move(members));
}

bool ValueWriter::IsSetByServer(const Value& map, std::string_view name, const Place& place) const {
  const Value* value = map.Find(name);
  return value != nullptr && (IsSetAnew(*value, name, place) || Derived(map, place).contains(name));
}

bool ValueWriter::IsSetAnew(const Value& value, std::string_view name, const Place& map) const {
  const Place place = PlaceOfMember(map, name);
  if (CountsAsAbsent(value, place)) return true;
  const Type* type = TypeOf(map);
  const bool allocated = type != nullptr && IsAllocated(*map.schema, map.type, name);
  if (allocated && (IsChosen(name, value) || IsOfTemplate(*type, object_.StringOr("kind")))) return false;
  return explain::IsSetAnew(value, name, map.type, place, object_);
}

// Returns the members that the server would set again if the map lacked them all.
std::set<std::string_view> ValueWriter::Derived(const Value& map, const Place& place) const {
  const Type* type = TypeOf(place);
  const DerivedRule* rule = type == nullptr ? nullptr : DerivedRuleOf(*type, place.schema->release());
  if (rule == nullptr || rule->complete == nullptr || IsWrittenOut(*type)) return {};
  std::set<std::string_view> out;
  Arena arena;
  Value left = map;
  for (const Member& m : map.Members()) {
    const std::string_view name[] = {m.name};
    const Value without = WithoutAt(left, {}, name, arena);
    const Value stored = rule->complete(without, nullptr, arena);
    const Value* again = stored.Find(m.name);
    if (again == nullptr || IsChosen(m.name, m.value)) continue;
    const bool same = IsChosenByServer(*again) || SameMeaning(*again, m.value, PlaceOfMember(place, m.name));
    if (!same) continue;
    out.insert(m.name);
    left = without;
  }
  return out;
}

}  // namespace smp::pull
