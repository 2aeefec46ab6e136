// The annotation smp.io/keep-live of a manifest: paths of fields that apply leaves as live has them. It is read from the
// manifest only: whoever may write the live object could otherwise switch apply off. Differs from kubectl: it knows no
// such annotation.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "smp/keep_live.h"
#include "value/value.h"

namespace smp::apply {

inline constexpr std::string_view kKeepLiveAnnotation = "smp.io/keep-live";

// Returns `given` and the paths in the manifest's annotation, which are separated by commas or line breaks. Error:
// invalid-argument, with the path of the annotation, for one that cannot be parsed.
Result<std::vector<KeepPath>> KeepPathsOf(const Value& manifest, const std::vector<KeepPath>& given);

bool HasKeepAnnotation(const Value& manifest);

// Returns the path for `text`. `by`: see KeepPath. Error: invalid-argument if it cannot be parsed or is empty.
Result<KeepPath> ParseKeepPath(std::string_view text, std::string_view by);

}  // namespace smp::apply
