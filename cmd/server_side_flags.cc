#include "cmd/server_side_flags.h"

#include <string>

namespace smp {

std::vector<Flag> ServerSideFlags() {
  return {{.name = "server-side",
           .kind = FlagKind::kSwitch,
           .help = "let the server decide, by who owns which field (server-side apply)"},
          {.name = "force-conflicts",
           .kind = FlagKind::kSwitch,
           .help = "with --server-side: take over fields that others own"},
          {.name = "subresource",
           .placeholder = "status|scale|resize",
           .help = "with --server-side: apply to this part of the objects alone"}};
}

std::optional<ServerSideOptions> ToServerSideOptions(const ParsedFlags& flags, const SubmitOptions& submit) {
  if (!flags.On("server-side")) return std::nullopt;
  ServerSideOptions out;
  out.force_conflicts = flags.On("force-conflicts");
  out.dry_run = submit.dry_run == DryRun::kServer;
  out.field_validation = submit.field_validation;
  out.subresource = flags.Text("subresource");
  if (flags.Given("field-manager")) out.field_manager = flags.Text("field-manager");
  return out;
}

}  // namespace smp
