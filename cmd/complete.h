// Shell completion, by the protocol of kubectl's plugins: kubectl runs kubectl_complete-smp with the words after
// "kubectl smp", the last of which is being typed. It reads one candidate per line, with its description after a tab,
// and finally ":N", a Directive that tells the shell how to use the candidates. The protocol comes from cobra, so the
// words are interpreted as in cobra (getCompletions of its completions.go).
//
//   Complete({"apply", "-o", "y"}, lookup)   →   {{{"yaml"}}, kNoFiles}
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

// cobra's ShellCompDirective.
enum class Directive {
  kFiles = 0,  // files, if there are no candidates
  kNoFiles = 4,
  kNoSpaceNoFiles = 6,  // and no space after the candidate
  kExtensions = 8,      // files with the candidates as extensions, and folders
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

// Returns the possible values of a flag or an argument, given the flags and arguments before it and the part of it that
// has been typed. Returns an empty list on errors.
using ValueLookup =
    std::function<std::vector<std::string>(Hint hint, const ParsedFlags& flags, const std::string& typed)>;

Completion Complete(const std::vector<std::string>& words, const ValueLookup& lookup);

// Returns the lines to print. Omits candidates that contain control characters.
std::string PrintCompletion(const Completion& completion);

// The hidden command __complete. Never fails.
int RunComplete(const std::vector<std::string>& words, Io& io);

}  // namespace smp::cmd
