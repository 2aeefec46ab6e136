// A flag that names one JSON or YAML document, of any shape: --modified FILE, --patch -.
#ifndef SMP_CMD_DOCUMENT_FILE_H_
#define SMP_CMD_DOCUMENT_FILE_H_

#include <optional>
#include <string>
#include <vector>

#include "cmd/command.h"
#include "cmd/flags.h"
#include "value/document.h"

namespace smp {

// What --`flag` names, - for standard input. Nothing: the flag was not given. Secret values in it are scrubbed from
// later messages. Errors: invalid-argument (no such file), parse (not exactly one document).
Result<std::optional<Document>> ReadDocument(const ParsedFlags& flags, const std::string& flag, Io& io);

// The same for an object that must be given.
Result<Document> ReadObject(const ParsedFlags& flags, const std::string& flag, Io& io);

Error MissingFlag(const std::string& flag);

// Error: invalid-argument, when standard input is named more than once by `flags_with_files`.
Status CheckDocumentFlags(const ParsedFlags& flags, const std::vector<std::string>& flags_with_files);

// The flag -o, and a value as it says: JSON (indented by `spaces`) or YAML.
Flag DocumentOutputFlag();
std::string PrintDocument(const ParsedFlags& flags, const Value& value, int spaces);

}  // namespace smp

#endif  // SMP_CMD_DOCUMENT_FILE_H_
