// The objects that a command is about: manifests (-f, -k, -R), names (TYPE NAME, TYPE/NAME), labels (-l, --all).
#ifndef SMP_CMD_OBJECT_SELECTION_H_
#define SMP_CMD_OBJECT_SELECTION_H_

#include <string>
#include <vector>

#include "apply/selection.h"
#include "base/result.h"
#include "cmd/connection.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp {

std::vector<Flag> ObjectSelectionFlags();

// Which of them were chosen one by one: that one of these lacks something is an error, of the others it is not.
enum class ChosenBy { kName, kSelector };

struct ChosenObjects {
  std::vector<Result<Selected>> objects;
  ChosenBy by = ChosenBy::kName;
};

// `words` are the arguments that name objects. Error: where nothing is named, or too much, in kubectl's words; or a
// type is not known.
Result<ChosenObjects> ChooseObjects(const ParsedFlags& flags, std::vector<std::string> words,
                                    ObjectArguments::BareType bare_type, const Connection& connection, Io& io);

}  // namespace smp

#endif  // SMP_CMD_OBJECT_SELECTION_H_
