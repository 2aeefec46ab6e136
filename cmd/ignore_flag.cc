#include "cmd/ignore_flag.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/name_some.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "kube/resource_mapper.h"
#include "schema/builtin.h"

namespace smp::cmd {

namespace {

constexpr char kFlag[] = "--ignore", kFileFlag[] = "--ignore-file";
constexpr char kDefaultFile[] = ".smpignore";
constexpr size_t kMaxFileBytes = 1UL << 20;

// Returns the flag whose text or file is what apply sends, which an ignored field does not change; "" if there is none. A plan must
// not have more than its reviewers saw, whatever a .smpignore among the manifests says.
std::string FlagOfRequests(const ParsedFlags& flags) {
  const std::string format = flags.Text("output");
  if (format == "patch" || format == "curl") return StrCat("-o ", format);
  return flags.Given("plan-out") ? "--plan-out" : "";
}

Status CheckFormat(const ParsedFlags& flags) {
  const std::string requests = FlagOfRequests(flags);
  for (const char* name : {"ignore", "ignore-file"}) {
    if (!flags.Given(name) || requests.empty()) continue;
    return Error::InvalidArgument(StrCat("--", name, " cannot be used with ", requests,
                                         ", which is about what apply sends: that has the ignored fields, too "
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
  // In the checkout of somebody's pull request it may lead to a token, which messages about its lines would show.
  if (std::filesystem::is_symlink(std::string(kDefaultFile), error)) {
    return Error::InvalidArgument(StrCat(kDefaultFile, " is a symbolic link; name the file with ", kFileFlag,
                                         ", or read none with ", kFileFlag, "="));
  }
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
  if (flags.Given("ignore-file") || flags.Given("compat") || !FlagOfRequests(flags).empty()) {
    return std::vector<explain::IgnoredPath>();
  }
  return ReadDefaultFile();
}

// `word`: in lower case. Returns "" if the built-in schema has no such kind.
std::string BuiltinKind(const std::string& word) {
  for (const auto& [gvk, resource] : BuiltinSchema()->resources()) {
    std::string kind = ToLower(gvk.kind);
    if (kind == word || resource.plural == word) return kind;
  }
  return {};
}

Error UnknownKind(const explain::IgnoredPath& path, std::string why) {
  if (path.source.file.empty()) return Error::InvalidArgument(StrCat(kFlag, " ", path.text, ": ", why));
  return Error{ErrorCode::kParse, std::move(why), {}, path.source};
}

// Returns true if the kind is written as in manifests, not as a word of the command line.
bool HasCapitals(const explain::IgnoredPath& path) {
  return !path.text.empty() && path.text.front() >= 'A' && path.text.front() <= 'Z';
}

Status ResolveServed(explain::IgnoredPath& path, kube::ResourceMapper& mapper) {
  const auto served = mapper.Find(path.group.empty() ? path.kind : StrCat(path.kind, ".", path.group));
  if (served.ok()) {
    path.kind = ToLower(served->resource.gvk.kind);
    if (!path.group.empty()) path.group = served->resource.gvk.group;
  } else if (served.error().code == ErrorCode::kNotFound && !HasCapitals(path)) {
    return UnknownKind(path, served.error().message);
  }
  return Ok();
}

// Of an ignore file, one line is enough.
void WarnOfLines(const std::string& file, std::vector<std::string> lines, Io& io) {
  const std::string_view names = lines.size() == 1 ? " names" : " name";
  Warn(io,
       StrCat(file, ": ", NameSome(std::move(lines), kMostNamed), names, " nothing in any live object or manifest"));
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

Status ResolveKinds(std::vector<explain::IgnoredPath>& paths, kube::Client* client) {
  kube::ResourceMapper mapper(client);
  for (explain::IgnoredPath& path : paths) {
    if (path.kind.empty()) continue;
    if (std::string kind = BuiltinKind(path.kind); !kind.empty()) {
      path.kind = std::move(kind);
    } else if (client != nullptr) {
      SMP_TRY(ResolveServed(path, mapper));
    } else if (!HasCapitals(path)) {
      return UnknownKind(path, StrCat("unknown kind \"", path.kind,
                                      "\": short names are only known with a cluster; write the kind, as in "
                                      "Deployment:spec.replicas"));
    }
  }
  return Ok();
}

UnmatchedIgnores::UnmatchedIgnores(const std::vector<explain::IgnoredPath>& paths) {
  for (const explain::IgnoredPath& path : paths) paths_.push_back({path});
}

void UnmatchedIgnores::AddObject(const apply::Prepared* prepared) {
  for (Counted& counted : paths_) {
    if (counted.named) continue;
    if (prepared == nullptr) {
      counted.named = true;
      continue;
    }
    if (!explain::IsMeantFor(counted.path, prepared->manifest.root())) continue;
    counted.meant = true;
    const auto names = [&](const std::optional<Document>& object) {
      return object && explain::NamesPartOf(counted.path, object->root());
    };
    counted.named = !prepared->live || names(prepared->live) || names(prepared->manifest) || names(prepared->original);
  }
}

void UnmatchedIgnores::WarnOf(Io& io) const {
  std::vector<std::string> lines;
  std::string file;
  for (const auto& [path, named, meant] : paths_) {
    if (named) continue;
    if (path.source.file.empty()) {
      Warn(io, StrCat(kFlag, ": ", path.text, " names nothing in any live object or manifest"));
    } else if (meant) {
      file = path.source.file;
      lines.push_back(StrCat("line ", path.source.line, " (", path.text, ")"));
    }
  }
  if (!lines.empty()) WarnOfLines(file, std::move(lines), io);
}

}  // namespace smp::cmd
