// What apply does with a plan: it sends what was reviewed, and shows what it refuses because something else would be sent.
#pragma once

#include <mutex>
#include <vector>

#include "apply/prepare.h"
#include "apply/review.h"
#include "apply/submit.h"
#include "cmd/explained_object.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

class ReviewedObjects {
 public:
  // `review` outlives the object; nullptr: nothing was reviewed, and all functions do nothing.
  ReviewedObjects(const apply::Review* review, ExplainOptions options)
      : review_(review), options_(std::move(options)) {}

  // Makes `submit` send only what was reviewed. This object must outlive its use.
  void Guard(apply::SubmitOptions& submit);

  // Explains the objects that were refused on io.err, as explain-diff does.
  void TellRefused(const explain::ReportContext& context, Io& io);

 private:
  // Returns `status`. Remembers an object that was refused.
  Status Told(Status status, const apply::Prepared& prepared);

  const apply::Review* review_;
  const ExplainOptions options_;
  std::mutex mutex_;                            // guards refused_
  std::vector<explain::ObjectReport> refused_;  // in order of their refusal
};

}  // namespace smp::cmd
