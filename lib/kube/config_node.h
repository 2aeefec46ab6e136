// Reading configuration files (kubeconfig, kuberc) field by field, each error with file, line and path.
#ifndef SMP_KUBE_CONFIG_NODE_H_
#define SMP_KUBE_CONFIG_NODE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp {

// A value of the file together with where it stands.
struct ConfigNode {
  const Document* document;
  const Value* value;
  std::string path;
  Source source;
};

Error NodeError(const ConfigNode& node, std::string message);
Error WrongKind(const ConfigNode& node, std::string_view expected);

// Nothing where the member is absent or null.
std::optional<ConfigNode> Child(const ConfigNode& parent, std::string_view name);
// The same, of the kind that is wanted. Error: parse.
Result<std::optional<ConfigNode>> ObjectChild(const ConfigNode& parent, std::string_view name);
// The items of a list; none where the member is absent or null. Error: parse.
Result<std::vector<ConfigNode>> ListChildren(const ConfigNode& parent, std::string_view name);

// "", false and {} where the member is absent or null. Error: parse.
Result<std::string> ReadString(const ConfigNode& parent, std::string_view name);
Result<bool> ReadBool(const ConfigNode& parent, std::string_view name);
Result<std::vector<std::string>> ReadStrings(const ConfigNode& parent, std::string_view name);

}  // namespace smp

#endif  // SMP_KUBE_CONFIG_NODE_H_
