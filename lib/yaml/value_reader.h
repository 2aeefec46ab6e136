// Events → Document, by the rules of Go's decoder (goyaml's decode.go, then sigs.k8s.io/yaml).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace smp::yaml {

// The text of one document, as it is in a file.
struct Chunk {
  std::string_view text;
  int first_line = 1;  // of the file
};

enum class Rules {
  kKubectl,  // as kubectl reads a manifest; lines and warnings are kept
  // As YAML 1.1 says, for texts that other programs read: explicit members win over those that `<<` brings in wherever
  // they are, a blank line may hold tabs, any share of the document may be aliases, an alias of an integer beyond 64
  // bits may be a key, and other documents may follow.
  kYaml,
};

// nullopt if the chunk has no document (it is empty, or has comments only). Error: parse, with file and line.
// REQUIRES: kKubectl: the characters of the chunk were checked (characters are valid UTF-8 that YAML allows).
std::optional<Result<Document>> ReadDocument(const Chunk& chunk, const std::string& source_name,
                                             Rules rules = Rules::kKubectl);

Error ErrorAt(const std::string& source_name, int line, std::string_view why);

}  // namespace smp::yaml
