#include "cmd/server_side_flags.h"

namespace smp::cmd {

std::vector<Flag> ServerSideFlags() {
  return {Switch("server-side", "let the server merge the manifest and track field ownership (server-side apply)"),
          Switch("force-conflicts", "with --server-side: take ownership of fields that other managers own"),
          TextFlag("subresource", "status|scale|resize", "with --server-side: apply only to this subresource")};
}

std::optional<apply::ServerSideOptions> ToServerSideOptions(const ParsedFlags& flags,
                                                            const apply::SubmitOptions& submit) {
  if (!flags.On("server-side")) return std::nullopt;
  apply::ServerSideOptions out;
  out.force_conflicts = flags.On("force-conflicts");
  out.dry_run = submit.dry_run == apply::DryRun::kServer;
  out.field_validation = submit.field_validation;
  out.subresource = flags.Text("subresource");
  if (flags.Given("field-manager")) out.field_manager = flags.Text("field-manager");
  return out;
}

}  // namespace smp::cmd
