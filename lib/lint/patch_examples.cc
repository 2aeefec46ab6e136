#include "lint/patch_examples.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "schema/facts/values.h"
#include "smp/directives.h"

namespace smp::lint {

namespace {

class ExampleMaker {
 public:
  ExampleMaker(const SchemaPlace& place, Arena& arena) : place_(place), schema_(place.schema()), arena_(arena) {}

  std::vector<PatchExample> Make() {
    const Field* field = place_.field();
    // A map that a patch replaces anyway takes no directives: they would become fields.
    const bool is_map = place_.type != kNoType && IsMap(place_.type) && (field == nullptr || !field->patch.replace);
    if (field != nullptr && field->is_list) {
      OfList(*field);
    } else if (is_map) {
      OfMap(field != nullptr && field->patch.retain_keys);
    }
    if (!IsMergeKey())
      Add("", "removes the field; the server sets its default again, if it has one", {{Name(), Value()}});
    return std::move(out_);
  }

 private:
  bool IsMap(TypeId type) const {
    const Type& of = schema_.type(type);
    return of.kind == TypeKind::kObject || !of.fields.empty() || of.has_additional;
  }

  // An item without its merge key names no item.
  bool IsMergeKey() const {
    if (place_.steps.size() < 2) return false;
    const Field* around = place_.steps[place_.steps.size() - 2].field;
    if (around == nullptr || !around->is_list) return false;
    return std::ranges::find(around->patch_keys, place_.steps.back().name) != around->patch_keys.end();
  }

  std::string_view Name() const { return arena_.Copy(place_.steps.back().name); }
  Value Word(std::string_view text) { return arena_.String(text); }

  // --- lists

  void OfList(const Field& field) {
    if (field.patch.list == ListMerge::kKeyed) {
      OfKeyedList(field);
    } else if (field.patch.list == ListMerge::kSet) {
      OfSet(field);
    }
  }

  void OfKeyedList(const Field& field) {
    std::vector<Member> gone = KeysOf(field);
    const Value key = arena_.Object(gone);
    gone.emplace_back(kPatchDirective, Value::UnownedString(kPatchDelete));
    Add("$patch: delete", StrCat("deletes the item with this ", Join(field.patch_keys, " and ")),
        {{Name(), List({arena_.Object(gone)})}});
    if (field.patch.retain_keys) OfRetainedItems(field);
    AddReplace();
    Add(OrderKey(place_.steps.back().name), "sets the order of the items; those that it does not name go last",
        {{arena_.Copy(OrderKey(place_.steps.back().name)), List({key})}});
  }

  void AddReplace() {
    const Value replace = arena_.Object({{kPatchDirective, Value::UnownedString(kPatchReplace)}});
    Add("$patch: replace", "replaces the list by the other items of the patch (none here)",
        {{Name(), List({replace})}});
  }

  void OfSet(const Field& field) {
    const Value element = SampleOf(field.type == kNoType ? TypeKind::kString : schema_.type(field.type).kind, "");
    const std::string& name = place_.steps.back().name;
    Add(DeleteFromListKey(name), "deletes these elements", {{arena_.Copy(DeleteFromListKey(name)), List({element})}});
    Add(OrderKey(name), "sets the order of the elements", {{arena_.Copy(OrderKey(name)), List({element})}});
  }

  // --- maps

  void OfMap(bool retains) {
    const Value replace = arena_.Object({{kPatchDirective, Value::UnownedString(kPatchReplace)}});
    Add("$patch: replace", "replaces the map by the other fields of the patch (none here)", {{Name(), replace}});
    const auto kept = Retained();
    if (!kept) return;
    Add(std::string(kRetainKeysDirective),
        StrCat("removes the fields that the list does not name", retains ? "; kubectl apply sends it, too" : ""),
        {{Name(), arena_.Object(*kept)}});
  }

  void OfRetainedItems(const Field& field) {
    auto kept = Retained();
    if (!kept) return;
    std::vector<Value> names;
    for (const Member& key : KeysOf(field)) {
      kept->push_back(key);
      names.push_back(Word(key.name));
    }
    for (Member& member : *kept) {
      if (member.name != kRetainKeysDirective) continue;
      names.insert(names.end(), member.value.Items().begin(), member.value.Items().end());
      member.value = arena_.Array(names);
    }
    Add(std::string(kRetainKeysDirective), "removes the fields of the item that the list does not name",
        {{Name(), List({arena_.Object(*kept)})}});
  }

  // Returns $retainKeys and one field of a map whose fields exclude each other; nullopt for other maps.
  std::optional<std::vector<Member>> Retained() {
    const Type& type = schema_.type(place_.type);
    if (type.unions.empty()) return std::nullopt;
    const Union& fields = type.unions.front();
    const std::string_view chosen = ChoiceWithoutFields(type, fields);
    std::vector<Member> out;
    if (!fields.discriminator.empty() && !chosen.empty()) {
      out.emplace_back(arena_.Copy(fields.discriminator), Word(chosen));
    } else {
      const Field* member = SampleMember(fields);
      if (member == nullptr) return std::nullopt;
      out.emplace_back(arena_.Copy(member->name), SampleOf(member->kind, member->name));
    }
    out.emplace_back(kRetainKeysDirective, List({Word(out.front().name)}));
    return out;
  }

  // Returns a value of the discriminator that needs no other field, such as Recreate; "" if none is known.
  static std::string_view ChoiceWithoutFields(const Type& type, const Union& fields) {
    for (const ValueRule* rule : ValueRulesOf(type, std::nullopt)) {
      if (rule->path.size() != 1 || rule->path[0] != fields.discriminator) continue;
      for (const std::string_view choice : rule->choices) {
        const auto has = [&](const auto& member) { return member.second == choice; };
        if (std::ranges::none_of(fields.members, has)) return choice;
      }
    }
    return "";
  }

  // Returns a field of the union that needs no content: emptyDir, if there is one.
  const Field* SampleMember(const Union& fields) const {
    const Field* out = nullptr;
    for (const auto& [name, alternative] : fields.members) {
      const Field* field = schema_.Find(place_.type, name);
      if (field != nullptr && (out == nullptr || name == "emptyDir")) out = field;
    }
    return out;
  }

  // --- samples

  Value List(std::vector<Value> items) { return arena_.Array(items); }

  Value SampleOf(TypeKind kind, std::string_view name) {
    switch (kind) {
      case TypeKind::kInteger:
      case TypeKind::kNumber:
      case TypeKind::kIntOrString: return Value::Int(80);
      case TypeKind::kBoolean: return Value::Bool(true);
      case TypeKind::kObject: return arena_.Object({});
      case TypeKind::kArray: return arena_.Array({});
      case TypeKind::kQuantity: return Word("1");
      default: break;
    }
    if (name.ends_with("Path")) return Word("/data");
    return Word(name == "ip" ? "10.0.0.1" : "web");
  }

  std::vector<Member> KeysOf(const Field& field) {
    std::vector<Member> out;
    for (const std::string& key : field.patch_keys) {
      const Field* member = field.type == kNoType ? nullptr : schema_.Find(field.type, key);
      out.emplace_back(arena_.Copy(key), SampleOf(member == nullptr ? TypeKind::kString : member->kind, key));
    }
    return out;
  }

  // --- the patch around the field

  void Add(std::string directive, std::string meaning, std::vector<Member> members) {
    for (size_t i = place_.steps.size() - 1; i-- > 0;) {
      const SchemaStep& step = place_.steps[i];
      const bool is_list = step.field != nullptr && step.field->is_list;
      if (is_list) {
        for (const Member& key : KeysOf(*step.field)) members.push_back(key);
      }
      const Value map = arena_.Object(std::move(members));
      members = {{arena_.Copy(step.name), is_list ? List({map}) : map}};
    }
    out_.push_back({std::move(directive), std::move(meaning), arena_.Object(std::move(members))});
  }

  const SchemaPlace& place_;
  const Schema& schema_;
  Arena& arena_;
  std::vector<PatchExample> out_;
};

// The server refuses a patch that takes away what tells it which object it is.
bool NamesTheObject(const SchemaPlace& place) {
  const std::string path = place.path();
  return path == "apiVersion" || path == "kind" || path == "metadata" || path == "metadata.name";
}

}  // namespace

std::string ReplacedAbove(const SchemaPlace& place) {
  std::vector<std::string> names;
  for (size_t i = 0; i + 1 < place.steps.size(); ++i) {
    const Field* field = place.steps[i].field;
    names.push_back(place.steps[i].name);
    if (field == nullptr) continue;
    const bool atomic = field->is_list && field->patch.list == ListMerge::kAtomic;
    if (atomic || field->patch.replace) return Join(names, ".");
  }
  return "";
}

std::vector<PatchExample> ExamplesFor(const SchemaPlace& place, Arena& arena) {
  if (place.steps.empty() || !place.is_strategic() || !ReplacedAbove(place).empty() || NamesTheObject(place)) return {};
  return ExampleMaker(place, arena).Make();
}

}  // namespace smp::lint
