// Reads the fields of configuration files (kubeconfig, kuberc). Every error has file, line and path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp::auth {

// A value of the file and its location.
struct ConfigNode {
  const Document* document;
  const Value* value;
  std::string path;
  Source source;
};

Error NodeError(const ConfigNode& node, std::string message);
Error WrongKind(const ConfigNode& node, std::string_view expected);

// Returns nullopt if the member is absent or null.
std::optional<ConfigNode> Child(const ConfigNode& parent, std::string_view name);
// Same, but the member must be an object. Error: parse.
Result<std::optional<ConfigNode>> ObjectChild(const ConfigNode& parent, std::string_view name);
// Returns the items of a list; empty if the member is absent or null. Error: parse.
Result<std::vector<ConfigNode>> ListChildren(const ConfigNode& parent, std::string_view name);

// Return "", false or {} if the member is absent or null. Error: parse.
Result<std::string> ReadString(const ConfigNode& parent, std::string_view name);
Result<bool> ReadBool(const ConfigNode& parent, std::string_view name);
Result<std::vector<std::string>> ReadStrings(const ConfigNode& parent, std::string_view name);

}  // namespace smp::auth
