// Refusals of the server that reading is enough to foretell. explain-diff shows them; apply never refuses by them, but
// sends its patch and reports the server's words.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apply/input_definitions.h"
#include "apply/prepare.h"
#include "base/result.h"
#include "kube/client.h"

namespace smp::apply {

struct ForetoldRefusal {
  Error error;                                // refused: "foretold: …"
  bool recreatable = false;                   // --force would recreate the object (schema/facts/immutable.h)
  std::vector<std::string> other_paths = {};  // of further fields that are refused in the same words
};

// Returns nullopt unless the server would refuse to create or patch the object: the plan changes a field that is fixed
// (schema/facts/fixed.txt, smp/transition_rules.h), a CRD loses a version in which objects are stored, or the manifest states a
// resourceVersion, a uid or a deletionTimestamp that does not fit.
std::optional<ForetoldRefusal> ForetellRefusal(const Prepared& prepared);

// Returns warnings about a uid and a resourceVersion in the manifest that fit today.
std::vector<std::string> MetadataWarnings(const Prepared& prepared);

// Looks for the namespaces of new objects, each once.
class NamespaceCheck {
 public:
  // `definitions`: the namespaces that the input itself creates.
  NamespaceCheck(kube::Client& client, const InputDefinitions& definitions)
      : client_(client), definitions_(definitions) {}

  // Returns an error refused ("foretold: …") if the object is new and its namespace is being deleted, or exists neither on
  // the server nor in the input. A namespace that may not be read counts as existing.
  std::optional<Error> RefusalIn(const Prepared& prepared);
  // The same for an object that --force would delete and create again.
  std::optional<Error> RefusalOfNew(const Prepared& prepared);
  // The input's Namespace will not be sent, or is being deleted: what the server has counts.
  void NotBrought(const std::string& name) { not_brought_.insert(name); }

 private:
  enum class State { kUsable, kMissing, kTerminating };

  State StateOf(const std::string& name);

  kube::Client& client_;
  const InputDefinitions& definitions_;
  std::map<std::string, State> states_;  // by name
  std::set<std::string> not_brought_;
};

// Looks at the CRDs of new custom resources, each once: nothing can be created of a kind whose CRD is being deleted, which may take
// as long as an object of it has a finalizer. Source: apiextensions-apiserver, customresource_handler.go.
class DefinitionCheck {
 public:
  explicit DefinitionCheck(kube::Client& client) : client_(client) {}

  // Returns an error refused ("foretold: …") if the object is new and its CRD is being deleted. Reads only the CRD's metadata; one
  // that may not be read counts as usable.
  std::optional<Error> RefusalIn(const Prepared& prepared);

 private:
  kube::Client& client_;
  std::map<std::string, bool> terminating_;  // by the CRD's name
};

// Looks at the StorageClasses of claims that are to grow, each once. Source: plugin/pkg/admission/storage/persistentvolume/resize.
class GrowthCheck {
 public:
  GrowthCheck(kube::Client& client, const InputDefinitions& definitions) : client_(client), definitions_(definitions) {}

  // Returns an error refused ("foretold: …") if a claim would ask for more storage and its StorageClass does not allow it, or is
  // not there. One that may not be read, or that the input has, counts as allowing it.
  std::optional<Error> RefusalIn(const Prepared& prepared);

 private:
  // Returns why claims of the class may not grow: "StorageClass a does not exist"; "" if they may.
  const std::string& WhyNot(const std::string& name);

  kube::Client& client_;
  const InputDefinitions& definitions_;
  std::map<std::string, std::string> why_not_;  // by name
};

// Looks at the node ports and addresses that Services ask for, and at all Services of the cluster, once: no two have the same. Source:
// registry/core/service, portallocator and ipallocator.
class AllocationCheck {
 public:
  // `in_input`: the Services of the input (namespace, name), which may give up what they have.
  AllocationCheck(kube::Client& client, std::set<std::pair<std::string, std::string>> in_input)
      : client_(client), in_input_(std::move(in_input)) {}

  // Returns an error refused ("foretold: …") if a Service asks for a node port or an address that another one has. Where Services may
  // not be listed, all is free.
  std::optional<Error> RefusalIn(const Prepared& prepared);

 private:
  // Returns who has it: "Service shop/web"; "" if it is free.
  std::string HolderOf(const std::string& port_or_address, const kube::ObjectRef& asking);
  void ReadServices();

  kube::Client& client_;
  const std::set<std::pair<std::string, std::string>> in_input_;
  bool is_read_ = false;
  std::map<std::string, std::pair<std::string, std::string>> holders_;  // by the port or address
};

}  // namespace smp::apply
