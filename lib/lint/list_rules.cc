#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "lint/checks.h"
#include "lint/schema_walk.h"
#include "schema/facts/values.h"
#include "smp/duplicates.h"
#include "value/path.h"

namespace smp::lint {

namespace {

// --- the same identity

std::string OtherLines(const Object& object, const DuplicateItems& found) {
  std::vector<std::string> lines;
  for (size_t i = 0; i + 1 < found.items.size(); ++i) {
    lines.push_back(std::to_string(object.document.LineOf(found.items[i])));
  }
  return StrCat(lines.size() == 1 ? "line " : "lines ", Join(lines, " and "));
}

void SayDuplicates(Sink& sink, const DuplicateItems& found) {
  const Value* last = found.items.back();
  const bool equal = *found.items.front() == *last && found.items.size() == 2;
  Said said = {.rule = found.meaning == Duplicates::kRefused ? "duplicate-item" : "repeated-item",
               .at = last,
               .path = found.path};
  const std::string_view by_server = ConsequenceOf(found.meaning);
  said.message =
      StrCat("the same item is on ", OtherLines(sink.object(), found), equal ? ", with the same content" : "",
             found.meaning == Duplicates::kRefused ? "; the server accepts only one" : by_server);
  if (found.meaning != Duplicates::kRefused) said.message += "; when one of them goes, kubectl deletes both";
  said.advice = "remove one of them";
  if (equal) said.edit = sink.Removed(last);
  sink.Add(std::move(said));
}

// --- the key by which kubectl pairs items

// The keys by which the list is merged: by the server, or, of a custom resource, by its schema.
const std::vector<std::string>& MergeKeys(const Field& field) {
  return field.patch_keys.empty() ? field.identity_keys : field.patch_keys;
}

FieldPath PathOfItem(const Steps& list, const Value& item, int64_t index, const std::vector<std::string>& keys) {
  FieldPath path = ToFieldPath(list);
  PathStep by_key = item.is_object() ? KeyStep(item, keys) : PathStep::Index(index);
  path.push_back(by_key.keys.empty() ? PathStep::Index(index) : std::move(by_key));
  return path;
}

// Returns true if the server refuses an item without the key anyway.
bool IsRequired(const Sink& sink, const Field& field, std::string_view key) {
  const Schema& schema = *sink.object().kind->schema;
  if (field.type == kNoType) return false;
  const auto rules = ValueRulesOf(schema.type(field.type), schema.release());
  return std::ranges::any_of(rules, [&](const ValueRule* rule) {
    return rule->kind == ValueRule::Kind::kRequired && rule->path.size() == 1 && rule->path[0] == key;
  });
}

void CheckItem(Sink& sink, const Value& item, const Field& field, const FieldPath& path) {
  const Schema& schema = *sink.object().kind->schema;
  for (const std::string& key : MergeKeys(field)) {
    const Value* value = item.Find(key);
    if (value != nullptr && !value->is_null()) continue;
    const Field* of_key = schema.Find(field.type, key);
    const bool is_filled_in = of_key != nullptr && of_key->default_value != nullptr && field.patch_keys.empty();
    if (is_filled_in || IsRequired(sink, field, key)) continue;
    sink.Add({.rule = "missing-key",
              .at = &item,
              .path = path,
              .message = StrCat("the item has no ", key, ", by which the items of this list are merged"),
              .advice = StrCat("add ", key)});
  }
}

// Items that only their other keys tell apart: kubectl pairs by one.
void CheckSharedKeys(Sink& sink, const Value& list, const Field& field, const Steps& steps) {
  std::map<std::string, const Value*> first;
  int64_t index = -1;
  for (const Value& item : list.Items()) {
    ++index;
    const PathStep by_key = item.is_object() ? KeyStep(item, field.patch_keys) : PathStep();
    if (by_key.keys.empty()) continue;
    const auto [at, is_new] = first.try_emplace(ToString(by_key), &item);
    if (is_new) continue;
    sink.Add({.rule = "shared-key",
              .at = &item,
              .path = PathOfItem(steps, item, index, field.identity_keys),
              .message = StrCat("kubectl apply pairs these items by ", Join(field.patch_keys, ", "),
                                " alone and takes this one for that on line ",
                                sink.object().document.LineOf(at->second), " when they change"),
              .advice = "apply it with kubectl smp, or server-side"});
  }
}

void CheckKeys(Sink& sink, const Value& list, const Field& field, const Steps& steps) {
  int64_t index = 0;
  for (const Value& item : list.Items()) {
    if (item.is_object()) CheckItem(sink, item, field, PathOfItem(steps, item, index, field.identity_keys));
    ++index;
  }
  if (field.patch_keys != field.identity_keys && !field.patch_keys.empty()) CheckSharedKeys(sink, list, field, steps);
}

}  // namespace

void CheckLists(Sink& sink) {
  const Object& object = sink.object();
  if (!object.has_type()) return;
  const Kind& kind = *object.kind;
  for (const DuplicateItems& found : FindDuplicateItems(object.document, *kind.schema, kind.resource.type)) {
    SayDuplicates(sink, found);
  }
  ForEachValue(object, [&](const Visited& at, const Steps& steps) {
    const bool keyed = at.field != nullptr && at.field->patch.list == ListMerge::kKeyed && at.value.is_array();
    if (keyed) CheckKeys(sink, at.value, *at.field, steps);
  });
}

}  // namespace smp::lint
