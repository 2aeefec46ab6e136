// The requests that an apply would send to write an object, for whoever shows or replays them. Nothing is sent.
#pragma once

#include <string>
#include <vector>

#include "apply/deletion.h"
#include "apply/prepare.h"
#include "apply/prune.h"
#include "apply/submit.h"
#include "base/result.h"
#include "value/document.h"

namespace smp::apply {

struct PlannedWrite {
  std::string method;
  std::string path;  // with query, relative to the server
  std::string content_type;
  Document body;
};

// Returns the request of Submit, or of a server-side apply: none if nothing changes. What moves managedFields between
// client-side and server-side apply is left out: the requests of a migration, and the entries of a return.
Result<std::vector<PlannedWrite>> PlannedWrites(const Prepared& prepared, const SubmitOptions& options,
                                                const Planning& planning);

// Returns those of a recreation: the deletion, and the creation that follows when the object is gone. Without the dry run
// that apply sends before. REQUIRES: prepared.live.
Result<std::vector<PlannedWrite>> PlannedRecreation(const Prepared& prepared, const SubmitOptions& options,
                                                    const Deletion& deletion);

Result<PlannedWrite> PlannedDeletion(const Stale& stale, const Deletion& deletion);

}  // namespace smp::apply
