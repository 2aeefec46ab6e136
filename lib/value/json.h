// Reads and writes JSON as Go's encoding/json and the API server's decoder do, so that our output has the same bytes as
// kubectl's. The parser is RapidJSON, which only json.cc uses.
//
// Input: integers that fit int64 are kInt, all other numbers kDouble; of members with the same name the last is kept;
// invalid UTF-8 and lone surrogates become U+FFFD; the nesting depth is limited (kMaxDepth).
//
// Output: members sorted by bytes, <, > and & as \u003c \u003e \u0026, U+2028/2029 escaped, numbers in Go's format (1.0
// as 1; exponents from 1e21 and below 1e-6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp {

inline constexpr int kMaxDepth = 1000;                 // nesting of objects and arrays
inline constexpr size_t kMaxNodes = 10'000'000;        // values in one text, whose memory is many times the text's
inline constexpr size_t kMaxInputBytes = 256UL << 20;  // one file or one response

struct JsonOptions {
  std::string source_name = {};  // for errors and Document::source_name
  bool keep_lines = false;       // fill Document::LineOf and warnings (manifests); costs memory
  int first_line = 1;            // line number of the first byte
};

// Parses exactly one JSON value, with optional white space around it. Error: parse, with file and line.
Result<Document> ParseJson(std::string_view text, const JsonOptions& options = {});

// Parses consecutive JSON values, as in `{…}{…}`, with optional white space between them. Stops at the first invalid
// value; the last result is then its error.
std::vector<Result<Document>> ParseJsonValues(std::string_view text, const JsonOptions& options = {});

std::string WriteJson(const Value& value);                          // compact
std::string TextOfScalar(const Value& scalar);                      // a string as it is, other scalars as JSON
std::string WriteIndentedJson(const Value& value, int spaces = 4);  // as kubectl -o json, no trailing newline

// Formats a number as Go's encoding/json does.
std::string WriteNumber(double d);

}  // namespace smp
