// The Go reference (tests/oracle) as a process: one JSON line in, one out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "value/document.h"

namespace smp {

// What the reference said. Exactly one of: a patch or result; an error; a panic (then there is no right answer to
// equal).
struct OracleAnswer {
  Document document;  // the whole line; the value is its "patch" or "result"
  const Value* value = nullptr;
  std::string error;
  bool panicked = false;
};

// One running reference. Not to be shared by threads.
class Oracle {
 public:
  // The program and the folder of OpenAPI documents are $SMP_TEST_ORACLE and $SMP_TEST_OPENAPI (set by ctest). Ends the
  // test process with a message when they cannot be used.
  Oracle();
  ~Oracle();
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // Answers in the order of the requests. A request is one line, without its end.
  std::vector<OracleAnswer> Ask(const std::vector<std::string>& requests);

 private:
  std::string ReadLine();

  int pid_ = 0, to_ = -1, from_ = -1;
  std::string read_;  // and not yet given out
};

// By a reference of its own, which takes a while to read the documents.
std::vector<OracleAnswer> AskOracle(const std::vector<std::string>& requests);

// What decides the random cases of a run: $SMP_SEED, else a fresh one, to be printed.
uint64_t Seed();
// $SMP_CASES, else `fallback`.
size_t CasesOr(size_t fallback);

}  // namespace smp
