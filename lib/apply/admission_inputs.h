// Objects of an input that admission reads when the server stores another object of it: a Pod's classes, its
// ServiceAccount and the LimitRanges of its namespace. A dry run stores none of them, so that the server's answer about
// the Pod may not be what apply gets, unless the server already has them as the input states them. The same holds for a
// CRD and the objects of its kinds.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "apply/prepare.h"
#include "base/result.h"

namespace smp::apply {

// Returns true if admission reads objects of this kind.
bool IsReadByAdmission(const GroupVersionKind& gvk);

// Returns true if a webhook or a policy denied the request, whatever the schema of the object.
bool IsDenied(const Error& refusal);

class AdmissionInputs {
 public:
  // `target` outlives the object.
  explicit AdmissionInputs(const Target& target) : target_(target) {}

  // Returns why the server's answer about the object may not hold when the input is applied: "limitrange/limits is in the
  // same input, and a dry run does not create it"; "" if it holds. May read live objects, each once. Thread-safe.
  std::string WhyNotYet(const Prepared& prepared);

  // The same for a refusal. One that admission did not make, such as of an invalid field, holds unless it names an object
  // that the server does not have yet.
  std::string WhyNotYet(const Prepared& prepared, const Error& refusal);

  // Returns why the server's answer may not hold once the manifest is applied: "a/b is in the same input, and a dry run does not
  // change it"; "" if it has what the manifest says already.
  std::string WhyPending(const Manifest& input) { return PendingOf(input).why; }

  // Returns true if the server may answer otherwise about the object once the CRD of its kind is applied. See judged_alike.h.
  bool WillBeJudgedOtherwise(const Prepared& prepared, const Manifest& crd);

 private:
  struct Pending {
    std::string why;                 // "": the server has it as the input states it
    std::optional<Prepared> change;  // if the server has it in another state
  };
  const Pending& PendingOf(const Manifest& input);

  const Target& target_;
  std::mutex mutex_;
  std::map<const Manifest*, Pending> pending_;
};

}  // namespace smp::apply
