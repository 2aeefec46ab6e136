// Flags as data: one table gives parsing, help and (later) completion. Parsing follows kubectl's (pflag): --flag=value
// and --flag value, -n value, -nvalue and -n=value, bare switches, --switch=false, the last of repeated flags wins,
// lists collect (also by comma), and nothing is guessed from abbreviations. The only file pair that sees
// Boost.Program_options.
#ifndef SMP_CMD_FLAGS_H_
#define SMP_CMD_FLAGS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

enum class FlagKind { kSwitch, kText, kList };

struct Flag {
  std::string name;  // "filename"
  char letter = 0;   // 'f'; 0: none
  FlagKind kind = FlagKind::kText;
  std::string placeholder = {};  // of the value in the help: "FILE"
  std::string help = {};
  std::string fallback = {};              // when the flag is not given
  std::string bare = {};                  // when a kText flag is given without a value; "": it needs one
  std::vector<std::string> choices = {};  // the values allowed; empty: any
};

class ParsedFlags {
 public:
  bool Given(const std::string& name) const { return values_.contains(name); }
  bool On(const std::string& name) const;                                   // kSwitch
  std::string Text(const std::string& name) const;                          // kText
  const std::vector<std::string>& List(const std::string& name) const;      // kList
  const std::vector<std::string>& arguments() const { return arguments_; }  // what is no flag

 private:
  friend Result<ParsedFlags> ParseFlags(const std::vector<Flag>&, const std::vector<std::string>&);
  std::map<std::string, std::vector<std::string>> values_;
  std::map<std::string, std::string> fallbacks_;
  std::vector<std::string> arguments_;
};

// Errors: invalid-argument in kubectl's words (unknown flag: --x; flag needs an argument: --x).
Result<ParsedFlags> ParseFlags(const std::vector<Flag>& flags, const std::vector<std::string>& arguments);

// "  -f, --filename=FILE   what it does" lines, aligned.
std::string DescribeFlags(const std::vector<Flag>& flags);

}  // namespace smp

#endif  // SMP_CMD_FLAGS_H_
