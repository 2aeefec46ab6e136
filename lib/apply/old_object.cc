#include "apply/old_object.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/strings.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kServerMetadata[] = {"creationTimestamp", "deletionGracePeriodSeconds",
                                                "deletionTimestamp", "generation",
                                                "managedFields",     "resourceVersion",
                                                "selfLink",          "uid"};
// What the server makes of a Job's uid, in its selector and in the labels of its Pods.
constexpr std::string_view kJobLabels[] = {"batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name",
                                           "controller-uid", "job-name"};

template <class Names>
Value Without(const Value& map, const Names& names, Arena& arena) {
  if (!map.is_object()) return map;
  std::vector<Member> members(map.Members().begin(), map.Members().end());
  std::erase_if(members, [&](const Member& m) {
    return std::find(std::begin(names), std::end(names), m.name) != std::end(names);
  });
  return arena.Object(std::move(members));
}

// `map` with what `change` makes of its member, where it has one.
template <class Change>
Value With(const Value& map, std::string_view name, Change change, Arena& arena) {
  const Value* old = map.Find(name);
  if (old == nullptr) return map;
  std::vector<Member> members(map.Members().begin(), map.Members().end());
  members.push_back({name, change(*old)});
  return arena.Object(std::move(members));
}

Value WithoutJobLabels(const Value& object, Arena& arena) {
  return With(
      object, "metadata",
      [&](const Value& metadata) {
        return With(
            metadata, "labels", [&](const Value& labels) { return Without(labels, kJobLabels, arena); }, arena);
      },
      arena);
}

Value WithoutJobSelector(const Value& spec, Arena& arena) {
  const Value* manual = spec.Find("manualSelector");
  if (manual != nullptr && manual->is_bool() && manual->AsBool()) return spec;
  constexpr std::string_view kSelector[] = {"selector"};
  const Value bare = Without(spec, kSelector, arena);
  return With(
      bare, "template", [&](const Value& pod) { return WithoutJobLabels(pod, arena); }, arena);
}

bool IsJob(const Value& root) {
  return root.StringOr("kind") == "Job" && root.StringOr("apiVersion").starts_with("batch/");
}

// A name for people: kind and name of the object, of which nothing may lead out of the folder.
std::string FileName(const Value& object) {
  const Value* metadata = object.Find("metadata");
  std::string out = StrCat("kubectl-smp-", ToLower(object.StringOr("kind")), "-",
                           metadata == nullptr ? "" : metadata->StringOr("name"));
  const auto odd = [](char c) { return !(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.'); };
  std::replace_if(out.begin(), out.end(), odd, '-');
  constexpr size_t kLongest = 200;
  return out.substr(0, kLongest);
}

Error Failed(const std::filesystem::path& path, int number) {
  return Error::InvalidArgument(StrCat(path.string(), ": ", std::strerror(number)));
}

Status WriteAll(const Fd& fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(fd.get(), text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return Failed(path, errno);
    text.remove_prefix(static_cast<size_t>(done));
  }
  return Ok();
}

// Makes the names in the folder durable.
Status SyncFolder(const std::filesystem::path& folder) {
  const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some network file systems cannot sync a folder, and say so with EINVAL.
  if (fd.open() && (fsync(fd.get()) == 0 || errno == EINVAL)) return Ok();
  return Failed(folder, errno);
}

Status WriteDurably(const Fd& fd, const std::string& path, std::string_view text) {
  SMP_TRY(WriteAll(fd, path, text));
  if (fsync(fd.get()) != 0) return Failed(path, errno);
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

// The variable's value if it is an absolute path.
std::filesystem::path FolderIn(const char* variable) {
  const char* folder = std::getenv(variable);
  return folder != nullptr && *folder == '/' ? folder : "";
}

Status MakeFolder(const std::filesystem::path& folder) {
  std::error_code unknown;
  if (std::filesystem::exists(folder, unknown)) return Ok();
  SMP_TRY(MakeFolder(folder.parent_path()));
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return Failed(folder, errno);
  return SyncFolder(folder.parent_path());
}

// Whoever may write to a folder may remove or replace the files in it.
bool IsPrivate(const std::filesystem::path& folder) {
  struct stat found = {};
  return stat(folder.c_str(), &found) == 0 && found.st_uid == geteuid() && (found.st_mode & 077) == 0;
}

// "" if there is none that only the user may use.
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
  constexpr std::string_view kStatus[] = {"status"};
  Value root = Without(live.root(), kStatus, arena);
  root = With(
      root, "metadata", [&](const Value& m) { return Without(m, kServerMetadata, arena); }, arena);
  if (IsJob(root)) {
    root = WithoutJobLabels(root, arena);
    root = With(
        root, "spec", [&](const Value& spec) { return WithoutJobSelector(spec, arena); }, arena);
  }
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

}  // namespace smp
