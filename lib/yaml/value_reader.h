// Events → Document, by the rules of goyaml's decode.go and then of sigs.k8s.io/yaml.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace smp::yaml {

// The text of one document in a file.
struct Chunk {
  std::string_view text;
  int first_line = 1;  // its line in the file
};

enum class Rules {
  kKubectl,  // as kubectl reads a manifest; lines and warnings are kept
  // As YAML 1.1 defines it, for texts that other programs read: explicit members win over members merged by `<<` in any
  // order, a blank line may contain tabs, any share of the document may come from aliases, a key may be an alias of an
  // integer beyond 64 bits, and further documents may follow.
  kYaml,
};

// Returns the chunk's document; nullopt if it is empty or has only comments. Error: parse, with file and line.
// REQUIRES, for kKubectl: FindBadCharacter (input.h) found no bad character in the chunk.
std::optional<Result<Document>> ReadDocument(const Chunk& chunk, const std::string& source_name,
                                             Rules rules = Rules::kKubectl);

Error ErrorAt(const std::string& source_name, int line, std::string_view why);

}  // namespace smp::yaml
