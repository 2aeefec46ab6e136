#include "lint/kustomizations.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "apply/manifests.h"
#include "value/at.h"

namespace smp::lint {

namespace {

namespace fs = std::filesystem;

// Lists whose items are files, and lists of maps with a `path`.
constexpr std::string_view kFileLists[] = {"patchesStrategicMerge", "transformers", "generators", "validators",
                                           "configurations"};
constexpr std::string_view kPathLists[] = {"patches", "patchesJson6902", "replacements"};

// Texts that are no names of files (a patch may be in the list itself) are the names of none.
std::vector<std::string_view> FilesIn(const Value& kustomization) {
  std::vector<std::string_view> out;
  for (const std::string_view list : kFileLists) {
    for (const Value& item : ItemsAt(kustomization, {list})) {
      if (item.is_string()) out.push_back(item.AsString());
    }
  }
  for (const std::string_view list : kPathLists) {
    for (const Value& item : ItemsAt(kustomization, {list})) out.push_back(item.StringOr("path"));
  }
  return out;
}

std::string Normal(const fs::path& path) { return path.lexically_normal().string(); }

}  // namespace

std::set<size_t> PartsOfKustomizations(const std::deque<SourceFile>& files, const std::deque<Object>& objects) {
  std::set<size_t> out;
  std::map<std::string, size_t> by_name;
  for (const Object& object : objects) {
    if (!apply::IsKustomization(object.document)) continue;
    if (by_name.empty()) {
      for (size_t i = 0; i < files.size(); ++i) by_name.emplace(Normal(files[i].name()), i);
    }
    const fs::path folder = fs::path(files[object.file].name()).parent_path();
    for (const std::string_view name : FilesIn(object.root())) {
      const auto at = by_name.find(Normal(folder / name));
      if (!name.empty() && at != by_name.end()) out.insert(at->second);
    }
  }
  return out;
}

}  // namespace smp::lint
