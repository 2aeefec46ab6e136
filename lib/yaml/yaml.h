// YAML in and out, read as sigs.k8s.io/yaml reads it (YAML 1.1 scalars: yes/no/on/off are booleans, 0644 is octal,
// timestamps stay strings, .inf and .nan are refused), so that a manifest means the same to us and to kubectl. yaml-cpp
// is used underneath as an event source and named only in yaml.cc. Anchors, aliases and merge keys (<<) are expanded up
// to kMaxNodes nodes; depth is limited to kMaxDepth (json.h).
#ifndef SMP_YAML_YAML_H_
#define SMP_YAML_YAML_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp {

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

// In kubectl's style: two spaces, list items not indented below their key, members sorted, strings quoted where
// YAML 1.1 or 1.2 would read them as anything else, literal blocks for text with line ends. Ends with a newline.
std::string WriteYaml(const Value& value);

}  // namespace smp

#endif  // SMP_YAML_YAML_H_
