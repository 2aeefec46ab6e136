// Plan file: what somebody has reviewed (explain-diff --plan-out), so that apply --plan sends this and nothing else. It has
// digests instead of values, and is useless without the manifests and the cluster that it was made for.
//
// All digests are HMACs. The key is derived from the UID of a Namespace of the cluster, which the file does not have, so that
// nobody can guess short values offline, or change the file. Who may read this UID could still guess a Secret's value. So the
// key for Secrets is derived, slowly, from all Secrets of the input too: each guess must get all of them right and takes
// about 0.1 s.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apply/manifests.h"
#include "base/result.h"
#include "value/value.h"

namespace smp::apply {

inline constexpr size_t kMaxPlanBytes = 256 << 20;

class PlanKey {
 public:
  // `cluster`: the UID. `nonce`: random, so that equal values have other digests in another plan. Error: internal.
  static Result<PlanKey> Make(std::string_view cluster, std::string_view nonce, const Manifests& input);

  // `of`: the object that the bytes are about.
  std::string Digest(std::string_view bytes, const Value& of) const;
  std::string DigestOfPlan(std::string_view bytes) const;
  std::string cluster_id() const;  // identifies the cluster without its UID

 private:
  PlanKey(std::string plain, std::string of_secrets) : plain_(std::move(plain)), of_secrets_(std::move(of_secrets)) {}

  std::string plain_;
  std::string of_secrets_;  // "" if the input has no Secrets
};

enum class PlannedAction { kCreate, kChange, kRecreate, kUnchanged, kPrune };

// What is to be done with an object. The digests are "" where an action has nothing to digest.
struct PlannedObject {
  std::string api_version, kind, name_space, name;
  PlannedAction action = PlannedAction::kUnchanged;
  std::string uid;       // of the live object; of a Namespace a digest
  std::string manifest;  // digest of the manifest
  // digest of the patch or the new object, without resourceVersion; of an object in which reading shows no change, of a
  // server-side apply that is sent all the same
  std::string request;
  std::string
      outcome;  // digest of what live has and will have at `changes`; of a recreation, of what is lost; of what is
                // pruned, of its revision
  std::vector<std::string> changes;  // the paths that a change writes, deletes or loses (Prepared::lost)
};

struct PlanFile {
  std::string tool;                                 // version of the program that made the plan
  std::string nonce;                                // hex digits
  std::string server;                               // URL
  std::string anchor;                               // the Namespace that identifies the cluster
  std::string cluster;                              // PlanKey::cluster_id
  std::map<std::string, std::string> options = {};  // flags that decide what is sent, by name
  std::vector<PlannedObject> objects = {};          // in input order, then what is pruned
  // Set by ReadPlanFile: what was digested, and the digest that the file states.
  std::string content = {}, digest = {};
};

std::string WritePlanFile(const PlanFile& plan, const PlanKey& key);

// Error: parse, if the text is damaged or of another version. `file` names it in messages.
Result<PlanFile> ReadPlanFile(std::string_view text, const std::string& file);

// Returns "create", "change", …
std::string_view PlannedActionName(PlannedAction action);

}  // namespace smp::apply
