// The files of tests/cases, for every test that runs them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cases/txtar.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

std::vector<std::string> CaseNames();  // sorted, without ".txtar"
std::filesystem::path CasePath(const std::string& name);
CaseFile ReadCase(const std::string& name);

// A section's YAML; null if the file has no such section. An error fails the test.
Document Yaml(const CaseFile& file, const std::string& section);

struct SchemaAndType {
  std::shared_ptr<const Schema> schema;
  TypeId type = kNoType;

  bool strategic() const { return schema->type(type).storage == Storage::kGoTypes; }
};

// Of the file's own schema, else of the built-in one by the object's kind.
SchemaAndType SchemaOf(const CaseFile& file, const Value& object);

// The name as gtest wants it: letters and digits.
std::string CaseTestName(const testing::TestParamInfo<std::string>& info);

}  // namespace smp
