// Selects the objects of a command: manifests (-f, -k, -R), names (TYPE NAME, TYPE/NAME), labels (-l, --all).
#pragma once

#include <string>
#include <vector>

#include "apply/selection.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

std::vector<Flag> ObjectSelectionFlags();

// How the objects were chosen. An object without a last-applied annotation is an error if chosen by name or manifest.
enum class ChosenBy { kName, kSelector };

struct ChosenObjects {
  std::vector<Result<apply::Selected>> objects;
  ChosenBy by = ChosenBy::kName;
};

// `words` are the arguments that name objects. Errors: no object is named, arguments exclude each other (both with
// kubectl's messages), or a type is unknown.
Result<ChosenObjects> ChooseObjects(const ParsedFlags& flags, std::vector<std::string> words,
                                    apply::ObjectArguments::BareType bare_type, const Connection& connection, Io& io);

}  // namespace smp::cmd
