#include "base/result.h"

#include "base/strings.h"

namespace smp {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "invalid-argument";
    case ErrorCode::kParse: return "parse";
    case ErrorCode::kSchema: return "schema";
    case ErrorCode::kPatchFormat: return "patch-format";
    case ErrorCode::kMergeKey: return "merge-key";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kNotFound: return "not-found";
    case ErrorCode::kForbidden: return "forbidden";
    case ErrorCode::kServer: return "server";
    case ErrorCode::kTransport: return "transport";
    case ErrorCode::kPolicy: return "policy";
    case ErrorCode::kRefused: return "refused";
    case ErrorCode::kInternal: return "internal";
  }
  return "internal";
}

std::string ToString(const Source& source) {
  return source.line > 0 ? StrCat(source.file, ":", source.line) : source.file;
}

std::string ToString(const Error& error) {
  std::string out = error.source.file.empty() ? "" : StrCat(ToString(error.source), ": ");
  if (!error.path.empty()) out += StrCat(error.path, ": ");
  return out + error.message;
}

}  // namespace smp
