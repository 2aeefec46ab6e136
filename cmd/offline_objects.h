// Objects in files, which take the place of live or last-applied ones (--live, --original).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "apply/input_definitions.h"
#include "apply/manifests.h"
#include "base/result.h"
#include "cmd/flags.h"
#include "value/document.h"

namespace smp::cmd {

class OfflineObjects {
 public:
  // Reads the file or folder of the flag; no objects without the flag. Error: that of the first object that cannot be read.
  static Result<OfflineObjects> Read(const ParsedFlags& flags, const std::string& flag);

  // Returns the object of the same group, kind and name, in the manifest's namespace or that of -n, or else without a
  // namespace, which then counts as the same one. nullopt if there is none. Error: invalid-argument, if the manifest has
  // no namespace and there are objects in several.
  // `definitions`: of the input, which tell if a custom resource has a namespace.
  Result<std::optional<Document>> Find(const apply::Manifest& wanted, const std::string& name_space,
                                       const apply::InputDefinitions& definitions) const;

 private:
  using Key = std::array<std::string, 3>;  // group, kind, name

  std::string flag_;
  std::map<Key, std::map<std::string, Document>> objects_;  // the inner one by namespace
};

}  // namespace smp::cmd
