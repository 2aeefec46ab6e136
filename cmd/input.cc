#include "cmd/input.h"

#include <set>
#include <string>

#include "base/strings.h"
#include "cmd/flag_values.h"
#include "cmd/kustomize.h"
#include "cmd/override_flags.h"
#include "value/redact.h"

namespace smp::cmd {

namespace {

// Prints each warning once: a warning about a v1 List is attached to each of its objects.
void PrintWarnings(const apply::Manifests& manifests, Io& io) {
  std::set<std::string> printed;
  for (const auto& item : manifests.items) {
    if (!item.ok()) continue;
    for (const ReadWarning& warning : item->warnings) {
      const std::string text = ToString(Error{ErrorCode::kParse, warning.message, {}, warning.source});
      if (printed.insert(text).second) Warn(io, text);
    }
  }
}

// Differs from kubectl: it accepts duplicate keys, and keys that YAML reads as a different text, without a warning.
// `way_out`: ends the message.
void RefuseOddKeys(apply::Manifests& manifests, std::string_view way_out) {
  for (auto& item : manifests.items) {
    if (!item.ok() || item->warnings.empty()) continue;
    std::vector<std::string> messages;
    for (const ReadWarning& warning : item->warnings) messages.push_back(warning.message);
    Error error = Error::Parse(StrCat(Join(messages, "; "), way_out));
    error.path = apply::Label(item->gvk, item->name);
    error.source = item->warnings.front().source;
    manifests.refused.push_back(*std::move(item));
    item = std::move(error);
  }
}

// kubectl's messages (FilenameOptions of cli-runtime).
Status CheckInputFlags(const ParsedFlags& flags) {
  const bool files = !flags.List("filename").empty();
  const bool kustomize = !flags.Text("kustomize").empty();
  if (!files && !kustomize) return Error::InvalidArgument("must specify one of -f and -k");
  if (files && kustomize) return Error::InvalidArgument("only one of -f or -k can be specified");
  if (kustomize && flags.On("recursive")) return Error::InvalidArgument("the -k flag can't be used with -f or -R");
  return Ok();
}

Result<apply::Manifests> ReadNamed(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckInputFlags(flags));
  const std::string kustomization = flags.Text("kustomize");
  if (kustomization.empty()) return apply::ReadManifests({flags.List("filename"), flags.On("recursive"), &io.in});
  SMP_ASSIGN(const std::string text, Kustomize(kustomization, io));
  return apply::ParseManifests(text, KustomizeSourceName(kustomization));
}

}  // namespace

std::vector<Flag> InputFlagTable() {
  return Grouped(
      FlagGroup::kInput,
      {
          {.name = "filename",
           .letter = 'f',
           .kind = FlagKind::kList,
           .placeholder = "FILE",
           .help = "manifest: file, directory, pattern ('*.yaml'), URL, or - for standard input; can be repeated",
           .hint = Hint::kJsonOrYaml},
          {.name = "kustomize",
           .letter = 'k',
           .placeholder = "DIR",
           .help = "directory with a kustomization, whose output is used instead of -f",
           .hint = Hint::kFolder},
          {.name = "recursive", .letter = 'R', .kind = FlagKind::kSwitch, .help = "also read subdirectories"},
      });
}

Result<apply::Manifests> ReadInput(const ParsedFlags& flags, OddKeys odd_keys, Io& io, Overrides* overrides) {
  SMP_ASSIGN(apply::Manifests manifests, ReadNamed(flags, io));
  for (const std::string& warning : manifests.warnings) Warn(io, warning);
  for (const auto& item : manifests.items) {
    if (item.ok()) SecretRegistry::Instance().Remember(item->document.root());
  }
  if (odd_keys == OddKeys::kWarn) {
    PrintWarnings(manifests, io);
  } else {
    const bool has_flag = !flags.Text("validate").empty();
    RefuseOddKeys(manifests, has_flag ? " (--validate=warn accepts it)" : "");
  }
  SMP_ASSIGN(Overrides policies, Overrides::Read(flags, io));
  policies.Apply(manifests, io);
  if (overrides != nullptr) *overrides = std::move(policies);
  return manifests;
}

Result<apply::InputTexts> ReadInputTexts(const ParsedFlags& flags, Io& io) {
  SMP_TRY(CheckInputFlags(flags));
  const std::string kustomization = flags.Text("kustomize");
  if (kustomization.empty()) return apply::ReadTexts({flags.List("filename"), flags.On("recursive"), &io.in});
  SMP_ASSIGN(std::string text, Kustomize(kustomization, io));
  apply::InputTexts out;
  out.texts.push_back({KustomizeSourceName(kustomization), std::move(text)});
  return out;
}

Flag DuplicatesFlag() {
  return Choice(
      "duplicates", {"refuse", "last"},
      "how to treat an object that the input has more than once, with different content: refuse: an error that "
      "names the lines; last: the last one counts",
      "refuse");
}

}  // namespace smp::cmd
