#include "apply/keep_annotation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/strings.h"
#include "value/at.h"
#include "value/path_match.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

// Returns the length of the first path: up to a comma or line break outside of brackets and quotes.
size_t PathEnd(std::string_view text) {
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || (c == ',' && depth == 0 && !quoted)) return i;
    if (c == '\\' && quoted) ++i;
    if (c == '"') quoted = !quoted;
    if (c == '[' && !quoted) ++depth;
    if (c == ']' && !quoted && depth > 0) --depth;
  }
  return text.size();
}

Error InAnnotation(Error error) {
  error.path = StrCat("metadata.annotations[\"", kKeepLiveAnnotation, "\"]");
  return error;
}

}  // namespace

Result<KeepPath> ParseKeepPath(std::string_view text, std::string_view by) {
  SMP_ASSIGN(PathPattern pattern, ParsePathPattern(text));
  if (pattern.empty()) return Error::InvalidArgument("must specify the path of a field, such as spec.replicas");
  return KeepPath{std::move(pattern), std::string(by), std::string(text)};
}

bool HasKeepAnnotation(const Value& manifest) {
  return !TextAt(manifest, {"metadata", "annotations", kKeepLiveAnnotation}).empty();
}

std::string KeepsNothingServerSide(const Value& manifest) {
  return HasKeepAnnotation(manifest)
             ? StrCat("the annotation ", kKeepLiveAnnotation, " has no effect with --server-side")
             : "";
}

Result<std::vector<KeepPath>> KeepPathsOf(const Value& manifest, const std::vector<KeepPath>& given) {
  std::vector<KeepPath> out = given;
  std::string_view rest = TextAt(manifest, {"metadata", "annotations", kKeepLiveAnnotation});
  while (!rest.empty()) {
    const size_t end = PathEnd(rest);
    const std::string_view text = Trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (text.empty()) continue;
    auto path = ParseKeepPath(text, StrCat("the annotation ", kKeepLiveAnnotation));
    if (!path.ok()) return InAnnotation(std::move(path).error());
    out.push_back(*std::move(path));
  }
  if (IsSecret(manifest)) std::ranges::for_each(out, LeadIntoData, &KeepPath::pattern);
  return out;
}

std::vector<std::string> UnmatchedWarnings(const std::vector<KeepPath>& unmatched) {
  std::vector<std::string> out;
  for (const KeepPath& path : unmatched) {
    if (path.by == kKeepLiveFlag) continue;
    out.push_back(StrCat(path.by, ": ", path.text, " names nothing in the live object or the manifest"));
  }
  return out;
}

}  // namespace smp::apply
