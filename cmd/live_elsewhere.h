// --live-context and --live-namespace of explain-diff: the same objects elsewhere. With manifests: what apply would change
// there. With TYPE/NAME: what differs between the objects here and there.
#pragma once

#include <vector>

#include "apply/manifests.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/explained_object.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

std::vector<Flag> ElsewhereFlagTable();

// Returns true if arguments name objects, which are compared with those elsewhere.
bool ComparesObjects(const ParsedFlags& flags);

// Refuses combinations that make no sense. `offline`: --live or --original is given. Error: invalid-argument.
Status CheckElsewhereCombinations(const ParsedFlags& flags, bool offline);

// Returns the connection from which live objects are read.
Result<Connection> ConnectToLive(const ParsedFlags& flags, Io& io);

// Moves the manifests that state a namespace to that of --live-namespace, if it is given.
void MoveToLiveNamespace(const ParsedFlags& flags, apply::Manifests& manifests);

// Compares the objects that the arguments name. REQUIRES: ComparesObjects.
Result<explain::Report> CompareElsewhere(const ParsedFlags& flags, ExplainOptions options, Io& io);

}  // namespace smp::cmd
