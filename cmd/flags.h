// Flags as data: parsing, help, completion and the reference all use one table. Parsing is that of kubectl
// (spf13/pflag), including its error messages: --flag=value and --flag value, -n value, -nvalue and -n=value, -Rf
// value, bare switches and --switch=false, the last of repeated flags wins, lists accumulate, "_" in a name is "-",
// "--" ends the flags, and abbreviations are not accepted. tests/cmd/flags_test.cc lists the rules, and
// tests/e2e/command_line.py compares with the real kubectl. Only this file pair uses Boost.Program_options.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace smp::cmd {

enum class FlagKind {
  kSwitch,  // boolean, parsed like Go's ParseBool: 1, t, T, true, TRUE, True, and the same forms of false
  kText,
  kNumber,  // int32
  kList,    // pflag's StringSlice: "a,b" is two values, quoted as in CSV
  kArray,   // pflag's StringArray: values are not split
};

// What shell completion offers as values of a flag that has no fixed values (see FixedValues).
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
  kKindAndPath,    // a kind of the built-in schema, and fields: Deployment.spec.template
};

// Help and reference show the flags in these groups, in this order: the common ones first.
enum class FlagGroup {
  kInput,
  kOutput,
  kChanges,
  kServerSide,
  kDeletion,
  kRequests,
  kPatch,
  kSchema,
  kPolicies,
  kConnection,
  kCredentials,
  kOther
};
std::string_view HeadingOf(FlagGroup group);  // "Server-side apply"

struct Flag {
  std::string name;  // "filename"
  char letter = 0;   // 'f'; 0: no letter
  FlagKind kind = FlagKind::kText;
  std::string placeholder = {};  // for the value in the help: "FILE"
  std::string help = {};
  std::string fallback = {};                           // the value if the flag is not given
  std::string bare = {};                               // for a kText flag without a value; "": value required
  std::vector<std::string> choices = {};               // allowed values; empty: any value
  std::map<std::string, std::string> deprecated = {};  // deprecated values and the warnings to print for them
  Hint hint = Hint::kNothing;
  FlagGroup group = FlagGroup::kOther;
};

// Return the flag in the group, or the flags that are in none yet.
Flag In(FlagGroup group, Flag flag);
std::vector<Flag> Grouped(FlagGroup group, std::vector<Flag> flags);

// Returns the flags of each group that has some, in the order of the table.
std::vector<std::pair<FlagGroup, std::vector<Flag>>> ByGroup(const std::vector<Flag>& flags);

// The usual kinds of flags.
Flag Switch(const std::string& name, const std::string& help, const std::string& fallback = "");
Flag TextFlag(const std::string& name, const std::string& placeholder, const std::string& help,
              Hint hint = Hint::kNothing);
Flag FileFlag(const std::string& name, const std::string& help);
Flag DocumentFlag(const std::string& name, const std::string& help);  // a JSON or YAML file, of the input
Flag Choice(const std::string& name, const std::vector<std::string>& choices, const std::string& help,
            const std::string& fallback = "");
Flag OutputFlag(const std::vector<std::string>& formats, const std::string& help,
                const std::string& fallback = "");  // -o, of the output

class ParsedFlags {
 public:
  bool Given(const std::string& name) const { return values_.contains(name); }
  bool On(const std::string& name) const;                                   // kSwitch
  std::string Text(const std::string& name) const;                          // kText
  int Number(const std::string& name) const;                                // kNumber; 0 if absent, without fallback
  const std::vector<std::string>& List(const std::string& name) const;      // kList, kArray
  const std::vector<std::string>& arguments() const { return arguments_; }  // everything that is not a flag
  // A hint if an argument follows a flag whose value must be given with "=" ("--dry-run server"); else "".
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

// Returns the index of the first of `arguments` that is neither a flag nor a flag's value; npos if there is none. As in
// cobra, an argument after a flag that is not in `flags` counts as the flag's value, unless the flag has "=VALUE".
size_t FindCommandArgument(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// Returns the allowed or usual values of the flag: its choices, the parts of a placeholder like "a|b", or true and
// false for a switch.
std::vector<std::string> FixedValues(const Flag& flag);

bool MayRepeat(const Flag& flag);

// Return nullptr if there is no such flag. `name` is the long name, with "_" or "-".
const Flag* FindFlag(const std::vector<Flag>& flags, std::string name);
const Flag* FindLetter(const std::vector<Flag>& flags, char letter);

// Returns the flag if the last of `arguments` is one and the next argument would be its value; else nullptr.
const Flag* FlagThatWantsValue(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// Returns "-f, --filename=FILE". A flag without a letter is indented to align with the others.
std::string FlagSynopsis(const Flag& flag);
// Returns the help text and the default value.
std::string FlagHelp(const Flag& flag);

}  // namespace smp::cmd
