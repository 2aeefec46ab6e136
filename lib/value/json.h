// Reads and writes JSON as Go's encoding/json and the API server's decoder do, so that our output is byte-equal to
// kubectl's. The parser is RapidJSON, which is named only in json.cc.
//
// In: integers that fit int64 are kInt, all other numbers kDouble; of duplicate member names the last wins; invalid
// UTF-8 and lone surrogates become U+FFFD; the nesting depth is limited (kMaxDepth).
//
// Out: members sorted by bytes, <, > and & as \u003c \u003e \u0026, U+2028/2029 escaped, numbers in Go's format (1.0
// prints as 1, exponents from 1e21 and below 1e-6).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp {

inline constexpr int kMaxDepth = 1000;                 // nesting of objects and arrays
inline constexpr size_t kMaxInputBytes = 256UL << 20;  // one file or one response

struct JsonOptions {
  std::string source_name = {};  // for errors and Document::source_name
  bool keep_lines = false;       // fill Document::LineOf and warnings (manifests); costs memory
  int first_line = 1;            // line number of the first byte
};

// Parses exactly one JSON value, with optional white space around it. Error: parse, with file and line.
Result<Document> ParseJson(std::string_view text, const JsonOptions& options = {});

// Parses JSON values one after the other, as in `{…}{…}`, with optional white space between them. Ends at the first
// invalid value, whose error is the last result.
std::vector<Result<Document>> ParseJsonValues(std::string_view text, const JsonOptions& options = {});

std::string WriteJson(const Value& value);                          // compact
std::string WriteIndentedJson(const Value& value, int spaces = 4);  // as kubectl -o json, no trailing newline

// Formats a number as Go's encoding/json does.
std::string WriteNumber(double d);

}  // namespace smp
