// Flags as data: one table gives parsing, help, completion and the reference. Parsing is kubectl's (spf13/pflag), to
// the letter of its errors: --flag=value and --flag value, -n value, -nvalue and -n=value, -Rf value, bare switches and
// --switch=false, the last of repeated flags wins, lists collect, "_" in a name is "-", "--" ends the flags, and
// nothing is guessed from abbreviations. tests/cmd/flags_test.cc is the table of it, tests/e2e/command_line.py holds it
// against the real kubectl. The only file pair that sees Boost.Program_options.
#ifndef SMP_CMD_FLAGS_H_
#define SMP_CMD_FLAGS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

enum class FlagKind {
  kSwitch,  // as Go's ParseBool reads it: 1, t, T, true, TRUE, True, and the like for false
  kText,
  kNumber,  // int32
  kList,    // pflag's StringSlice: "a,b" is two values, quoted as in CSV
  kArray,   // pflag's StringArray: each value stands as it is
};

// What a shell may offer for the value, where the flag has no fixed words (see FixedValues).
enum class Hint {
  kNothing,
  kFile,
  kJsonOrYaml,  // files that end so, and folders on the way to them
  kFolder,
  kContext,  // of the kubeconfig, as are the next two
  kCluster,
  kUser,
  kNamespace,      // of the cluster
  kGvk,            // GROUP/VERSION/KIND
  kPruneKind,      // the same, with "core" for the core group
  kObject,         // of the cluster: a type and names, or TYPE/NAME
  kPathAndObject,  // the same behind an argument of another sort
};

struct Flag {
  std::string name;  // "filename"
  char letter = 0;   // 'f'; 0: none
  FlagKind kind = FlagKind::kText;
  std::string placeholder = {};  // of the value in the help: "FILE"
  std::string help = {};
  std::string fallback = {};                           // when the flag is not given
  std::string bare = {};                               // when a kText flag is given without a value; "": it needs one
  std::vector<std::string> choices = {};               // the values allowed; empty: any
  std::map<std::string, std::string> deprecated = {};  // values that still work: what to say of them
  Hint hint = Hint::kNothing;
};

class ParsedFlags {
 public:
  bool Given(const std::string& name) const { return values_.contains(name); }
  bool On(const std::string& name) const;                                   // kSwitch
  std::string Text(const std::string& name) const;                          // kText
  int Number(const std::string& name) const;                                // kNumber; 0 when it has no fallback
  const std::vector<std::string>& List(const std::string& name) const;      // kList, kArray
  const std::vector<std::string>& arguments() const { return arguments_; }  // what is no flag
  // What was probably meant where an argument follows a flag whose value needs an equals sign; "" where nothing does.
  const std::string& argument_hint() const { return argument_hint_; }
  // Of values that are deprecated.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  friend Result<ParsedFlags> ParseFlags(const std::vector<Flag>&, const std::vector<std::string>&);
  std::map<std::string, std::vector<std::string>> values_;
  std::map<std::string, std::string> fallbacks_;
  std::vector<std::string> arguments_;
  std::string argument_hint_;
  std::vector<std::string> warnings_;
};

// Errors: invalid-argument in kubectl's words (unknown flag: --x; flag needs an argument: --x).
Result<ParsedFlags> ParseFlags(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// Where in `arguments` the first stands that is neither a flag nor a flag's value, as cobra finds the command: a flag
// that is not in `flags` takes the next argument as its value unless it has one. npos: none does.
size_t FindCommandArgument(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// The words that the value may be, or usually is: the choices, a placeholder like "a|b", true and false of a switch.
std::vector<std::string> FixedValues(const Flag& flag);

bool MayRepeat(const Flag& flag);

// nullptr when there is none. `name` is that of the long flag, "_" for "-" or not.
const Flag* FindFlag(const std::vector<Flag>& flags, std::string name);
const Flag* FindLetter(const std::vector<Flag>& flags, char letter);

// The flag that the last of `arguments` is, when its value is the argument that would follow; else nullptr.
const Flag* FlagThatWantsValue(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// "-f, --filename=FILE"; the name stands as far right without a letter.
std::string FlagSynopsis(const Flag& flag);
// What it does, and what it is when it is not given.
std::string FlagHelp(const Flag& flag);
// "  -f, --filename=FILE   what it does" lines, aligned.
std::string DescribeFlags(const std::vector<Flag>& flags);

}  // namespace smp

#endif  // SMP_CMD_FLAGS_H_
