#include "cmd/ignore_flag.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/read_file.h"
#include "base/strings.h"

namespace smp::cmd {

namespace {

constexpr char kFlag[] = "--ignore", kFileFlag[] = "--ignore-file";
constexpr char kDefaultFile[] = ".smpignore";
constexpr size_t kMaxFileBytes = 1UL << 20;

// Formats whose text is what apply sends, which an ignored field does not change.
bool PrintsRequests(const std::string& format) { return format == "patch" || format == "curl"; }

Status CheckFormat(const ParsedFlags& flags) {
  const std::string format = flags.Text("output");
  for (const char* name : {"ignore", "ignore-file"}) {
    if (!flags.Given(name) || !PrintsRequests(format)) continue;
    return Error::InvalidArgument(StrCat("--", name, " cannot be used with -o ", format,
                                         ", which prints what apply sends: that has the ignored fields, too "
                                         "(--keep-live leaves them out)"));
  }
  return Ok();
}

Result<std::vector<explain::IgnoredPath>> ReadIgnoreFile(const std::string& file) {
  Result<std::string> text = ReadWholeFile(file, kMaxFileBytes, "the ignore file");
  if (!text.ok() && text.error().code == ErrorCode::kNotFound) return Error::InvalidArgument(text.error().message);
  if (!text.ok()) return std::move(text).error();
  SMP_ASSIGN(std::vector<explain::IgnoredPath> paths, explain::ParseIgnoreFile(*text, file));
  for (explain::IgnoredPath& path : paths) path.by = kFileFlag;
  return paths;
}

Result<std::vector<explain::IgnoredPath>> ReadDefaultFile() {
  std::error_code error;
  // A pipe of that name might never end.
  if (!std::filesystem::is_regular_file(std::string(kDefaultFile), error)) return std::vector<explain::IgnoredPath>();
  const Result<std::string> text = ReadWholeFile(kDefaultFile, kMaxFileBytes, "the ignore file");
  if (text.ok()) return explain::ParseIgnoreFile(*text, kDefaultFile);
  if (text.error().code == ErrorCode::kNotFound) return std::vector<explain::IgnoredPath>();
  return text.error();
}

// Differs from kubectl: it knows no such file. --ignore-file= reads none.
Result<std::vector<explain::IgnoredPath>> OfFile(const ParsedFlags& flags) {
  const std::string file = flags.Text("ignore-file");
  if (flags.Given("ignore-file") && !file.empty()) return ReadIgnoreFile(file);
  if (flags.Given("ignore-file") || flags.Given("compat") || PrintsRequests(flags.Text("output"))) {
    return std::vector<explain::IgnoredPath>();
  }
  return ReadDefaultFile();
}

}  // namespace

std::vector<Flag> IgnoreFlagTable() {
  return {
      {.name = "ignore",
       .kind = FlagKind::kArray,
       .placeholder = "[KIND:]PATH",
       .help =
           "do not show or count differences in this field, such as spec.replicas, 'Deployment:metadata.labels[*]' or "
           "Deployment/web:spec.replicas; apply changes it all the same (see --keep-live); can be repeated"},
      FileFlag("ignore-file",
               "file with such fields, one a line, # begins a comment; .smpignore in the working "
               "directory by default, except with --compat=kubectl, -o patch and -o curl; "
               "--ignore-file= reads none")};
}

Result<std::vector<explain::IgnoredPath>> ToIgnored(const ParsedFlags& flags) {
  SMP_TRY(CheckFormat(flags));
  std::vector<explain::IgnoredPath> out;
  for (const std::string& text : flags.List("ignore")) {
    auto path = explain::ParseIgnoredPath(text, kFlag);
    if (!path.ok()) return Error::InvalidArgument(StrCat(kFlag, " ", text, ": ", path.error().message));
    out.push_back(*std::move(path));
  }
  SMP_ASSIGN(std::vector<explain::IgnoredPath> of_file, OfFile(flags));
  std::ranges::move(of_file, std::back_inserter(out));
  return out;
}

UnmatchedIgnores::UnmatchedIgnores(const std::vector<explain::IgnoredPath>& paths) {
  for (const explain::IgnoredPath& path : paths) {
    if (path.by == kFlag) paths_.push_back({path});
  }
}

void UnmatchedIgnores::AddObject(const apply::Prepared* prepared) {
  for (Counted& counted : paths_) {
    if (counted.named) continue;
    if (prepared == nullptr) {
      counted.named = true;
      continue;
    }
    if (!explain::IsMeantFor(counted.path, prepared->manifest.root())) continue;
    const auto names = [&](const std::optional<Document>& object) {
      return object && explain::NamesPartOf(counted.path, object->root());
    };
    counted.named = !prepared->live || names(prepared->live) || names(prepared->manifest) || names(prepared->original);
  }
}

void UnmatchedIgnores::WarnOf(Io& io) const {
  for (const Counted& counted : paths_) {
    if (counted.named) continue;
    Warn(io, StrCat(kFlag, ": ", counted.path.text, " names nothing in any live object or manifest"));
  }
}

}  // namespace smp::cmd
