// Objects without a last-applied annotation, made by `kubectl create`, say. Nothing tells then whether an item that
// only live has belongs to an earlier manifest or to another manager.
#pragma once

#include <string_view>

#include "base/result.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp::apply {

// Error: refused, if the plan adds an item to a list in which live keeps one that a kubectl command wrote (according to
// metadata.managedFields): this may be a renamed item or an additional one. `file`: the manifest's, for the message.
// Differs from kubectl: it keeps both, so that a Deployment also runs the container under its old name
// (kubernetes/kubernetes#39144, #22342).
Status RefuseUnrecordedRename(const Plan& plan, const Value& live, std::string_view file);

}  // namespace smp::apply
