#include "cases/case.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "schema/builtin.h"
#include "schema/openapi.h"
#include "schema/reading.h"
#include "tests_dir.h"
#include "yaml/read_yaml.h"

namespace smp {

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(kTestsDir) / "cases")) {
    if (entry.path().extension() == ".txtar") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path CasePath(const std::string& name) {
  return std::filesystem::path(kTestsDir) / "cases" / (name + ".txtar");
}

CaseFile ReadCase(const std::string& name) {
  std::ifstream in(CasePath(name));
  std::stringstream text;
  text << in.rdbuf();
  return ParseCaseFile(text.str());
}

Document Yaml(const CaseFile& file, const std::string& section) {
  auto document = yaml::ParseYaml(file.Find(section).value_or("null"), section + ".yaml");
  EXPECT_TRUE(document.ok()) << ToString(document.error());
  return document.ok() ? *document : Document();
}

SchemaAndType SchemaOf(const CaseFile& file, const Value& modified) {
  if (!file.Find("schema")) {
    const auto gvk = GvkOf(modified);
    EXPECT_TRUE(gvk.ok());
    const auto schema = BuiltinSchema();
    const Resource* resource = schema->FindResource(*gvk);
    EXPECT_NE(resource, nullptr) << "no built-in " << gvk->kind;
    if (resource == nullptr) return {};
    return {schema, resource->type};
  }
  const auto schema = CompileOpenApiV3(Yaml(file, "schema").root());
  EXPECT_TRUE(schema.ok()) << ToString(schema.error());
  if (!schema.ok()) return {};
  const TypeId type = (*schema)->FindTypeByName("Type");
  if (!file.Find("custom-resource")) return {*schema, type};
  return {WithReading(**schema, type, Storage::kAsWritten), type};
}

std::string CaseTestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace smp
