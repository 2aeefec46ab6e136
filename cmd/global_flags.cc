#include "cmd/global_flags.h"

#include "base/strings.h"
#include "cmd/connection.h"

namespace smp::cmd {

std::vector<Flag> GlobalFlagTable() {
  std::vector<Flag> flags = ConnectionFlagTable();
  flags.push_back({.name = "v",
                   .letter = 'v',
                   .kind = FlagKind::kNumber,
                   .placeholder = "LEVEL",
                   .help = "log level, to standard error and without secrets: 6: requests; 7: also request headers; 8: "
                           "also response headers and truncated bodies; 9: longer bodies; 10: whole bodies",
                   .fallback = "0"});
  flags.push_back(Switch("warnings-as-errors", "fail at the end if the server sent warnings"));
  flags.push_back(
      Switch("match-server-version", "not supported: this program does not share version numbers with Kubernetes"));
  flags.push_back({.name = "profile",
                   .placeholder = "none",
                   .help = "only none is supported: this program does not write profiles",
                   .fallback = "none"});
  for (const char* name : {"profile-output", "log-flush-frequency", "vmodule"}) {
    flags.push_back(TextFlag(name, "TEXT", "accepted for compatibility, has no effect"));
  }
  flags.push_back({.name = "help", .letter = 'h', .kind = FlagKind::kSwitch, .help = "help for a command"});
  return flags;
}

Status CheckGlobalFlags(const ParsedFlags& flags) {
  if (flags.On("match-server-version")) {
    return Error::InvalidArgument(
        "--match-server-version is not supported: this program does not share version numbers with Kubernetes; remove "
        "the flag");
  }
  if (const std::string profile = flags.Text("profile"); profile != "none") {
    return Error::InvalidArgument(
        StrCat("--profile=", profile, " is not supported: this program does not write profiles"));
  }
  return Ok();
}

}  // namespace smp::cmd
