#include "apply/old_object.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/environment.h"
#include "base/private_file.h"
#include "base/shell_words.h"
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

// A file is named kubectl-smp-KIND-NAME-SERVER-XXXXXX.json.
constexpr std::string_view kFirst = "kubectl-smp-";
constexpr std::string_view kRandom = "-XXXXXX";
constexpr std::string_view kLast = ".json";

std::string ServerTag(const std::string& server) {
  constexpr size_t kDigits = 8;
  return StrCat("-", Sha256Hex(server).substr(0, kDigits));
}

// Returns a readable file name with the object's kind and name. Replaces characters that could form a path.
std::string FileName(const Value& object) {
  std::string out = StrCat(kFirst, ToLower(object.StringOr("kind")), "-", TextAt(object, {"metadata", "name"}));
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

// Locks a new file. Returns false if another run has removed it meanwhile, because it was not locked yet.
bool LockNew(const Fd& fd) {
  if (flock(fd.get(), LOCK_EX) != 0) return true;  // a file system without locks: nobody can remove it as left
  struct stat found = {};
  return fstat(fd.get(), &found) == 0 && found.st_nlink > 0;
}

Result<SavedObject> SaveIn(const std::filesystem::path& folder, const std::string& name, std::string_view text) {
  std::string path = (folder / StrCat(name, kRandom, kLast)).string();
  Fd fd(mkstemps(path.data(), static_cast<int>(kLast.size())));  // O_EXCL, 0600
  if (!fd.open()) return Failed(folder, errno);
  (void)fcntl(fd.get(), F_SETFD, FD_CLOEXEC);
  if (!LockNew(fd)) return SaveIn(folder, name, text);
  if (Status written = WriteDurably(fd, path, text); !written.ok()) {
    (void)unlink(path.c_str());
    return std::move(written).error();
  }
  return SavedObject{std::move(path), std::move(fd)};
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

bool IsPrivate(const struct stat& found) { return found.st_uid == geteuid() && (found.st_mode & 077) == 0; }

// Returns kubectl-smp in the user's state folder; "" if the environment names none.
std::filesystem::path StateFolder() {
  if (const std::filesystem::path state = FolderIn("XDG_STATE_HOME"); !state.empty()) return state / "kubectl-smp";
  const std::filesystem::path home = FolderIn("HOME");
  return home.empty() ? home : home / ".local/state/kubectl-smp";
}

// Makes the state folder and makes it private, because whoever can write to it can remove or replace the files in it: that
// of another user is not used. The other folders exist, and their permissions are the user's choice.
bool MayUse(const std::filesystem::path& folder) {
  if (folder != StateFolder()) return true;
  if (!MakeFolder(folder).ok()) return false;
  const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat found = {};
  if (!fd.open() || fstat(fd.get(), &found) != 0) return false;
  return IsPrivate(found) || (found.st_uid == geteuid() && fchmod(fd.get(), 0700) == 0);
}

std::vector<std::filesystem::path> Folders() {
  std::vector<std::filesystem::path> out;
  if (std::filesystem::path state = StateFolder(); !state.empty()) out.push_back(std::move(state));
  const std::filesystem::path temporary = FolderIn("TMPDIR");
  out.push_back(temporary.empty() ? "/tmp" : temporary);
  std::error_code unknown;
  if (auto here = std::filesystem::current_path(unknown); !unknown) out.push_back(std::move(here));
  return out;
}

// --- files of earlier runs

bool IsFileFor(std::string_view name, std::string_view server_tag) {
  const size_t rest = kRandom.size() + kLast.size();
  return name.size() > rest && name.starts_with(kFirst) && name.ends_with(kLast) &&
         name.substr(0, name.size() - rest).ends_with(server_tag);
}

// Locks a file; nothing if a running program needs it, or it is not the user's own.
Fd LockLeft(const std::string& path) {
  Fd fd(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found = {};
  const bool own = fd.open() && fstat(fd.get(), &found) == 0 && S_ISREG(found.st_mode) && IsPrivate(found);
  return own && flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : Fd();
}

std::optional<LeftFile> TakeLeft(const std::string& path) {
  constexpr size_t kMostBytes = size_t{64} << 20;
  Fd lock = LockLeft(path);
  if (!lock.open()) return std::nullopt;
  const Result<PrivateText> text = ReadPrivateFile(path, kMostBytes, "the file");
  if (!text.ok()) return std::nullopt;
  Result<Document> object = ParseJson(text->text);
  if (object.ok()) return LeftFile{{path, std::move(lock)}, *std::move(object)};
  (void)unlink(path.c_str());
  return std::nullopt;
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

Result<SavedObject> SaveObject(const Document& object, const std::string& server, const std::string& folder) {
  const std::string text = StrCat(WriteIndentedJson(object.root()), "\n");
  const std::string name = StrCat(FileName(object.root()), ServerTag(server));
  if (!folder.empty()) return SaveIn(folder, name, text);
  std::vector<std::string> failures;
  for (const std::filesystem::path& candidate : Folders()) {
    if (!MayUse(candidate)) continue;
    auto saved = SaveIn(candidate, name, text);
    if (saved.ok()) return saved;
    failures.push_back(saved.error().message);
  }
  return Error::InvalidArgument(Join(failures, "; "));
}

std::string RestoreCommand(const kube::ObjectRef& ref, const std::string& path) {
  return StrCat("kubectl create --raw ", kube::ObjectPath(kube::CollectionOf(ref)), " -f ", ShellQuoted(path));
}

std::vector<LeftFile> FindLeftFiles(const std::string& server) {
  const std::string tag = ServerTag(server);
  std::set<std::string> paths;
  for (const std::filesystem::path& folder : Folders()) {
    std::error_code none;
    for (auto at = std::filesystem::directory_iterator(folder, none); at != std::filesystem::directory_iterator();
         at.increment(none)) {
      if (IsFileFor(at->path().filename().string(), tag)) paths.insert(at->path().string());
    }
  }
  std::vector<LeftFile> out;
  for (const std::string& path : paths) {
    if (std::optional<LeftFile> left = TakeLeft(path)) out.push_back(*std::move(left));
  }
  return out;
}

}  // namespace smp::apply
