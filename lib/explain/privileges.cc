#include "explain/privileges.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "schema/facts/privileges.h"

namespace smp::explain {

namespace {

constexpr std::string_view kItself = "-";

bool GivesNothing(const Value& value) {
  if (value.is_bool()) return !value.AsBool();
  return value.is_null() || (!value.is_number() && value.empty() && !value.is_object());
}

bool IsKeyed(const Field* list) { return list != nullptr && !list->identity_keys.empty(); }

class Finder {
 public:
  Finder(const Schema& schema, FieldPath path, std::vector<FieldsOfManager>& out)
      : schema_(schema), path_(std::move(path)), out_(out) {}

  // The recursion is bounded by the parser's kMaxDepth.
  void Visit(const Value& value, std::string_view name, const KeptPlace& place, const FieldOwners::Position& at) {
    if (GivesNothing(value)) return;
    if (const Privilege* privilege = PrivilegeOf(value, name, place)) return Found(*privilege, at);
    if (value.is_object()) Members(value, place.type, at);
    if (value.is_array()) Items(value, place, at);
  }

 private:
  const Privilege* PrivilegeOf(const Value& value, std::string_view name, const KeptPlace& place) const {
    if (const Privilege* privilege = FindPrivilege(schema_, place.map, name)) return privilege;
    const bool whole = value.is_object() || (value.is_array() && !IsKeyed(place.list));
    return whole ? FindPrivilege(schema_, place.type, kItself) : nullptr;
  }

  void Found(const Privilege& privilege, const FieldOwners::Position& at) {
    for (const FieldManager& owner : at.Nearest()) {
      if (IsOfOthers(owner) && owner.name != privilege.manager) AddField(owner, path_, "", out_);
    }
  }

  void Members(const Value& map, TypeId type, const FieldOwners::Position& at) {
    for (const Member& member : map.Members()) {
      const Field* field = schema_.Find(type, member.name);
      const TypeId below = field != nullptr ? field->type : schema_.type(type).additional;
      const Field* list = field != nullptr && field->is_list ? field : nullptr;
      path_.push_back(PathStep::Field(member.name));
      Visit(member.value, member.name, {type, below, list}, at.Field(member.name));
      path_.pop_back();
    }
  }

  void Items(const Value& list, const KeptPlace& place, const FieldOwners::Position& at) {
    int64_t index = 0;
    for (const Value& item : list.Items()) {
      const bool keyed = item.is_object() && IsKeyed(place.list);
      path_.push_back(keyed ? KeyStep(item, place.list->identity_keys) : PathStep::Index(index));
      Visit(item, {}, {kNoType, place.type, nullptr}, keyed ? at.Item(item) : at);
      path_.pop_back();
      ++index;
    }
  }

  const Schema& schema_;
  FieldPath path_;
  std::vector<FieldsOfManager>& out_;
};

}  // namespace

void AddPrivilegesOfOthers(const Value& live, const KeptPlace& place, const Schema& schema, const FieldPath& path,
                           const FieldOwners::Position& at, std::vector<FieldsOfManager>& out) {
  const bool is_field = !path.empty() && path.back().kind == PathStep::Kind::kField;
  const std::string name = is_field ? path.back().name : "";
  Finder(schema, path, out).Visit(live, name, place, at);
}

}  // namespace smp::explain
