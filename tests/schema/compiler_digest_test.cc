#include "schema/compiler_digest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "base/digest.h"
#include "base/strings.h"
#include "tests_dir.h"

namespace smp {
namespace {

namespace fs = std::filesystem;

// Contents by name below lib/.
std::map<std::string, std::string> FilesBelow(const fs::path& lib, const std::string& module) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(lib / module)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[entry.path().lexically_relative(lib).generic_string()] = std::string(std::istreambuf_iterator<char>(in), {});
  }
  return files;
}

// A cached schema of a file's older version would go on to be used after an upgrade if the digest left the file out.
TEST(CompilerDigest, CoversEverySourceAndEveryFact) {
  const fs::path lib = fs::path(kTestsDir) / ".." / "lib";
  std::map<std::string, std::string> files;
  for (const char* module : {"base", "value", "schema"}) files.merge(FilesBelow(lib, module));
  for (const char* known :
       {"schema/facts/builtin_facts.cc", "schema/serial.cc", "schema/openapi_types.cc", "value/json.cc",
        "schema/facts/defaults.txt", "schema/facts/duplicates.txt", "schema/facts/unions.txt", "schema/facts/zeros.txt",
        "schema/builtin/kubernetes-1.36.schema"}) {
    EXPECT_TRUE(files.contains(known)) << known;
  }
  std::string lines;
  for (const auto& [name, content] : files) lines += StrCat(Sha256Hex(content), " ", name, "\n");
  EXPECT_EQ(CompilerDigest(), Sha256Hex(lines));
}

}  // namespace
}  // namespace smp
