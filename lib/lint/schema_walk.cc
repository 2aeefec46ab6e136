#include "lint/schema_walk.h"

namespace smp::lint {

namespace {

class Walk {
 public:
  Walk(const Schema& schema, const std::function<void(const Visited&, const Steps&)>& visit)
      : schema_(schema), visit_(visit) {}

  // The recursion is bounded by the parser's kMaxDepth.
  void Visit(const Visited& at) {
    if (at.value.is_null()) return;
    visit_(at, steps_);
    if (at.value.is_object() && at.type != kNoType && at.kind != TypeKind::kArray) VisitMembers(at);
    if (at.value.is_array() && at.kind == TypeKind::kArray) VisitItems(at);
  }

 private:
  TypeKind KindOf(TypeId type) const { return type == kNoType ? TypeKind::kAny : schema_.type(type).kind; }

  void VisitMembers(const Visited& map) {
    const Type& type = schema_.type(map.type);
    for (const Member& member : map.value.Members()) {
      const Field* field = schema_.Find(map.type, member.name);
      if (field == nullptr && !type.has_additional) continue;
      steps_.push_back({.name = member.name});
      const TypeId of_member = field != nullptr ? field->type : type.additional;
      Visit({member.value, of_member, field, field != nullptr ? field->kind : KindOf(of_member), map.type});
      steps_.pop_back();
    }
  }

  // The type of a list in a list, or in additional properties, has its items as additional ones.
  void VisitItems(const Visited& list) {
    const TypeId of_items = list.field != nullptr ? list.type : schema_.type(list.type).additional;
    int64_t index = 0;
    for (const Value& item : list.value.Items()) {
      steps_.push_back({.item = &item, .index = index++, .list = list.field});
      Visit({item, of_items, nullptr, KindOf(of_items), kNoType});
      steps_.pop_back();
    }
  }

  const Schema& schema_;
  const std::function<void(const Visited&, const Steps&)>& visit_;
  Steps steps_;
};

}  // namespace

void ForEachValue(const Object& object, const std::function<void(const Visited&, const Steps&)>& visit) {
  const TypeId type = object.kind->resource.type;
  const Schema& schema = *object.kind->schema;
  Walk(schema, visit).Visit({object.root(), type, nullptr, schema.type(type).kind, kNoType});
}

}  // namespace smp::lint
