// Reads YAML as kubectl does, that is, like sigs.k8s.io/yaml with goyaml v2 (YAML 1.1 scalars: yes/no/on/off are
// booleans, 0644 is octal, timestamps remain strings, .inf and .nan are refused).
//
//   input     file → checked documents, as text                            input.h, utf16.h
//   scanner   text → tokens with marks                                     scanner.h, scalars.h, cursor.h
//   parser    tokens → events with marks                                   parser.h, events.h, tags.h
//   reader    events → Document, by Go's rules                             value_reader.h, resolve.h, expansion.h
//
// For example `ports: [80, http]`:
//
//   tokens    kBlockMapping kKey kScalar"ports" kValue kFlowSequence kScalar"80" kFlowEntry kScalar"http"
//             kFlowSequenceEnd kBlockEnd kStreamEnd
//   events    kMappingStart, kScalar"ports" (key), kSequenceStart (value), kScalar"80" (item), kScalar"http" (item),
//             kSequenceEnd, kMappingEnd
//   values    {"ports": [80, "http"]}
//
// Strings are views of a copy of the text that the Document owns. Reading takes linear time and does not recurse. Depth
// is limited (kMaxDepth in value/json.h), and so is the size with all aliases and merge keys (<<) expanded
// (expansion.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp::yaml {

struct YamlFile {
  struct Item {
    // An invalid document is an error here and does not affect the others: the file is split at `---` before parsing.
    Result<Document> document;
  };
  std::vector<Item> items;  // empty documents are left out
};

// Returns all documents of a file, with lines and warnings. JSON is accepted, too: a document that begins with `{` is
// first read by the JSON parser, and may be several JSON objects one after the other.
YamlFile ParseYamlFile(std::string_view text, const std::string& source_name);

// Returns the text's only document. Error: parse, with file and line, also if there is not exactly one document.
Result<Document> ParseYaml(std::string_view text, const std::string& source_name = {});

// Returns the first document of a text that is meant for another program, by YAML's own rules (Rules::kYaml in
// value_reader.h); null if it is empty. Without line numbers. Error: parse, with the line.
Result<Document> ParseFirstYaml(std::string_view text);

}  // namespace smp::yaml
