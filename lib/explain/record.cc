#include "explain/record.h"

#include <set>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "explain/message.h"
#include "value/json.h"
#include "value/path.h"

namespace smp::explain {

namespace {

// The topmost paths at which two values differ.
struct Differences {
  std::vector<FieldPath> gained, lost, changed;
};

class Comparison {
 public:
  // Recursion depth: that of the values.
  void Compare(const Value& before, const Value& after) {
    if (before == after) return;
    if (before.is_object() && after.is_object()) return CompareMaps(before, after);
    if (before.is_array() && after.is_array() && before.size() == after.size()) return CompareItems(before, after);
    found.changed.push_back(path_);
  }

  Differences found;

 private:
  void CompareMaps(const Value& before, const Value& after) {
    std::set<std::string_view> names;
    for (const Value* map : {&before, &after}) {
      for (const Member& m : map->Members()) names.insert(m.name);
    }
    for (const std::string_view name : names) CompareBelow(PathStep::Field(name), before.Find(name), after.Find(name));
  }

  void CompareItems(const Value& before, const Value& after) {
    for (size_t i = 0; i < before.size(); ++i) {
      CompareBelow(PathStep::Index(static_cast<int64_t>(i)), &before.Items()[i], &after.Items()[i]);
    }
  }

  void CompareBelow(const PathStep& step, const Value* before, const Value* after) {
    path_.push_back(step);
    if (before == nullptr) found.gained.push_back(path_);
    if (after == nullptr) found.lost.push_back(path_);
    if (before != nullptr && after != nullptr) Compare(*before, *after);
    path_.pop_back();
  }

  FieldPath path_;
};

void AddPart(std::string_view words, const std::vector<FieldPath>& paths, std::vector<std::string>& parts) {
  if (!paths.empty()) parts.push_back(StrCat(words, " ", NamedPaths(paths)));
}

std::string Sentence(const Differences& found) {
  std::vector<std::string> parts;
  AddPart("now records", found.gained, parts);
  AddPart("no longer records", found.lost, parts);
  AddPart("records another value for", found.changed, parts);
  return parts.empty() ? "records the same manifest in another notation" : Join(parts, "; ");
}

}  // namespace

std::string RecordMessage(const Value* before, const Value* after) {
  if (before == nullptr || !before->is_string()) return "records the manifest for the first time";
  const Result<Document> old = ParseJson(before->AsString());
  const Result<Document> now = after != nullptr && after->is_string() ? ParseJson(after->AsString()) : Document();
  if (!old.ok() || !now.ok()) return "records the manifest again";
  Comparison comparison;
  comparison.Compare(old->root(), now->root());
  return Sentence(comparison.found);
}

}  // namespace smp::explain
