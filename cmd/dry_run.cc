#include "cmd/dry_run.h"

#include "base/strings.h"
#include "cmd/flag_values.h"
#include "smp/managed_fields.h"

namespace smp::cmd {

namespace {

constexpr char kBare[] = "unchanged";  // the value that kubectl assumes for a bare --dry-run

// kubectl's messages (GetDryRunStrategy of cmd/util).
std::map<std::string, std::string> DeprecatedValues() {
  auto out = DeprecatedBooleans("dry-run", "client", "none");
  out[kBare] = "--dry-run is deprecated and can be replaced with --dry-run=client.";
  return out;
}

}  // namespace

Flag DryRunFlag() {
  return {.name = "dry-run",
          .placeholder = "none|client|server",
          .help =
              "client: only print what would be done; server: send the requests, but let the server validate them "
              "without storing anything",
          .fallback = "none",
          .bare = kBare,
          .deprecated = DeprecatedValues(),
          .group = FlagGroup::kChanges};
}

Flag FieldManagerFlag() {
  return {.name = "field-manager",
          .placeholder = "NAME",
          .help = "name of the manager used to track field ownership",
          .fallback = std::string(kClientSideManager),
          .group = FlagGroup::kServerSide};
}

Result<apply::DryRun> ToDryRun(const std::string& text) {
  if (text == "none") return apply::DryRun::kNone;
  if (text == "client" || text == kBare) return apply::DryRun::kClient;
  if (text == "server") return apply::DryRun::kServer;
  if (const Result<bool> on = ParseGoBool(text); on.ok()) return *on ? apply::DryRun::kClient : apply::DryRun::kNone;
  return Error::InvalidArgument(
      StrCat("Invalid dry-run value (", text, "). Must be \"none\", \"server\", or \"client\"."));
}

std::string_view DryRunSuffix(apply::DryRun dry_run) {
  switch (dry_run) {
    case apply::DryRun::kNone: return "";
    case apply::DryRun::kClient: return " (dry run)";
    case apply::DryRun::kServer: return " (server dry run)";
  }
  return "";
}

}  // namespace smp::cmd
