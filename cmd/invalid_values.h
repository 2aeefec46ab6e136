// What the validation of the server would refuse in an object, found without asking.
#pragma once

#include <optional>

#include "apply/prepare.h"
#include "explain/report.h"
#include "schema/release.h"
#include "value/document.h"

namespace smp::cmd {

// What is kept of a plan until its report says whether the object changes.
struct ToValidate {
  explicit ToValidate(const apply::Prepared& prepared);

  std::optional<Document>
      after;  // the object as it would be stored; nullopt: of a custom resource, which its CRD judges
  std::optional<Document> before;  // as it is; nullopt: it does not exist
  Release release;                 // of the server
};

// Sets ObjectReport::invalid. Of an object that exists, only what the apply changes counts, also by another field that has to fit: the
// server lets old values stay that it would refuse today.
void FindInvalidValues(const ToValidate& planned, explain::ObjectReport& object);

}  // namespace smp::cmd
