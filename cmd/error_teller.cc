#include "cmd/error_teller.h"

#include <utility>

#include "apply/plan_server_side.h"
#include "apply/server_side.h"
#include "base/strings.h"
#include "cmd/exit_code.h"

namespace smp::cmd {

void ErrorTeller::Tell(const Error& error) {
  if (error.code == ErrorCode::kTransport) {
    const bool told = !unanswered_.insert(error.message).second;
    same_ += told ? 1 : 0;
    if (told) return;
  }
  Error alone = error;
  TakeAdvice(alone.message);
  (void)Fail(io_, alone, kExitFailed);
}

void ErrorTeller::TakeAdvice(std::string& message) {
  for (const std::string_view advice : {apply::kConflictAdvice, apply::kTakeoverAdvice}) {
    if (!message.ends_with(StrCat("\n", advice))) continue;
    message.resize(message.size() - advice.size() - 1);
    advice_.insert(advice);
  }
}

void ErrorTeller::Finish() {
  if (same_ > 0) {
    cmd::Tell(io_, StrCat("error: ", same_, same_ == 1 ? " more object" : " more objects", " failed for the same ",
                          unanswered_.size() == 1 ? "reason" : "reasons", "\n"));
  }
  for (const std::string_view advice : std::exchange(advice_, {})) cmd::Tell(io_, StrCat(advice, "\n"));
  same_ = 0;
}

}  // namespace smp::cmd
