// A field of a kind, as its schema has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lint/object.h"
#include "schema/schema.h"

namespace smp::lint {

// A step from an object towards a field. Items of lists need no step.
struct SchemaStep {
  std::string name;
  const Field* field = nullptr;  // nullptr: a key of a map, such as a label
  TypeId holder = kNoType;       // the type that has the field
};

struct SchemaPlace {
  std::shared_ptr<const Kind> kind;
  std::vector<SchemaStep> steps = {};  // empty: the object itself
  TypeId type = kNoType;               // of the value; for a list, of its items

  const Schema& schema() const { return *kind->schema; }
  const Field* field() const { return steps.empty() ? nullptr : steps.back().field; }
  std::string path() const;  // "spec.template"
  // Returns true for strategic merge patches, false for JSON merge patches.
  bool is_strategic() const { return kind->resource.strategic; }
};

// Returns the place at a path like spec.template.spec.containers; [*] or [name=web] after a name is ignored. Error:
// invalid-argument, with the field that may be meant.
Result<SchemaPlace> FindSchemaPlace(std::shared_ptr<const Kind> kind, std::string_view path);

// Returns what completes the last name of a path: the paths of all fields beside it. Empty if the path is unknown.
std::vector<std::string> FieldsBeside(std::shared_ptr<const Kind> kind, std::string_view path);

// Returns "list of Container", "map of string", "integer", …
std::string NameOfValue(const Schema& schema, const Field& field);
std::string NameOfType(const Schema& schema, TypeId type);

}  // namespace smp::lint
