#include "cmd/input.h"

#include "base/strings.h"
#include "value/escape.h"
#include "value/redact.h"

namespace smp {

std::vector<Flag> InputFlagTable() {
  return {
      {.name = "filename", .letter = 'f', .kind = FlagKind::kList, .placeholder = "FILE", .help = "manifest: a file, a folder, or - for standard input; may be repeated"},
      {.name = "recursive", .letter = 'R', .kind = FlagKind::kSwitch, .help = "with a folder: also the folders below it"},
  };
}

Result<Manifests> ReadInput(const ParsedFlags& flags, Io& io) {
  if (!flags.arguments().empty()) {
    return Error::InvalidArgument(StrCat("unexpected argument \"", flags.arguments()[0], "\"; name manifests with -f"));
  }
  if (flags.List("filename").empty()) return Error::InvalidArgument("must specify -f: a file, a folder, or - for standard input");
  Manifests manifests = ReadManifests({flags.List("filename"), flags.On("recursive"), &io.in});
  for (const auto& item : manifests.items) {
    if (item.ok()) SecretRegistry::Instance().Remember(item->document.root());
  }
  for (const std::string& warning : manifests.warnings) io.err << "Warning: " << Visible(warning) << "\n";
  return manifests;
}

}  // namespace smp
