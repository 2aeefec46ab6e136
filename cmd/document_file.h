// Flags that name one JSON or YAML document, of any shape: --modified FILE, --patch -.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/flags.h"
#include "value/document.h"

namespace smp::cmd {

// Reads the document that --`flag` names (- is standard input). nullopt if the flag was not given. Secret values in it
// are scrubbed from later messages. Errors: invalid-argument (no such file), parse (not exactly one document).
Result<std::optional<Document>> ReadDocument(const ParsedFlags& flags, const std::string& flag, Io& io);

// The same for a document that must be given and be an object.
Result<Document> ReadObject(const ParsedFlags& flags, const std::string& flag, Io& io);

Error MissingFlag(const std::string& flag);

// Error: invalid-argument if standard input is named more than once by `flags_with_files`.
Status CheckDocumentFlags(const ParsedFlags& flags, const std::vector<std::string>& flags_with_files);

// Returns `value` as -o asks: JSON (indented by `spaces`) or YAML.
std::string PrintDocument(const ParsedFlags& flags, const Value& value, int spaces);

}  // namespace smp::cmd
