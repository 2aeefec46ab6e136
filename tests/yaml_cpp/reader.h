// The second reader of YAML: over yaml-cpp, corrected where yaml-cpp reads otherwise than Go and would not notice. It was the
// product's reader before lib/yaml. The differential test and a fuzz target compare both: what both accept, they must read
// as the same values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp::yaml_cpp {

inline constexpr size_t kMaxNodes = 10'000'000;  // after expansion of aliases; a "billion laughs" ends here

struct YamlFile {
  struct Item {
    // A bad document does not hide the others: the file is split at `---` before anything is parsed.
    Result<Document> document;
  };
  std::vector<Item> items;  // empty documents are left out
};

// All documents of a file; JSON is YAML here as well: a document that begins with `{` goes through the JSON parser,
// several of them one behind the other make a stream. Lines and warnings are kept.
YamlFile ParseYamlFile(std::string_view text, const std::string& source_name);

// Exactly one document. Error: parse, with file and line.
Result<Document> ParseYaml(std::string_view text, const std::string& source_name = {});

}  // namespace smp::yaml_cpp
