// Shared by the tests of schema.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "schema/openapi.h"
#include "schema/schema.h"
#include "value/json.h"

namespace smp {

using Words = std::vector<std::string>;

inline Document Json(std::string_view text) {
  Result<Document> document = ParseJson(text);
  EXPECT_TRUE(document.ok()) << ToString(document.error()) << "\n" << text;
  return document.ok() ? *document : Document();
}

// The document is gone when this returns: what the schema still shows is its own.
inline Result<std::shared_ptr<const Schema>> Compile(std::string_view document) {
  const Document parsed = Json(document);
  return CompileOpenApiV3(parsed.root());
}

inline std::shared_ptr<const Schema> Compiled(std::string_view document) {
  const Result<std::shared_ptr<const Schema>> schema = Compile(document);
  EXPECT_TRUE(schema.ok()) << ToString(schema.error());
  return schema.ok() ? *schema : std::make_shared<const Schema>();
}

inline std::shared_ptr<const Schema> CompiledComponents(std::string_view components) {
  return Compiled(StrCat(R"({"components": {"schemas": )", components, "}}"));
}

// The field at the end of `path`, stepping through lists; a failure and an empty field when there is none.
inline Field FieldAt(const Schema& schema, TypeId type, std::string_view path) {
  const Field* field = nullptr;
  for (const std::string_view step : Split(path, '.')) {
    field = schema.Find(type, step);
    if (field == nullptr) {
      ADD_FAILURE() << "no field " << step << " on the way to " << path;
      return {};
    }
    type = field->type;
  }
  return *field;
}

// Whatever a compiler accepted can be used: every type is there, every field is found.
inline void ExpectSound(const Schema& schema) {
  for (TypeId id = 0; id < schema.type_count(); ++id) {
    const Type& type = schema.type(id);
    ASSERT_LT(type.additional, schema.type_count());
    for (const Field& field : type.fields) {
      ASSERT_LT(field.type, schema.type_count());
      ASSERT_EQ(schema.Find(id, field.name), &field);
    }
  }
  for (const auto& [gvk, resource] : schema.resources()) ASSERT_LT(resource.type, schema.type_count());
  for (const auto& [gvk, type] : schema.kinds()) ASSERT_LT(type, schema.type_count());
}

}  // namespace smp
