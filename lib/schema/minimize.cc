#include "schema/minimize.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/serial.h"

namespace smp {

namespace {

// The class of each type, by id. Classes are numbered from 1 in the order of their first types; [kNoType] stays 0.
using Classes = std::vector<TypeId>;

Type Renumbered(Type type, const Classes& classes) {
  type.VisitReferences([&](TypeId& to) { to = classes[to]; });
  return type;
}

Classes Refined(const Schema& schema, const Classes& classes) {
  std::vector<std::string> labels;
  for (const TypeId number : classes) labels.push_back(std::to_string(number));
  Classes refined(classes.size(), kNoType);
  std::unordered_map<std::string, TypeId> seen;
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    const TypeId next = static_cast<TypeId>(seen.size() + 1);
    refined[id] = seen.try_emplace(SerializeType(schema.type(id), labels), next).first->second;
  }
  return refined;
}

// Minimizes types like a finite automaton: all types start in one class, which is split until the types of a class have
// the same lines and refer to the same classes. This also merges equal cycles (JSONSchemaProps), which a bottom-up
// comparison could not.
Classes StableClasses(const Schema& schema) {
  Classes classes(schema.type_count(), 1);
  classes[kNoType] = kNoType;
  for (Classes refined = Refined(schema, classes); refined != classes; refined = Refined(schema, classes)) {
    classes = std::move(refined);
  }
  return classes;
}

}  // namespace

Schema Minimized(const Schema& schema) {
  const Classes classes = StableClasses(schema);
  Schema result;
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    if (classes[id] != result.type_count()) continue;  // not the first of its class
    Type type = Renumbered(schema.type(id), classes);
    const auto own = [&](const Value*& value) {
      if (value != nullptr) value = result.Own(*value);
    };
    own(type.fixed_words);
    for (Field& list : type.merged_list) list.fixed_words = type.fixed_words;
    for (Field& field : type.fields) {
      own(field.default_value);
      own(field.fixed_words);
    }
    result.Add(std::move(type));
  }
  for (const auto& [gvk, type] : schema.kinds()) result.AddKind(gvk, classes[type]);
  for (const auto& [gvk, resource] : schema.resources()) {
    Resource renumbered = resource;
    renumbered.type = classes[resource.type];
    result.AddResource(renumbered);
  }
  return result;
}

}  // namespace smp
