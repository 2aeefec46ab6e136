// Asks the server what it would store: sends the POST or PATCH of apply in a dry run, which runs defaulting, validation
// and admission, webhooks included (explain-diff --ask-server).
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "apply/admission_inputs.h"
#include "apply/prepare.h"
#include "base/clock.h"
#include "base/result.h"

namespace smp::apply {

// Returns true if a webhook that does not take dry runs was in the way of one: this says nothing of the object.
bool CannotDryRun(const Error& error);

// Asks about many objects, from any thread. An API server of an extension might store what it is sent in a dry run;
// after an answer that shows this, nothing more is sent.
class ServerQuestions {
 public:
  // `target` and `clock` outlive the object. `field_validation`: as in SubmitOptions.
  ServerQuestions(const Target& target, Clock& clock, std::string field_validation = "Strict")
      : target_(target), clock_(clock), field_validation_(std::move(field_validation)), inputs_(target) {}

  // Fills in the answer, the server's refusal or why it could not be asked. Sends nothing if apply would send nothing.
  // May read the object again and plan again.
  void Ask(Prepared& prepared);

  // Error internal, if an answer showed that the server stored something.
  Status status() const;

 private:
  // Returns true if the input changes what judges the object in the CRD of its kind: the server judges it by the CRD before.
  bool IsByFormerDefinition(const Prepared& prepared);
  // Returns why the refusal may not hold when the input is applied; "" if it holds.
  std::string WhyRefusalMayNotHold(const Prepared& prepared, const Error& refusal);

  const Target& target_;
  Clock& clock_;
  const std::string field_validation_;
  AdmissionInputs inputs_;
  std::atomic<bool> wrote_ = false;
};

}  // namespace smp::apply
