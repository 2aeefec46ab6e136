#include "apply/old_object.h"

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

Status WriteAll(const Fd& fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(fd.get(), text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return Error::InvalidArgument(std::strerror(errno));
    text.remove_prefix(static_cast<size_t>(done));
  }
  return Ok();
}

Result<std::string> SaveIn(const std::filesystem::path& folder, const std::string& name, std::string_view text) {
  constexpr std::string_view kEnd = ".json";
  std::string path = (folder / StrCat(name, "-XXXXXX", kEnd)).string();
  const Fd fd(mkstemps(path.data(), static_cast<int>(kEnd.size())));  // O_EXCL, 0600
  if (!fd.open()) return Error::InvalidArgument(StrCat(folder.string(), ": ", std::strerror(errno)));
  if (const Status written = WriteAll(fd, text); !written.ok()) {
    (void)unlink(path.c_str());
    return Error::InvalidArgument(StrCat(path, ": ", written.error().message));
  }
  return path;
}

std::string TemporaryFolder() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder == '/' ? folder : "/tmp";
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
  auto saved = SaveIn(folder.empty() ? TemporaryFolder() : folder, name, text);
  if (saved.ok() || !folder.empty()) return saved;
  std::error_code unknown;
  auto here = SaveIn(std::filesystem::current_path(unknown), name, text);
  return here.ok() ? std::move(here) : std::move(saved);
}

}  // namespace smp
