#include "schema/reading.h"

#include <utility>

namespace smp {

namespace {

constexpr std::string_view kMetadata = "metadata";

// Returns the types that `type` refers to; for an object, except its metadata.
std::vector<TypeId> References(const Type& type, bool is_object) {
  std::vector<TypeId> out = {type.additional};
  for (const Field& field : type.fields) {
    if (!is_object || field.name != kMetadata) out.push_back(field.type);
  }
  return out;
}

// Returns the types `todo` and all types that they refer to at any depth, each once.
std::vector<TypeId> Closure(std::vector<TypeId> todo, const std::vector<bool>& is_object, const Schema& schema) {
  std::vector<bool> reached(schema.type_count());
  std::vector<TypeId> out;
  while (!todo.empty()) {
    const TypeId id = todo.back();
    todo.pop_back();
    if (id == kNoType || reached[id]) continue;
    reached[id] = true;
    out.push_back(id);
    const std::vector<TypeId> next = References(schema.type(id), is_object[id]);
    todo.insert(todo.end(), next.begin(), next.end());
  }
  return out;
}

// Returns the types and those of the objects that are embedded in them.
std::vector<TypeId> WithEmbedded(const std::vector<TypeId>& objects, const Schema& schema) {
  std::vector<TypeId> out = objects;
  for (const TypeId id : Closure(objects, std::vector<bool>(schema.type_count()), schema)) {
    if (schema.type(id).embedded) out.push_back(id);
  }
  return out;
}

// Adds the type of a custom resource's field that accepts any value, with members of the same type.
TypeId AddAnything(Schema& schema) {
  const TypeId id = schema.Add({.storage = Storage::kAsWritten});
  schema.Mutable(id).additional = id;
  return id;
}

}  // namespace

void ReadAs(Type& type, Storage storage) {
  type.storage = storage;
  for (std::vector<Field>* fields : {&type.fields, &type.merged_list}) {
    for (Field& field : *fields) {
      field.patch = storage == Storage::kGoTypes ? field.strategy : PatchRule{.list = field.list_type};
    }
  }
}

void ReadAsWritten(Schema& schema, const std::vector<TypeId>& objects, std::vector<TypeId> go_types) {
  const std::vector<bool> no_objects(schema.type_count());
  std::vector<bool> is_object = no_objects, is_go_type = no_objects;
  for (const TypeId id : WithEmbedded(objects, schema)) {
    is_object[id] = true;
    if (const Field* metadata = schema.Find(id, kMetadata)) go_types.push_back(metadata->type);
  }
  for (const TypeId id : Closure(std::move(go_types), no_objects, schema)) is_go_type[id] = true;

  const std::vector<TypeId> types = Closure(objects, is_object, schema);
  std::vector<TypeId> written(schema.type_count());  // by id: the type as a custom resource
  written[kNoType] = AddAnything(schema);
  for (const TypeId id : types) written[id] = is_go_type[id] ? schema.Add(Type(schema.type(id))) : id;
  for (const TypeId id : types) {
    Type& type = schema.Mutable(written[id]);
    ReadAs(type, Storage::kAsWritten);
    type.additional = written[type.additional];
    for (Field& list : type.merged_list) list.type = type.additional;
    for (Field& field : type.fields) {
      if (!is_object[id] || field.name != kMetadata) field.type = written[field.type];
    }
  }
}

void ReadCustomResources(Schema& schema) {
  std::vector<TypeId> custom, built_in;
  for (const auto& [gvk, resource] : schema.resources()) {
    (resource.strategic ? built_in : custom).push_back(resource.type);
  }
  std::erase(custom, kNoType);
  if (!custom.empty()) ReadAsWritten(schema, custom, std::move(built_in));
}

std::shared_ptr<const Schema> WithReading(const Schema& schema, TypeId object, Storage storage) {
  auto out = std::make_shared<Schema>(schema);
  if (storage == Storage::kAsWritten) {
    ReadAsWritten(*out, {object}, {});
  } else {
    for (TypeId id = 1; id < out->type_count(); ++id) ReadAs(out->Mutable(id), storage);
  }
  return out;
}

TypeId AddUnknownObject(Schema& schema) {
  const TypeId id = schema.Add({.fields = {{.name = std::string(kMetadata)}}});
  ReadAsWritten(schema, {id}, {});
  return id;
}

}  // namespace smp
