// Completion, by the protocol of kubectl's plugins: kubectl runs kubectl_complete-smp with the words behind
// "kubectl smp", the last of them being typed, and reads candidates, one a line with its description behind a tab, and
// ":N", what the shell shall do with them. That is the protocol of cobra, so the words are looked at as cobra does
// (getCompletions of its completions.go).
//
//   Complete({"apply", "-o", "y"}, lookup)   →   {{{"yaml"}}, kNoFiles}
#ifndef SMP_CMD_COMPLETE_H_
#define SMP_CMD_COMPLETE_H_

#include <functional>
#include <string>
#include <vector>

#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp {

// cobra's ShellCompDirective.
enum class Directive {
  kFiles = 0,  // files, where there are no candidates
  kNoFiles = 4,
  kExtensions = 8,  // files that end as the candidates say, and folders
  kFolders = 16,
};

struct Candidate {
  std::string text;
  std::string description = {};

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Completion {
  std::vector<Candidate> candidates = {};
  Directive directive = Directive::kNoFiles;
};

// What a flag's value or an argument may be, given the flags and arguments before it and what is typed of it. Fails
// silently: nothing is found then.
using ValueLookup =
    std::function<std::vector<std::string>(Hint hint, const ParsedFlags& flags, const std::string& typed)>;

Completion Complete(const std::vector<std::string>& words, const ValueLookup& lookup);

// The lines that are printed. Candidates with control characters are left out.
std::string PrintCompletion(const Completion& completion);

// The hidden command __complete. Nothing is an error.
int RunComplete(const std::vector<std::string>& words, Io& io);

}  // namespace smp

#endif  // SMP_CMD_COMPLETE_H_
