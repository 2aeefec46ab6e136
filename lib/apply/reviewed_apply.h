// Server-side applies of objects in which reading shows no change. Such an apply is sent all the same, because it records which fields
// are ours. Of a reviewed object, a dry run first shows that it changes nothing else.
#pragma once

#include <functional>
#include <string>

#include "apply/prepare.h"
#include "apply/submit.h"
#include "base/result.h"
#include "value/document.h"

namespace smp::apply {

// Returns true if reading shows nothing that apply would change.
bool ShowsNoChange(const Prepared& prepared);

// Returns true if a server-side apply would change nothing at all: neither the object nor who owns which field, nor last-applied,
// which the server keeps up to date. REQUIRES: planned as a server-side apply.
bool IsRecordedAlready(const Prepared& prepared);

// Sends the apply of --server-side as a dry run that holds for the object as it was read.
Result<Document> RehearseServerSide(const Prepared& prepared, const Target& target,
                                    const std::string& field_validation);

// Returns the operations that turn live into the answer, without what the server keeps up to date besides, such as managedFields
// and last-applied.
Value EffectOf(const Document& live, const Document& answer, Arena& arena);
bool HasEffect(const Document& live, const Document& answer);

// Returns true if the apply may be sent, false if nothing is to be sent: the plan has no apply of the object, or no dry run can
// show what it would do. `rehearse` sends it as a dry run. Error: that of the dry run, or of SubmitOptions::approve_effect, if the
// server would change what nobody has reviewed.
Result<bool> MaySend(Prepared& prepared, const SubmitOptions& options,
                     const std::function<Result<Document>()>& rehearse);

}  // namespace smp::apply
