#include "cmd/server_side_flags.h"

#include "base/strings.h"

namespace smp::cmd {

std::vector<Flag> ServerSideFlagTable() {
  return {Switch("server-side", "let the server merge the manifest and track field ownership (server-side apply)"),
          Switch("force-conflicts", "with --server-side: take ownership of fields that other managers own")};
}

std::optional<apply::ServerSidePlanning> ToServerSide(const ParsedFlags& flags) {
  if (!flags.On("server-side")) return std::nullopt;
  apply::ServerSidePlanning out = {.force_conflicts = flags.On("force-conflicts")};
  if (flags.Given("field-manager")) out.manager = flags.Text("field-manager");
  return out;
}

Status CheckServerSideCombinations(const ParsedFlags& flags) {
  const bool server_side = flags.On("server-side");
  if (flags.On("force-conflicts") && !server_side) {
    return Error::InvalidArgument("--force-conflicts only works with --server-side");
  }
  if (!server_side) return Ok();
  if (flags.On("force")) return Error::InvalidArgument("--force cannot be used with --server-side");
  if (flags.On("prune")) {
    return Error::InvalidArgument(
        "--prune is in alpha and doesn't currently work on objects created by server-side apply");
  }
  for (const char* name : {"compat", "overwrite", "keep-live", "adopt"}) {
    if (!flags.Given(name)) continue;
    return Error::InvalidArgument(
        StrCat("--", name, " cannot be used with --server-side: it only affects patches that are computed locally"));
  }
  return Ok();
}

}  // namespace smp::cmd
