#include "apply/old_object.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/private_file.h"
#include "base/strings.h"
#include "base/user_folders.h"
#include "base/user_programs.h"
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

// --- folders

// Makes the state folder and makes it private, because whoever can write to it can remove or replace the files in it: that
// of another user is not used. The other folders exist, and their permissions are the user's choice.
bool MayUse(const std::filesystem::path& folder) {
  if (folder != StateFolder()) return true;
  return MakeLastingFolder(folder).ok() && MakePrivate(folder);
}

std::vector<std::filesystem::path> Folders() {
  std::vector<std::filesystem::path> out;
  if (std::filesystem::path state = StateFolder(); !state.empty()) out.push_back(std::move(state));
  out.emplace_back(TemporaryRoot());
  std::error_code unknown;
  if (auto here = std::filesystem::current_path(unknown); !unknown) out.push_back(std::move(here));
  return out;
}

// --- files of earlier runs

bool IsFileFor(std::string_view name, std::string_view server_tag) {
  const size_t rest = kRandomPart.size() + kLast.size();
  return name.size() > rest && name.ends_with(kLast) && name.substr(0, name.size() - rest).ends_with(server_tag);
}

std::optional<LeftFile> TakeLeft(const std::string& path) {
  constexpr size_t kMostBytes = size_t{64} << 20;
  Fd lock = LockFile(path);
  if (!lock.open()) return std::nullopt;
  const Result<PrivateText> text = ReadPrivateFile(path, kMostBytes, "the file");
  if (!text.ok()) return std::nullopt;
  Result<Document> object = ParseJson(text->text);
  if (object.ok()) return LeftFile{{path, std::move(lock)}, *std::move(object)};
  (void)std::remove(path.c_str());
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
  if (!folder.empty()) return CreateLockedFile(folder, name, kLast, text);
  std::vector<std::string> failures;
  for (const std::filesystem::path& candidate : Folders()) {
    if (!MayUse(candidate)) continue;
    auto saved = CreateLockedFile(candidate, name, kLast, text);
    if (saved.ok()) return saved;
    failures.push_back(saved.error().message);
  }
  return Error::InvalidArgument(Join(failures, "; "));
}

std::string RestoreCommand(const kube::ObjectRef& ref, const std::string& path) {
  return StrCat("kubectl create --raw ", kube::ObjectPath(kube::CollectionOf(ref)), " -f ", PathInCommand(path));
}

std::vector<LeftFile> FindLeftFiles(const std::string& server) {
  const std::string tag = ServerTag(server);
  std::set<std::string> paths;
  for (const std::filesystem::path& folder : Folders()) {
    for (const std::string& name : NamesThatBegin(folder, kFirst)) {
      if (IsFileFor(name, tag)) paths.insert((folder / name).string());
    }
  }
  std::vector<LeftFile> out;
  for (const std::string& path : paths) {
    if (std::optional<LeftFile> left = TakeLeft(path)) out.push_back(*std::move(left));
  }
  return out;
}

}  // namespace smp::apply
