// --applyset: --prune deletes only the members of an ApplySet (apply/apply_set.h).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apply/apply_set.h"
#include "apply/manifests.h"
#include "apply/submit.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "kube/object_ref.h"

namespace smp::cmd {

std::vector<Flag> ApplySetFlagTable();

// Error: invalid-argument, with kubectl's messages, for --applyset with flags that choose what to prune, or alone.
Status CheckApplySetCombinations(const ParsedFlags& flags);

// Reads the set's parent and adds the set's label to the manifests. Returns nullopt without --applyset. Warns on io.err;
// `connection` and `io` must outlive the set. Errors: those of ApplySet::Open and AddLabels.
Result<std::optional<apply::ApplySet>> OpenApplySet(const ParsedFlags& flags, const Connection& connection,
                                                    const apply::SubmitOptions& submit, apply::Manifests& manifests,
                                                    Io& io);

// Collects the objects that leave an ApplySet because they are applied without it, as kubectl's 3-way merge removes a label
// that is no longer in the manifest, or with another set.
class LeftSets {
 public:
  explicit LeftSets(bool has_set) : has_set_(has_set) {}

  // `set`: the set's id; "": the object leaves none.
  void AddObject(const std::string& set, const kube::ObjectRef& ref);
  // Differs from kubectl: it removes or changes the label without a word.
  void WarnOf(Io& io) const;

 private:
  bool has_set_;
  std::map<std::string, std::set<std::string>> objects_;  // labels of the objects, by id
};

}  // namespace smp::cmd
