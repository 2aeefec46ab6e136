#include "cmd/keep_live_flag.h"

#include <string>
#include <utility>

#include "apply/keep_annotation.h"
#include "base/strings.h"

namespace smp::cmd {

Flag KeepLiveFlag() {
  return {
      .name = "keep-live",
      .kind = FlagKind::kArray,
      .placeholder = "PATH",
      .help = StrCat("leave this field as the live object has it, whatever the manifest says, such as spec.replicas "
                     "or spec.template.spec.containers[*].image; may be repeated; the annotation ",
                     apply::kKeepLiveAnnotation, " of a manifest does the same for its object")};
}

Result<std::vector<KeepPath>> ToKeepLive(const ParsedFlags& flags) {
  std::vector<KeepPath> out;
  if (flags.Given("keep-live") && flags.Given("compat")) {
    return Error::InvalidArgument("--keep-live cannot be used with --compat=kubectl: kubectl keeps no fields");
  }
  for (const std::string& text : flags.List("keep-live")) {
    auto path = apply::ParseKeepPath(text, "--keep-live");
    if (!path.ok()) return Error::InvalidArgument(StrCat("--keep-live: ", path.error().message));
    out.push_back(*std::move(path));
  }
  return out;
}

}  // namespace smp::cmd
