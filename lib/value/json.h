// JSON in and out, the way Go's encoding/json and the API server's decoder do it, so that what we write is byte-equal
// to what kubectl writes. RapidJSON is used underneath and named only in json.cc.
//
// In: integers that fit int64 are kInt, everything else kDouble; of duplicate member names the last wins; invalid UTF-8
// and lone surrogates become U+FFFD; depth is limited (kMaxDepth) and nothing recurses on input.
//
// Out: members sorted by bytes, <, > and & as \u003c \u003e \u0026, U+2028/2029 escaped, numbers in Go's format (1.0
// prints as 1, exponents from 1e21 and below 1e-6).
#ifndef SMP_VALUE_JSON_H_
#define SMP_VALUE_JSON_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp {

inline constexpr int kMaxDepth = 1000;                 // nesting of objects and arrays
inline constexpr size_t kMaxInputBytes = 256UL << 20;  // one file or one answer

struct JsonOptions {
  std::string source_name = {};  // for errors and Document::source_name
  bool keep_lines = false;       // fill Document::LineOf and warnings (manifests); costs memory
  int first_line = 1;            // line number of the first byte
};

// Exactly one JSON value, white space around it. Error: parse, with file and line.
Result<Document> ParseJson(std::string_view text, const JsonOptions& options = {});

// JSON values one behind the other (white space between them), as `{…}{…}`: all, or the error of the first bad one.
Result<std::vector<Document>> ParseJsonStream(std::string_view text, const JsonOptions& options = {});
// As ParseJsonStream, with the values before the bad one: its error is the last result.
std::vector<Result<Document>> ParseJsonValues(std::string_view text, const JsonOptions& options = {});

std::string WriteJson(const Value& value);                          // compact
std::string WriteIndentedJson(const Value& value, int spaces = 4);  // as kubectl -o json, no trailing newline

// The text of a number as Go's encoding/json prints it.
std::string WriteNumber(double d);

}  // namespace smp

#endif  // SMP_VALUE_JSON_H_
