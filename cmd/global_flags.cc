#include "cmd/global_flags.h"

#include "base/strings.h"
#include "cmd/connection.h"

namespace smp {

std::vector<Flag> GlobalFlagTable() {
  std::vector<Flag> flags = ConnectionFlagTable();
  flags.push_back({.name = "v",
                   .letter = 'v',
                   .kind = FlagKind::kNumber,
                   .placeholder = "LEVEL",
                   .help = "log to standard error, without secrets: 6 requests, 7 and request headers, 8 and response "
                           "headers and the beginning of bodies, 9 more of them, 10 all",
                   .fallback = "0"});
  flags.push_back({.name = "warnings-as-errors",
                   .kind = FlagKind::kSwitch,
                   .help = "fail when the server has sent warnings, after everything is done"});
  flags.push_back({.name = "match-server-version",
                   .kind = FlagKind::kSwitch,
                   .help = "not supported: this program is not released along with Kubernetes"});
  flags.push_back({.name = "profile",
                   .placeholder = "none",
                   .help = "only none: this program writes no profiles of itself",
                   .fallback = "none"});
  for (const char* name : {"profile-output", "log-flush-frequency", "vmodule"}) {
    flags.push_back({.name = name, .placeholder = "TEXT", .help = "accepted, without effect"});
  }
  flags.push_back({.name = "help", .letter = 'h', .kind = FlagKind::kSwitch, .help = "help for a command"});
  return flags;
}

Status CheckGlobalFlags(const ParsedFlags& flags) {
  if (flags.On("match-server-version")) {
    return Error::InvalidArgument(
        "--match-server-version cannot be kept: this program is not released along with Kubernetes, so no version of "
        "it matches a server's; leave the flag out");
  }
  if (const std::string profile = flags.Text("profile"); profile != "none") {
    return Error::InvalidArgument(
        StrCat("--profile=", profile, " is not supported: this program writes no profiles of itself"));
  }
  return Ok();
}

}  // namespace smp
