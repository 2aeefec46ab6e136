#include "cmd/reviewed_objects.h"

#include <utility>

#include "base/strings.h"
#include "cmd/apply_preview.h"
#include "explain/text.h"

namespace smp::cmd {

void ReviewedObjects::Guard(apply::SubmitOptions& submit) {
  if (review_ == nullptr) return;
  submit.approve = [this](const apply::Prepared& prepared) { return Told(review_->Check(prepared), prepared); };
  submit.foresees_apply = [this](const apply::Prepared& prepared) { return review_->Foresees(prepared); };
  submit.approve_effect = [this](const apply::Prepared& prepared) {
    return Told(review_->CheckEffect(prepared), prepared);
  };
  submit.approve_recreation = [this](const apply::Prepared& prepared) {
    return review_->CheckRecreation(prepared.ref);
  };
}

Status ReviewedObjects::Told(Status status, const apply::Prepared& prepared) {
  if (status.ok()) return status;
  explain::ObjectReport report = ExplainObject(prepared, options_);
  const std::lock_guard lock(mutex_);
  refused_.push_back(std::move(report));
  return status;
}

void ReviewedObjects::TellRefused(const explain::ReportContext& context, Io& io) {
  if (refused_.empty()) return;
  explain::Report report;
  report.context = context;
  report.asking_flag = kAskingFlag;
  report.objects = std::move(refused_);
  const size_t width = TerminalWidth().value_or(explain::TextOptions().width);
  Tell(io, StrCat("\nnot as reviewed; apply would do this now:\n", explain::PrintText(report, {.width = width})));
}

}  // namespace smp::cmd
