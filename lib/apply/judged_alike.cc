#include "apply/judged_alike.h"

#include <algorithm>
#include <array>
#include <span>

#include "schema/definition.h"
#include "value/at.h"

namespace smp::apply {

namespace {

// Members of a schema that judge nothing, and those that are compared only where the object has a value.
constexpr std::string_view kApart[] = {"description",         "title", "example", "externalDocs", "properties", "items",
                                       "additionalProperties"};
// The same of an entry of spec.versions.
constexpr std::string_view kApartInVersion[] = {"additionalPrinterColumns", "deprecated", "deprecationWarning",
                                                "schema", "storage"};
// Of spec.
constexpr std::string_view kWhole[] = {"group", "names", "preserveUnknownFields", "scope"};

bool HasMembersOf(const Value& a, const Value& b, std::span<const std::string_view> apart) {
  return std::ranges::all_of(a.Members(), [&](const Member& m) {
    return std::ranges::find(apart, m.name) != apart.end() || SameOrBothAbsent(&m.value, b.Find(m.name));
  });
}

bool AreSameBut(const Value& a, const Value& b, std::span<const std::string_view> apart) {
  return HasMembersOf(a, b, apart) && HasMembersOf(b, a, apart);
}

const Value* MapIn(const Value& schema, std::string_view name) {
  const Value* found = schema.Find(name);
  return found != nullptr && found->is_object() ? found : nullptr;
}

const Value* SchemaOfMember(const Value& schema, std::string_view name) {
  const Value* properties = MapIn(schema, "properties");
  const Value* found = properties == nullptr ? nullptr : MapIn(*properties, name);
  return found != nullptr ? found : MapIn(schema, "additionalProperties");
}

// A field that the object lacks matters if one of the schemas fills it in.
bool LacksNoOtherDefault(const Value& from, const Value& to, const Value& map) {
  const Value* properties = MapIn(from, "properties");
  return properties == nullptr || std::ranges::all_of(properties->Members(), [&](const Member& property) {
           if (const Value* given = map.Find(property.name); given != nullptr && !given->is_null()) return true;
           const Value* other = SchemaOfMember(to, property.name);
           return SameOrBothAbsent(property.value.Find("default"), other == nullptr ? nullptr : other->Find("default"));
         });
}

bool IsJudgedAlike(const Value* before, const Value* after, const Value& value) {
  if (before == nullptr || after == nullptr) return before == after;
  if (!AreSameBut(*before, *after, kApart)) return false;
  if (value.is_array()) {
    const Value *old_items = MapIn(*before, "items"), *new_items = MapIn(*after, "items");
    return std::ranges::all_of(value.Items(),
                               [&](const Value& item) { return IsJudgedAlike(old_items, new_items, item); });
  }
  if (!value.is_object()) return true;
  if (!LacksNoOtherDefault(*before, *after, value) || !LacksNoOtherDefault(*after, *before, value)) return false;
  return std::ranges::all_of(value.Members(), [&](const Member& m) {
    return IsJudgedAlike(SchemaOfMember(*before, m.name), SchemaOfMember(*after, m.name), m.value);
  });
}

// Of an entry of spec.versions.
bool IsJudgedAlikeIn(const Value* before, const Value* after, const Value& object) {
  if (before == nullptr || after == nullptr || !AreSameBut(*before, *after, kApartInVersion)) return false;
  const auto schema_of = [](const Value& entry) { return entry.FindPath({"schema", "openAPIV3Schema"}); };
  return IsJudgedAlike(schema_of(*before), schema_of(*after), object);
}

}  // namespace

bool AreJudgedAlike(const Value& crd_before, const Value& crd_after, std::string_view version, const Value& object) {
  const bool same_kind = std::ranges::all_of(kWhole, [&](std::string_view name) {
    return SameOrBothAbsent(crd_before.FindPath({"spec", name}), crd_after.FindPath({"spec", name}));
  });
  const std::string_view stored = StoredVersion(crd_before);
  return same_kind && stored == StoredVersion(crd_after) &&
         std::ranges::all_of(std::array{version, stored}, [&](std::string_view name) {
           return IsJudgedAlikeIn(VersionOfDefinition(crd_before, name), VersionOfDefinition(crd_after, name), object);
         });
}

}  // namespace smp::apply
