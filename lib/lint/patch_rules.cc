#include "lint/patch_rules.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spelling.h"
#include "base/strings.h"
#include "schema/unions.h"
#include "schema/walk_path.h"
#include "smp/directives.h"
#include "smp/merge_fields.h"
#include "value/json.h"

namespace smp::lint {

namespace {

constexpr std::string_view kDirectives[] = {kPatchDirective, kRetainKeysDirective, kOrderDirective,
                                            kDeleteFromListDirective};

// What of a patch is checked. kIgnored: inside what is replaced, where the server carries out no directives. kSaid: the same, and a
// finding says so already.
enum class Reading { kMerged, kIgnored, kSaid };

class PatchCheck {
 public:
  explicit PatchCheck(Sink& sink) : sink_(sink), schema_(*sink.object().kind->schema) {}

  // The recursion is bounded by the parser's kMaxDepth.
  void Map(const Value& map, TypeId type, Reading reading) {
    if (reading == Reading::kIgnored) SayIgnored(map);
    const bool replaces = map.StringOr(kPatchDirective) == kPatchReplace;
    if (reading == Reading::kMerged) CheckMap(map, type);
    const Reading below = replaces ? Reading::kIgnored : reading;
    for (const Member& member : map.Members()) {
      steps_.push_back({.name = member.name});
      if (member.name.starts_with('$')) {
        if (reading == Reading::kMerged) CheckDirective(member, map, type);
      } else {
        CheckMember(member, type, below);
      }
      steps_.pop_back();
    }
  }

 private:
  const Field* Find(TypeId type, std::string_view name) const {
    return type == kNoType ? nullptr : schema_.Find(type, name);
  }

  void Say(std::string_view rule, const Value& at, std::string message, std::string advice, Mark mark = Mark::kKey) {
    sink_.Add({.rule = rule,
               .at = &at,
               .path = ToFieldPath(steps_),
               .mark = mark,
               .message = std::move(message),
               .advice = std::move(advice)});
  }

  // --- maps

  void CheckMap(const Value& map, TypeId type) {
    if (const Value* slip = map.Find("retainKeys"); slip != nullptr && Find(type, "retainKeys") == nullptr) {
      steps_.push_back({.name = "retainKeys"});
      sink_.AddInstead({.rule = "patch-directive",
                        .at = slip,
                        .path = ToFieldPath(steps_),
                        .mark = Mark::kKey,
                        .message = "retainKeys without the $ is a field, not a directive",
                        .advice = "write $retainKeys"},
                       "unknown-field");
      steps_.pop_back();
    }
    if (IsDeletion(map) && map.size() > 1 && !IsItem()) {
      Say("patch-ignored", *map.Find(kPatchDirective),
          "the map is deleted, and what else the patch has in it is ignored",
          "remove the other fields, or $patch: delete");
    }
    if (type != kNoType) {
      for (const Union& fields : schema_.type(type).unions) CheckUnion(map, fields);
    }
  }

  bool IsItem() const { return !steps_.empty() && steps_.back().item != nullptr; }

  // The other members of a union may be set in live, and then the server refuses the outcome.
  void CheckUnion(const Value& map, const Union& fields) {
    if (map.Find(kRetainKeysDirective) != nullptr || map.Find(kPatchDirective) != nullptr) return;
    const std::string_view chosen = ChosenAlternative(map, fields);
    if (chosen.empty()) return;
    std::vector<std::string> others;
    bool clears = false;
    for (const auto& [field, alternative] : fields.members) {
      if (alternative == chosen) continue;
      const Value* member = map.Find(field);
      clears |= member != nullptr && member->is_null();
      if (member == nullptr) others.push_back(field);
    }
    if (others.empty() || clears) return;
    Say("patch-union", map,
        StrCat("sets ", Set(map, fields, chosen), ", and leaves what live may have instead: ",
               others.size() > 3 ? StrCat(others[0], ", ", others[1], ", …") : Join(others, ", ")),
        StrCat("add ", kRetainKeysDirective, ": [", Join(FieldsIn(map), ", "), "], or set the others to null"));
  }

  // Returns the fields of the alternative that the map sets, or its discriminator.
  static std::string Set(const Value& map, const Union& fields, std::string_view chosen) {
    std::vector<std::string> names;
    for (const auto& [field, alternative] : fields.members) {
      if (alternative == chosen && map.Find(field) != nullptr) names.push_back(field);
    }
    return names.empty() ? fields.discriminator : Join(names, " and ");
  }

  static std::vector<std::string> FieldsIn(const Value& map) {
    std::vector<std::string> names;
    for (const Member& member : map.Members()) {
      if (!member.name.starts_with('$') && !member.value.is_null()) names.emplace_back(member.name);
    }
    return names;
  }

  // What is replaced is taken literally.
  void SayIgnored(const Value& map) {
    for (const Member& member : map.Members()) {
      if (!IsDirective(member.name)) continue;
      steps_.push_back({.name = member.name});
      Say("patch-ignored", member.value, "directives inside of what $patch: replace replaces are not carried out",
          "write what the result should have");
      steps_.pop_back();
    }
  }

  // --- directives

  void CheckDirective(const Member& member, const Value& map, TypeId type) {
    if (member.name == kPatchDirective) return CheckWord(member.value);
    if (member.name == kRetainKeysDirective) return CheckRetainKeys(member.value, map, type);
    if (!IsDirective(member.name)) return SayUnknown(member);
    const auto list = ParallelList(member.name);
    if (!list.ok()) return Say("patch-directive", member.value, list.error().message, "name the list");
    if (IsOrderKey(member.name)) return CheckOrder(member.value, *list, map, type);
    CheckDeletions(member.value, *list, map, type);
  }

  void SayUnknown(const Member& member) {
    const std::string_view name = member.name.substr(0, member.name.find('/'));
    const std::vector<std::string> known(std::begin(kDirectives), std::end(kDirectives));
    const std::vector<std::string> meant = SpelledLike(name, known);
    Say("patch-directive", member.value,
        StrCat(member.name, " is no directive, and servers ignore it or store it as a field"),
        meant.empty() ? StrCat("use ", Join(known, ", ")) : StrCat("did you mean ", meant[0], "?"));
  }

  void CheckWord(const Value& word) {
    if (word.is_string() && (word.AsString() == kPatchReplace || word.AsString() == kPatchDelete)) return;
    Say("patch-directive", word,
        word.is_string() && word.AsString() == "merge" ? "merging is what servers do anyway, and no word of $patch"
                                                       : "$patch must be replace or delete",
        "use replace or delete, or remove it", Mark::kValue);
  }

  void CheckRetainKeys(const Value& names, const Value& map, TypeId type) {
    const bool texts = names.is_array() && std::ranges::all_of(names.Items(), &Value::is_string);
    if (!texts)
      return Say("patch-retain-keys", names, "$retainKeys must be a list of names", "list the fields to keep",
                 Mark::kValue);
    std::set<std::string_view> kept;
    for (const Value& name : names.Items()) kept.insert(name.AsString());
    for (const std::string& name : FieldsIn(map)) {
      if (kept.contains(name)) continue;
      Say("patch-retain-keys", names,
          StrCat("$retainKeys does not name ", name, ", which the patch sets: the server refuses that"),
          StrCat("add ", name, " to $retainKeys"));
    }
    if (type == kNoType || schema_.type(type).fields.empty()) return;
    for (const Value& name : names.Items()) {
      if (Find(type, name.AsString()) != nullptr) continue;
      Say("patch-retain-keys", name, StrCat("there is no field ", name.AsString()), "correct the name", Mark::kValue);
    }
  }

  // Returns the list that a directive is about; nullptr, with a finding, if it is none that is merged.
  const Field* MergedList(const Value& at, std::string_view name, TypeId type) {
    const Field* field = Find(type, name);
    if (field == nullptr) {
      Say("patch-list", at, StrCat("there is no list ", name, " beside this directive"),
          "correct the name after the /");
      return nullptr;
    }
    if (field->is_list && field->patch.list != ListMerge::kAtomic) return field;
    Say("patch-list", at, StrCat(name, " is ", field->is_list ? "a list that is replaced as a whole" : "no list"),
        "write the whole list, without this directive");
    return nullptr;
  }

  void CheckOrder(const Value& order, std::string_view name, const Value& map, TypeId type) {
    const Field* field = MergedList(order, name, type);
    if (field == nullptr) return;
    if (!order.is_array()) {
      return Say("patch-order", order, "$setElementOrder must be a list", "list the items in their order",
                 Mark::kValue);
    }
    for (const Value& item : order.Items()) CheckOrderItem(item, *field);
    const Value* list = map.Find(name);
    if (list != nullptr && list->is_array()) CheckFollows(*list, order, name, *field);
  }

  // Each map has the merge keys and nothing else.
  void CheckOrderItem(const Value& item, const Field& field) {
    const bool keyed = field.patch.list == ListMerge::kKeyed;
    if (!keyed && item.is_scalar()) return;
    const bool fits =
        keyed && item.is_object() && item.size() == field.patch_keys.size() &&
        std::ranges::all_of(field.patch_keys, [&](const std::string& key) { return item.Find(key) != nullptr; });
    if (fits) return;
    Say("patch-order", item,
        keyed ? StrCat("each item must have ", Join(field.patch_keys, " and "), " and nothing else")
              : "each item must be one of the list",
        "write only what identifies the item", Mark::kValue);
  }

  // Returns "" for an item without a key.
  static std::string KeyOf(const Value& item, const Field& field) {
    if (!item.is_object()) return WriteJson(item);
    const PathStep step = KeyStep(item, field.patch_keys);
    return step.keys.empty() ? "" : ToString(step);
  }

  // The server refuses a patch whose items are not in the order that it states.
  void CheckFollows(const Value& list, const Value& order, std::string_view name, const Field& field) {
    size_t next = 0;
    for (const Value& item : list.Items()) {
      const std::string key = KeyOf(item, field);
      if (item.Find(kPatchDirective) != nullptr || key.empty()) continue;
      while (next < order.size() && KeyOf(order.Items()[next], field) != key) ++next;
      if (next++ < order.size()) continue;
      return Say("patch-order", order,
                 StrCat("the items of ", name, " are not in the order of $setElementOrder: ", key,
                        " is missing there, or earlier"),
                 "name every item of the patch, in the same order");
    }
  }

  void CheckDeletions(const Value& gone, std::string_view name, const Value& map, TypeId type) {
    const Field* field = MergedList(gone, name, type);
    if (field == nullptr) return;
    const bool scalars = gone.is_array() && std::ranges::all_of(gone.Items(), &Value::is_scalar);
    if (field->patch.list == ListMerge::kKeyed || !scalars) {
      return Say("patch-list", gone, "$deleteFromPrimitiveList is for lists of scalars only",
                 StrCat("delete an item of ", name, " with $patch: delete and its key"));
    }
    const Value* list = map.Find(name);
    for (const Value& item : gone.Items()) {
      if (list == nullptr || !list->is_array() || std::ranges::find(list->Items(), item) == list->Items().end())
        continue;
      Say("patch-list", item, StrCat(WriteJson(item), " is in the list and deleted from it: the order decides"),
          "remove it from one of them", Mark::kValue);
    }
  }

  // --- fields

  void CheckMember(const Member& member, TypeId type, Reading reading) {
    const Field* field = Find(type, member.name);
    const TypeId below = field != nullptr ? field->type : type == kNoType ? kNoType : schema_.type(type).additional;
    if (member.value.is_object()) Map(member.value, field != nullptr && field->is_list ? kNoType : below, reading);
    if (member.value.is_array()) List(member.value, field, below, reading);
  }

  void List(const Value& list, const Field* field, TypeId type, Reading reading) {
    const bool replaces = std::ranges::any_of(
        list.Items(), [](const Value& item) { return item.StringOr(kPatchDirective) == kPatchReplace; });
    const bool merged = field != nullptr && field->patch.list == ListMerge::kKeyed && reading == Reading::kMerged;
    if (merged) CheckItems(list, *field, replaces);
    const bool said = !merged && reading == Reading::kMerged && field != nullptr && CheckAtomic(list);
    int64_t index = 0;
    for (const Value& item : list.Items()) {
      steps_.push_back({.item = &item, .index = index++, .list = field});
      const bool is_directive = item.StringOr(kPatchDirective) == kPatchReplace;
      const bool twice = said || (merged && replaces && IsDeletion(item));
      const Reading of_item = twice ? Reading::kSaid : replaces || !merged ? Reading::kIgnored : reading;
      if (item.is_object() && !is_directive) Map(item, type, of_item);
      steps_.pop_back();
    }
  }

  // In a list that is not merged, a map with $patch is an item like any other. Returns true if there is one.
  bool CheckAtomic(const Value& list) {
    const auto has = [](const Value& item) { return item.Find(kPatchDirective) != nullptr; };
    if (std::ranges::none_of(list.Items(), has)) return false;
    Say("patch-list", list, "this list is replaced as a whole; in it, $patch is no directive",
        "write the whole list, without $patch");
    return true;
  }

  void CheckItems(const Value& list, const Field& field, bool replaces) {
    int64_t index = 0;
    std::set<std::string> seen;
    for (const Value& item : list.Items()) {
      steps_.push_back({.item = &item, .index = index++, .list = &field});
      if (item.StringOr(kPatchDirective) == kPatchReplace) {
        CheckReplace(item);
      } else if (item.is_object()) {
        CheckItem(item, field, replaces, seen);
      }
      steps_.pop_back();
    }
  }

  void CheckReplace(const Value& item) {
    if (item.size() == 1) return;
    Say("patch-ignored", item,
        "the item with $patch: replace only says that the list is replaced; its other fields are ignored",
        "put them into an item of their own");
  }

  void CheckItem(const Value& item, const Field& field, bool replaces, std::set<std::string>& seen) {
    std::vector<std::string> missing;
    for (const std::string& key : field.patch_keys) {
      if (item.Find(key) == nullptr) missing.push_back(key);
    }
    if (!missing.empty()) {
      return Say("patch-key", item,
                 StrCat("the item has no ", Join(missing, " and "), ", by which the server finds it"),
                 StrCat("add ", Join(missing, " and ")));
    }
    if (replaces && IsDeletion(item)) {
      Say("patch-ignored", item, "replace and delete exclude each other in one list",
          "remove the items with $patch: delete");
    }
    if (!seen.insert(KeyOf(item, field)).second && !replaces) {
      Say("patch-key", item, "the patch has this item twice: the server merges the second into the first",
          "make one of them");
    }
    if (!replaces) CheckShared(item, field);
  }

  // An item that has more to identify it than the server looks at.
  void CheckShared(const Value& item, const Field& field) {
    if (field.patch_keys == field.identity_keys) return;
    const auto more = std::ranges::find_if(field.identity_keys, [&](const std::string& key) {
      return std::ranges::find(field.patch_keys, key) == field.patch_keys.end() && item.Find(key) != nullptr;
    });
    if (more == field.identity_keys.end()) return;
    Say("patch-shared-key", item,
        StrCat("the server finds this item by ", Join(field.patch_keys, ", "), " alone, whatever ", *more,
               " says: it may change another one"),
        "write the whole list with $patch: replace if live has items that share the key");
  }

  Sink& sink_;
  const Schema& schema_;
  std::vector<WalkStep> steps_;
};

}  // namespace

void CheckPatch(Sink& sink) {
  const Object& patch = sink.object();
  if (!patch.root().is_object()) {
    return sink.Add({.rule = "patch-type",
                     .message = "a strategic merge patch is an object",
                     .advice = "a list of operations is a JSON patch (kubectl patch --type=json)"});
  }
  if (patch.kind->is_custom()) {
    return sink.Add({.rule = "patch-type",
                     .message = "the server takes no strategic merge patch of a custom resource",
                     .advice = "use a JSON merge patch (kubectl patch --type=merge); lists are replaced as a whole"});
  }
  PatchCheck(sink).Map(patch.root(), patch.kind->resource.type, Reading::kMerged);
}

}  // namespace smp::lint
