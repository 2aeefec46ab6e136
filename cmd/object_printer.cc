#include "cmd/object_printer.h"

#include "value/escape.h"
#include "value/json.h"
#include "value/yaml.h"

namespace smp {

namespace {

Value WithoutMember(const Value& map, std::string_view name, Arena& arena) {
  std::vector<Member> members;
  for (const Member& m : map.Members()) {
    if (m.name != name) members.push_back(m);
  }
  return arena.SortedObject(members);
}

Value WithoutManagedFields(const Value& object, Arena& arena) {
  const Value* metadata = object.Find("metadata");
  if (metadata == nullptr || metadata->Find("managedFields") == nullptr) return object;
  std::vector<Member> members(object.Members().begin(), object.Members().end());
  members.push_back({"metadata", WithoutMember(*metadata, "managedFields", arena)});
  return arena.Object(std::move(members));
}

}  // namespace

std::string PrintObjects(const std::vector<Document>& objects, const std::string& format) {
  Arena arena;
  std::vector<Value> items;
  for (const Document& object : objects) items.push_back(WithoutManagedFields(object.root(), arena));
  const Value list = arena.Object({{"apiVersion", arena.String("v1")},
                                   {"kind", arena.String("List")},
                                   {"metadata", arena.SortedObject({})},
                                   {"items", arena.Array(items)}});
  const Value& shown = items.size() == 1 ? items[0] : list;
  return format == "json" ? VisibleJson(WriteIndentedJson(shown)) + "\n" : WriteYaml(shown);
}

}  // namespace smp
