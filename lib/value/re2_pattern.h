// Regular expressions as Go's regexp package, and so the API server, understands them (the syntax of RE2), matched in time
// that is linear in the text: never by backtracking, whatever the pattern.
//
//   SMP_ASSIGN(const Re2Pattern pattern, Re2Pattern::Parse("^[a-z]([-a-z0-9]*[a-z0-9])?$"));
//   if (pattern.Matches(name)) …
//
//   pattern → tree of nodes → program → threads that read the text in step        re2_syntax.h
//
// Source: https://golang.org/s/re2syntax; regexp/syntax. What Go has and this has not is refused: classes of Unicode
// (\p{Greek}), and ignoring the case (?i) of letters that are not ASCII.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace smp {

class Re2Pattern {
 public:
  // Errors: parse, if Go refuses the pattern, too; refused, if Go might take it and this does not.
  static Result<Re2Pattern> Parse(std::string_view pattern);

  // Returns true if the pattern matches anywhere in the text. Error: refused, if that would take too long. Invalid UTF-8 is
  // read as U+FFFD, byte by byte.
  Result<bool> Matches(std::string_view text) const;
  // The same, for many matches that share a limit: takes the steps that it makes from `work`. Error: refused, if it has none.
  Result<bool> Matches(std::string_view text, uint64_t& work) const;

 private:
  struct Program;
  explicit Re2Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}

  std::shared_ptr<const Program> program_;
};

}  // namespace smp
