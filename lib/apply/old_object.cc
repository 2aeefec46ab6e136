#include "apply/old_object.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/fd.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "value/metadata.h"

namespace smp::apply {

namespace {

constexpr std::string_view kJobLabels[] = {"batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name",
                                           "controller-uid", "job-name"};

// Removes what the server derives from a Job's uid: its selector, and the labels of the Job and its Pods.
Value WithoutJobSelector(const Value& job, Arena& arena) {
  const Value root = WithoutAt(job, {"metadata", "labels"}, kJobLabels, arena);
  if (IsTrueAt(root, {"spec", "manualSelector"})) return root;
  return WithoutAt(WithoutAt(root, {"spec"}, {"selector"}, arena), {"spec", "template", "metadata", "labels"},
                   kJobLabels, arena);
}

bool IsJob(const Value& root) {
  return root.StringOr("kind") == "Job" && root.StringOr("apiVersion").starts_with("batch/");
}

// Returns a readable file name with the object's kind and name. Replaces characters that could form a path.
std::string FileName(const Value& object) {
  std::string out = StrCat("kubectl-smp-", ToLower(object.StringOr("kind")), "-", TextAt(object, {"metadata", "name"}));
  const auto odd = [](char c) { return !(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.'); };
  std::replace_if(out.begin(), out.end(), odd, '-');
  constexpr size_t kLongest = 200;
  return out.substr(0, kLongest);
}

Error Failed(const std::filesystem::path& path, int number) {
  return Error::InvalidArgument(StrCat(path.string(), ": ", std::strerror(number)));
}

// Flushes the folder to disk, so that new file names in it survive a crash.
Status SyncFolder(const std::filesystem::path& folder) {
  const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some network file systems cannot sync a folder: fsync fails with EINVAL.
  if (fd.open() && (fsync(fd.get()) == 0 || errno == EINVAL)) return Ok();
  return Failed(folder, errno);
}

Status WriteDurably(const Fd& fd, const std::string& path, std::string_view text) {
  if (!WriteAll(fd, text) || fsync(fd.get()) != 0) return Failed(path, errno);
  return SyncFolder(std::filesystem::path(path).parent_path());
}

Result<std::string> SaveIn(const std::filesystem::path& folder, const std::string& name, std::string_view text) {
  constexpr std::string_view kEnd = ".json";
  std::string path = (folder / StrCat(name, "-XXXXXX", kEnd)).string();
  const Fd fd(mkstemps(path.data(), static_cast<int>(kEnd.size())));  // O_EXCL, 0600
  if (!fd.open()) return Failed(folder, errno);
  if (Status written = WriteDurably(fd, path, text); !written.ok()) {
    (void)unlink(path.c_str());
    return std::move(written).error();
  }
  return path;
}

// --- folders

// Returns the environment variable's value if it is an absolute path, else "".
std::filesystem::path FolderIn(const char* variable) {
  const std::string folder = Environment(variable);
  return folder.starts_with('/') ? folder : "";
}

Status MakeFolder(const std::filesystem::path& folder) {
  std::error_code unknown;
  if (std::filesystem::exists(folder, unknown)) return Ok();
  SMP_TRY(MakeFolder(folder.parent_path()));
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return Failed(folder, errno);
  return SyncFolder(folder.parent_path());
}

// Checks permissions of the folder, because whoever can write to it can remove or replace the files in it.
bool IsPrivate(const std::filesystem::path& folder) {
  struct stat found = {};
  return stat(folder.c_str(), &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

// Returns kubectl-smp in the user's state folder; "" if there is no such folder that only the user can access.
std::filesystem::path StateFolder() {
  std::filesystem::path state = FolderIn("XDG_STATE_HOME");
  if (const std::filesystem::path home = FolderIn("HOME"); state.empty() && !home.empty())
    state = home / ".local/state";
  if (state.empty()) return state;
  state /= "kubectl-smp";
  return MakeFolder(state).ok() && IsPrivate(state) ? state : "";
}

std::vector<std::filesystem::path> Folders() {
  std::vector<std::filesystem::path> out;
  if (const std::filesystem::path state = StateFolder(); !state.empty()) out.push_back(state);
  const std::filesystem::path temporary = FolderIn("TMPDIR");
  out.push_back(temporary.empty() ? "/tmp" : temporary);
  std::error_code unknown;
  if (const auto here = std::filesystem::current_path(unknown); !unknown) out.push_back(here);
  return out;
}

}  // namespace

Document Recreatable(const Document& live) {
  Arena arena;
  arena.Retain(live);
  Value root = WithoutAt(live.root(), {}, {"status"}, arena);
  root = WithoutAt(root, {"metadata"}, kServerMetadata, arena);
  if (IsJob(root)) root = WithoutJobSelector(root, arena);
  return Document(std::move(arena), root);
}

Result<std::string> SaveObject(const Document& object, const std::string& folder) {
  const std::string text = StrCat(WriteIndentedJson(object.root()), "\n");
  const std::string name = FileName(object.root());
  if (!folder.empty()) return SaveIn(folder, name, text);
  std::vector<std::string> failures;
  for (const std::filesystem::path& candidate : Folders()) {
    auto saved = SaveIn(candidate, name, text);
    if (saved.ok()) return saved;
    failures.push_back(saved.error().message);
  }
  return Error::InvalidArgument(Join(failures, "; "));
}

}  // namespace smp::apply
