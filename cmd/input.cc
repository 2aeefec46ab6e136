#include "cmd/input.h"

#include <filesystem>
#include <set>
#include <string>

#include "base/strings.h"
#include "value/escape.h"
#include "value/redact.h"

namespace smp {

namespace {

// A warning about a list stands with each of its objects and is printed once.
void PrintWarnings(const Manifests& manifests, Io& io) {
  std::set<std::string> printed;
  for (const auto& item : manifests.items) {
    if (!item.ok()) continue;
    for (const ReadWarning& warning : item->warnings) {
      const std::string text = ToString(Error{ErrorCode::kParse, warning.message, {}, warning.source});
      if (printed.insert(text).second) io.err << "Warning: " << Visible(text) << "\n";
    }
  }
}

void RefuseOddKeys(Manifests& manifests) {
  for (auto& item : manifests.items) {
    if (!item.ok() || item->warnings.empty()) continue;
    std::vector<std::string> messages;
    for (const ReadWarning& warning : item->warnings) messages.push_back(warning.message);
    Error error = Error::Parse(StrCat(Join(messages, "; "), " (--validate=warn takes it nevertheless)"));
    error.path = Label(item->gvk, item->name);
    error.source = item->warnings.front().source;
    item = std::move(error);
  }
}

}  // namespace

std::vector<Flag> InputFlagTable() {
  return {
      {.name = "filename",
       .letter = 'f',
       .kind = FlagKind::kList,
       .placeholder = "FILE",
       .help = "manifest: a file, a folder, or - for standard input; may be repeated"},
      {.name = "recursive",
       .letter = 'R',
       .kind = FlagKind::kSwitch,
       .help = "with a folder: also the folders below it"},
  };
}

Result<Manifests> ReadInput(const ParsedFlags& flags, OddKeys odd_keys, Io& io) {
  if (!flags.arguments().empty()) {
    return Error::InvalidArgument(StrCat("unexpected argument \"", flags.arguments()[0], "\"; name manifests with -f"));
  }
  if (flags.List("filename").empty())
    return Error::InvalidArgument("must specify -f: a file, a folder, or - for standard input");
  // As kubectl: a path that is not there stops everything, before anything is sent.
  for (const std::string& file : flags.List("filename")) {
    if (file == "-" || std::filesystem::exists(file)) continue;
    if (file.find("://") != std::string::npos) {
      return Error::InvalidArgument(StrCat("URLs cannot be read yet; use: curl -sSL ", file, " | … -f -"));
    }
    return Error::InvalidArgument(StrCat("the path \"", file, "\" does not exist"));
  }
  Manifests manifests = ReadManifests({flags.List("filename"), flags.On("recursive"), &io.in});
  for (const auto& item : manifests.items) {
    if (item.ok()) SecretRegistry::Instance().Remember(item->document.root());
  }
  if (odd_keys == OddKeys::kWarn) {
    PrintWarnings(manifests, io);
  } else {
    RefuseOddKeys(manifests);
  }
  return manifests;
}

}  // namespace smp
