#include "cmd/keep_live_flag.h"

#include <set>
#include <string>
#include <utility>

#include "apply/keep_annotation.h"
#include "base/strings.h"

namespace smp::cmd {

namespace {

Status CheckDialect(const ParsedFlags& flags, const std::string& name) {
  if (!flags.Given(name) || !flags.Given("compat")) return Ok();
  return Error::InvalidArgument(StrCat("--", name, " cannot be used with --compat=kubectl: kubectl has no such flag"));
}

}  // namespace

Flag KeepLiveFlag() {
  return {
      .name = "keep-live",
      .kind = FlagKind::kArray,
      .placeholder = "PATH",
      .help = StrCat("leave this field as the live object has it, whatever the manifest says, such as spec.replicas "
                     "or spec.template.spec.containers[*].image; may be repeated; the annotation ",
                     apply::kKeepLiveAnnotation, " of a manifest does the same for its object"),
      .group = FlagGroup::kChanges};
}

Result<std::vector<KeepPath>> ToKeepLive(const ParsedFlags& flags) {
  SMP_TRY(CheckDialect(flags, "keep-live"));
  std::vector<KeepPath> out;
  for (const std::string& text : flags.List("keep-live")) {
    auto path = apply::ParseKeepPath(text, apply::kKeepLiveFlag);
    if (!path.ok()) return Error::InvalidArgument(StrCat("--keep-live: ", path.error().message));
    out.push_back(*std::move(path));
  }
  return out;
}

void UnmatchedPaths::AddObject(const std::vector<KeepPath>& unmatched) {
  ++objects_;
  std::set<std::string> paths;
  for (const KeepPath& path : unmatched) {
    if (path.by == apply::kKeepLiveFlag) paths.insert(path.text);
  }
  for (const std::string& path : paths) ++misses_[path];
}

void UnmatchedPaths::WarnOf(Io& io) const {
  for (const auto& [path, misses] : misses_) {
    if (misses < objects_) continue;
    Warn(io, StrCat(apply::kKeepLiveFlag, ": ", path, " names nothing in ",
                    objects_ == 1 ? "the live object or the manifest" : "any live object or manifest"));
  }
}

Flag AdoptFlag() {
  return {.name = "adopt",
          .kind = FlagKind::kList,
          .placeholder = "MANAGER",
          .help =
              "of objects without a last-applied annotation, delete what these field managers set and the manifest "
              "lacks, such as kubectl-create; explain-diff shows each deletion",
          .group = FlagGroup::kChanges};
}

Result<std::vector<std::string>> ToAdopt(const ParsedFlags& flags) {
  SMP_TRY(CheckDialect(flags, "adopt"));
  for (const std::string& manager : flags.List("adopt")) {
    if (manager.empty()) return Error::InvalidArgument("--adopt: must name a field manager");
  }
  return flags.List("adopt");
}

}  // namespace smp::cmd
