// Kinds: the schemas by which the objects of an input are checked.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "apply/input_definitions.h"
#include "apply/manifests.h"
#include "apply/type_source.h"
#include "base/result.h"
#include "lint/object.h"

namespace smp::lint {

// Where schemas come from, besides the CRDs of the input.
struct Schemas {
  apply::TypeSource* types = nullptr;  // of --schema or --from-server; nullptr: only the built-in schema
  Authority authority = Authority::kBuiltin;
  std::vector<apply::Manifest> definitions = {};  // CRDs that are not part of the input
};

class Kinds {
 public:
  // `input`: the objects of the input that are CRDs count before all others.
  Kinds(const Schemas& schemas, std::vector<apply::Manifest> input);

  // Returns the kind, with Authority::kNobody if no schema has it. Error: server, transport, …; schema, for a document of
  // --schema that cannot be compiled.
  Result<std::shared_ptr<const Kind>> Find(const GroupVersionKind& gvk);

  const apply::InputDefinitions& definitions() const { return definitions_; }

 private:
  Result<Kind> Look(const GroupVersionKind& gvk) const;
  Kind FromDefinition(const GroupVersionKind& gvk, const apply::InputDefinitions::Kind& defined) const;

  const Schemas& schemas_;
  apply::Manifests crds_;
  apply::InputDefinitions definitions_;
  std::map<GroupVersionKind, std::shared_ptr<const Kind>> found_;
};

}  // namespace smp::lint
