#include "cmd/deletion_flags.h"

#include <string>
#include <utility>

#include "apply/manifests.h"
#include "base/duration.h"
#include "base/strings.h"
#include "cmd/flag_values.h"

namespace smp::cmd {

namespace {

Result<std::string> ToPropagation(const std::string& text) {
  if (text == "background") return std::string("Background");
  if (text == "foreground") return std::string("Foreground");
  if (text == "orphan") return std::string("Orphan");
  if (const Result<bool> on = ParseGoBool(text); on.ok()) return std::string(*on ? "Background" : "Orphan");
  return Error::InvalidArgument(
      StrCat("invalid cascade value (", text, "). Must be \"background\", \"foreground\", or \"orphan\""));
}

}  // namespace

std::vector<Flag> ForceFlagTable() {
  return Grouped(
      FlagGroup::kDeletion,
      {
          Switch(
              "force",
              "delete and recreate an object if the server rejects its change as immutable; the server validates the "
              "new object first"),
          Switch("force-dangerous",
                 "with --force: also recreate Namespaces, PersistentVolumes, PersistentVolumeClaims and "
                 "CustomResourceDefinitions, even though this deletes the objects or data in them"),
          {.name = "cascade",
           .placeholder = "background|foreground|orphan",
           .help = "with --force and --prune: how to delete the dependents of a deleted object",
           .fallback = "background",
           .bare = "background",
           .deprecated = DeprecatedBooleans("cascade", "background", "orphan")},
      });
}

std::vector<Flag> DeletionFlagTable() {
  std::vector<Flag> out = ForceFlagTable();
  out.push_back(
      {.name = "grace-period",
       .kind = FlagKind::kNumber,
       .placeholder = "SECONDS",
       .help =
           "with --force and --prune: seconds that a deleted object has to terminate; negative: its own grace period",
       .fallback = "-1"});
  out.push_back(
      {.name = "timeout",
       .placeholder = "DURATION",
       .help =
           "with --force and --wait: how long to wait for a deletion (0s: one minute for --force, no limit for --wait)",
       .fallback = "0s"});
  out.push_back(Switch("wait", "with --prune: wait until the deleted objects are gone"));
  return Grouped(FlagGroup::kDeletion, std::move(out));
}

Result<apply::Deletion> ToDeletion(const ParsedFlags& flags) {
  apply::Deletion out;
  SMP_ASSIGN(out.propagation, ToPropagation(flags.Text("cascade")));
  out.grace_period_seconds = flags.Number("grace-period");
  const std::string timeout = flags.Text("timeout");
  const Result<int64_t> ms = ParseGoDurationMs(timeout);
  if (!ms.ok()) {
    return Error::InvalidArgument(
        StrCat("invalid argument ", GoQuoted(timeout), " for \"--timeout\" flag: ", ms.error().message));
  }
  out.timeout_ms = *ms;
  return out;
}

Result<apply::Deletion> ToForetoldDeletion(const ParsedFlags& flags) {
  apply::Deletion out;
  SMP_ASSIGN(out.propagation, ToPropagation(flags.Text("cascade")));
  return out;
}

Result<std::optional<apply::RecreateOptions>> ToForetoldForce(const ParsedFlags& flags) {
  apply::RecreateOptions out;
  SMP_ASSIGN(out.deletion, ToForetoldDeletion(flags));
  if (!flags.On("force")) return std::optional<apply::RecreateOptions>();
  out.dangerous = flags.On("force-dangerous") ? apply::Dangerous::kAllow : apply::Dangerous::kRefuse;
  return std::optional(std::move(out));
}

Result<std::optional<apply::RecreateOptions>> ToForce(const ParsedFlags& flags) {
  SMP_ASSIGN(apply::Deletion deletion, ToDeletion(flags));
  SMP_ASSIGN(auto out, ToForetoldForce(flags));
  if (out) out->deletion = std::move(deletion);
  return out;
}

void TellOfForce(apply::SubmitOptions& options, const std::string& server, Io& io) {
  if (!options.force) return;
  options.force->server = server;
  options.force->notice = [&io](const kube::ObjectRef& ref, const std::string& text) {
    Warn(io, StrCat(apply::Label(ref.gvk, ref.name), ": ", text));
  };
}

}  // namespace smp::cmd
