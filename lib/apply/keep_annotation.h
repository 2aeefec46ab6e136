// The annotation smp.io/keep-live of a manifest: paths of fields that apply leaves as live has them. It is read from the
// manifest only: whoever may write the live object could otherwise switch apply off. Differs from kubectl: it knows no
// such annotation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "smp/keep_live.h"
#include "value/value.h"

namespace smp::apply {

inline constexpr std::string_view kKeepLiveAnnotation = "smp.io/keep-live";
inline constexpr std::string_view kKeepLiveFlag = "--keep-live";  // KeepPath::by of the flag's paths

// Returns `given` and the paths in the manifest's annotation, which are separated by commas or line breaks. Those into
// the stringData of a Secret lead into its data. Error: invalid-argument, with the path of the annotation, for one that
// cannot be parsed.
Result<std::vector<KeepPath>> KeepPathsOf(const Value& manifest, const std::vector<KeepPath>& given);

// Warnings of the annotation's paths that name nothing (KeptLive::unmatched). Leaves out the flag's: they may be meant
// for other objects.
std::vector<std::string> UnmatchedWarnings(const std::vector<KeepPath>& unmatched);

bool HasKeepAnnotation(const Value& manifest);

// Returns a warning that the manifest's annotation has no effect with --server-side; "" if it has none.
std::string KeepsNothingServerSide(const Value& manifest);

// Returns the path for `text`. `by`: see KeepPath. Error: invalid-argument if it cannot be parsed or is empty.
Result<KeepPath> ParseKeepPath(std::string_view text, std::string_view by);

}  // namespace smp::apply
