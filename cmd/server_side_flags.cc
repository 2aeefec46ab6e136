#include "cmd/server_side_flags.h"

#include "base/strings.h"

namespace smp::cmd {

std::vector<Flag> ServerSideFlagTable() {
  return Grouped(
      FlagGroup::kServerSide,
      {Switch("server-side", "let the server merge the manifest and track field ownership (server-side apply)"),
       Switch("force-conflicts",
              "server-side: take ownership of fields that other managers own; without --server-side, only needed for "
              "those that others apply server-side"),
       Choice("last-applied", {"annotation"},
              "always record the manifest in the last-applied annotation: refuse an object that is too large for it, "
              "return one that was applied server-side to client-side apply")});
}

std::optional<apply::ServerSidePlanning> ToServerSide(const ParsedFlags& flags) {
  if (!flags.On("server-side")) return std::nullopt;
  apply::ServerSidePlanning out = {.force_conflicts = flags.On("force-conflicts")};
  if (flags.Given("field-manager")) out.manager = flags.Text("field-manager");
  return out;
}

void SetMode(const ParsedFlags& flags, apply::Planning& planning) {
  planning.server_side = ToServerSide(flags);
  planning.force_conflicts = flags.On("force-conflicts");
  if (flags.Given("field-manager")) planning.server_side_manager = flags.Text("field-manager");
  if (flags.Given("last-applied")) planning.record_in = apply::RecordIn::kAnnotation;
}

Error ForceConflictsAlone() {
  return Error::InvalidArgument(
      "--force-conflicts only works with --server-side, or for objects that are applied server-side without it");
}

Status CheckServerSideCombinations(const ParsedFlags& flags) {
  const bool server_side = flags.On("server-side");
  const bool as_kubectl = flags.Given("compat");
  if (flags.On("force-conflicts") && !server_side && as_kubectl) {
    return Error::InvalidArgument("--force-conflicts only works with --server-side");
  }
  if (flags.Given("last-applied") && as_kubectl) {
    return Error::InvalidArgument(
        "--last-applied cannot be used with --compat=kubectl, which always writes the annotation");
  }
  if (!server_side) return Ok();
  if (flags.On("force")) return Error::InvalidArgument("--force cannot be used with --server-side");
  if (flags.On("prune") && flags.Text("applyset").empty()) {
    return Error::InvalidArgument(
        "--prune is in alpha and doesn't currently work on objects created by server-side apply");
  }
  for (const char* name : {"compat", "overwrite", "keep-live", "adopt", "last-applied"}) {
    if (!flags.Given(name)) continue;
    return Error::InvalidArgument(
        StrCat("--", name, " cannot be used with --server-side: it only affects patches that are computed locally"));
  }
  return Ok();
}

}  // namespace smp::cmd
