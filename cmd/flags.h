// Flags as data: parsing, help, completion and the reference all use one table. Parsing is that of kubectl
// (spf13/pflag), including its error messages: --flag=value and --flag value, -n value, -nvalue and -n=value, -Rf
// value, bare switches and --switch=false, the last of repeated flags wins, lists accumulate, "_" in a name is "-",
// "--" ends the flags, and abbreviations are not accepted. tests/cmd/flags_test.cc lists the rules, and
// tests/e2e/command_line.py compares with the real kubectl. Only this file pair uses Boost.Program_options.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace smp::cmd {

enum class FlagKind {
  kSwitch,  // as Go's ParseBool reads it: 1, t, T, true, TRUE, True, and the like for false
  kText,
  kNumber,  // int32
  kList,    // pflag's StringSlice: "a,b" is two values, quoted as in CSV
  kArray,   // pflag's StringArray: each value is taken as it is
};

// What shell completion offers for the value if the flag has no fixed words (see FixedValues).
enum class Hint {
  kNothing,
  kFile,
  kJsonOrYaml,  // files with these extensions, and folders
  kFolder,
  kContext,  // of the kubeconfig, as are the next two
  kCluster,
  kUser,
  kNamespace,      // of the cluster
  kGvk,            // GROUP/VERSION/KIND
  kPruneKind,      // the same, with "core" for the core group
  kObject,         // of the cluster: a type and names, or TYPE/NAME
  kPathAndObject,  // the same, after a PATH argument
};

struct Flag {
  std::string name;  // "filename"
  char letter = 0;   // 'f'; 0: none
  FlagKind kind = FlagKind::kText;
  std::string placeholder = {};  // for the value in the help: "FILE"
  std::string help = {};
  std::string fallback = {};                           // the value if the flag is not given
  std::string bare = {};                               // the value of a kText flag given without one; "": it needs one
  std::vector<std::string> choices = {};               // the values allowed; empty: any
  std::map<std::string, std::string> deprecated = {};  // values that still work, and their warnings
  Hint hint = Hint::kNothing;
};

// The usual kinds of flags.
Flag Switch(const std::string& name, const std::string& help, const std::string& fallback = "");
Flag TextFlag(const std::string& name, const std::string& placeholder, const std::string& help,
              Hint hint = Hint::kNothing);
Flag FileFlag(const std::string& name, const std::string& help);
Flag DocumentFlag(const std::string& name, const std::string& help);  // a JSON or YAML file
Flag Choice(const std::string& name, const std::vector<std::string>& choices, const std::string& help,
            const std::string& fallback = "");
Flag OutputFlag(const std::vector<std::string>& formats, const std::string& help,
                const std::string& fallback = "");  // -o

class ParsedFlags {
 public:
  bool Given(const std::string& name) const { return values_.contains(name); }
  bool On(const std::string& name) const;                                   // kSwitch
  std::string Text(const std::string& name) const;                          // kText
  int Number(const std::string& name) const;                                // kNumber; 0 if it has no fallback
  const std::vector<std::string>& List(const std::string& name) const;      // kList, kArray
  const std::vector<std::string>& arguments() const { return arguments_; }  // everything that is not a flag
  // What was probably meant if an argument follows a flag whose value needs an equals sign; else "".
  const std::string& argument_hint() const { return argument_hint_; }
  // Warnings about deprecated values.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  friend Result<ParsedFlags> ParseFlags(const std::vector<Flag>&, const std::vector<std::string>&);
  std::map<std::string, std::vector<std::string>> values_;
  std::map<std::string, std::string> fallbacks_;
  std::vector<std::string> arguments_;
  std::string argument_hint_;
  std::vector<std::string> warnings_;
};

// Errors: invalid-argument, with kubectl's messages (unknown flag: --x; flag needs an argument: --x).
Result<ParsedFlags> ParseFlags(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// Returns the index of the first of `arguments` that is neither a flag nor a flag's value, as cobra finds the command:
// a flag that is not in `flags` takes the next argument as its value unless it has one. npos if there is none.
size_t FindCommandArgument(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// Returns the words that the value can be, or usually is: the choices, the parts of a placeholder like "a|b", or true
// and false for a switch.
std::vector<std::string> FixedValues(const Flag& flag);

bool MayRepeat(const Flag& flag);

// nullptr if there is none. `name` is the long name, with "_" or "-".
const Flag* FindFlag(const std::vector<Flag>& flags, std::string name);
const Flag* FindLetter(const std::vector<Flag>& flags, char letter);

// Returns the flag that the last of `arguments` is, if the argument after it would be its value; else nullptr.
const Flag* FlagThatWantsValue(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// "-f, --filename=FILE". Without a letter, the name is indented as far.
std::string FlagSynopsis(const Flag& flag);
// The help text and the default.
std::string FlagHelp(const Flag& flag);
// Aligned lines like "  -f, --filename=FILE   what it does".
std::string DescribeFlags(const std::vector<Flag>& flags);

}  // namespace smp::cmd
