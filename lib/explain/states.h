// The two states of an object that -o diff compares, as people may see them: without what the server counts and records
// (status, managedFields, resourceVersion, …) and the last-applied annotation, and with the values of Secrets masked.
#pragma once

#include <optional>

#include "explain/report.h"

namespace smp::explain {

struct StateOptions {
  Secrets secrets = Secrets::kMask;
  bool managed_fields = false;  // also show metadata.managedFields
};

// `answer`: what the server would store, if it was asked.
ObjectStates StatesOfChange(const Document& live, const VerifiedPatch& patch, const KindOfObject& kind,
                            const std::optional<Document>& answer, const StateOptions& options);
ObjectStates StatesOfCreation(const Document& manifest, const KindOfObject& kind, const std::optional<Document>& answer,
                              const StateOptions& options);
ObjectStates StatesOfRecreation(const Document& manifest, const Document& live, const KindOfObject& kind,
                                const StateOptions& options);
ObjectStates StatesOfPruned(const Document& live, const StateOptions& options);

}  // namespace smp::explain
