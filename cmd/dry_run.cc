#include "cmd/dry_run.h"

#include "base/strings.h"
#include "cmd/flag_values.h"

namespace smp {

namespace {

constexpr char kBare[] = "unchanged";  // the value that kubectl assumes for a bare --dry-run

// kubectl's messages (GetDryRunStrategy of cmd/util).
std::map<std::string, std::string> DeprecatedValues() {
  std::map<std::string, std::string> out = {
      {kBare, "--dry-run is deprecated and can be replaced with --dry-run=client."}};
  for (const char* value : {"1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"}) {
    const Result<bool> on = ParseGoBool(value);
    out[value] = StrCat("--dry-run=", value, " is deprecated (boolean value) and can be replaced with --dry-run=",
                        on.ok() && *on ? "client." : "none.");
  }
  return out;
}

}  // namespace

Flag DryRunFlag() {
  return {.name = "dry-run",
          .placeholder = "none|client|server",
          .help = "client: only print what would be done; server: let the server check it, too, and store nothing",
          .fallback = "none",
          .bare = kBare,
          .deprecated = DeprecatedValues()};
}

Result<DryRun> ToDryRun(const std::string& text) {
  if (text == "none") return DryRun::kNone;
  if (text == "client" || text == kBare) return DryRun::kClient;
  if (text == "server") return DryRun::kServer;
  if (const Result<bool> on = ParseGoBool(text); on.ok()) return *on ? DryRun::kClient : DryRun::kNone;
  return Error::InvalidArgument(
      StrCat("Invalid dry-run value (", text, "). Must be \"none\", \"server\", or \"client\"."));
}

std::string_view DryRunSuffix(DryRun dry_run) {
  switch (dry_run) {
    case DryRun::kNone: return "";
    case DryRun::kClient: return " (dry run)";
    case DryRun::kServer: return " (server dry run)";
  }
  return "";
}

}  // namespace smp
