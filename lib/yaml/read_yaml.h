// YAML in: what a text means to kubectl, that is to sigs.k8s.io/yaml over goyaml v2 (YAML 1.1 scalars: yes/no/on/off
// are booleans, 0644 is octal, timestamps remain strings, .inf and .nan are refused).
//
//   input     a file: encoding, characters, documents                      input.h
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
// Strings are views of one copy of the text that the Document owns. The time is linear in the text, nothing recurses,
// depth is limited (kMaxDepth in value/json.h), and so is the size after aliases and merge keys (<<) are expanded
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
    // A bad document does not hide the others: the file is split at `---` before anything is parsed.
    Result<Document> document;
  };
  std::vector<Item> items;  // empty documents are left out
};

// All documents of a file; JSON is YAML here as well: a document that begins with `{` goes through the JSON parser,
// several of them one after the other make a stream. Lines and warnings are kept.
YamlFile ParseYamlFile(std::string_view text, const std::string& source_name);

// Exactly one document. Error: parse, with file and line.
Result<Document> ParseYaml(std::string_view text, const std::string& source_name = {});

// The first document of a text that is meant for another program, read by YAML's own rules (Rules::kYaml in
// value_reader.h); null if it is empty. Lines are not kept. Error: parse, with the line.
Result<Document> ParseFirstYaml(std::string_view text);

}  // namespace smp::yaml
