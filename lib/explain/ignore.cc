#include "explain/ignore.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "value/metadata.h"
#include "value/path_match.h"
#include "value/redact.h"

namespace smp::explain {

namespace {

// --- reading

// Returns the place of the colon after a kind; npos if there is none. A path may have colons in brackets and quotes.
size_t EndOfKind(std::string_view text) {
  const size_t end = text.find_first_of(":[\"");
  return end != text.npos && text[end] == ':' ? end : text.npos;
}

bool IsNamePart(std::string_view text) {
  constexpr std::string_view kCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
  return !text.empty() && text.find_first_not_of(kCharacters) == text.npos;
}

// Reads KIND[.GROUP][/NAME].
Status ReadObjects(std::string_view text, IgnoredPath& out) {
  const size_t slash = text.find('/');
  const std::string_view type = text.substr(0, slash);
  const size_t dot = type.find('.');
  out.kind = ToLower(type.substr(0, dot));
  if (dot != type.npos) out.group = type.substr(dot + 1);
  if (slash != text.npos) out.name = text.substr(slash + 1);
  const bool valid = IsNamePart(out.kind) && (dot == type.npos || IsNamePart(out.group)) &&
                     (slash == text.npos || (!out.name.empty() && out.name.find('/') == out.name.npos));
  if (valid) return Ok();
  return Error::InvalidArgument(
      "expected KIND, KIND.GROUP or KIND/NAME before the colon, as in Deployment:spec.replicas");
}

Status CheckSteps(const PathPattern& pattern) {
  if (pattern.empty()) return Error::InvalidArgument("must specify the path of a field, such as spec.replicas");
  const auto is_index = [](const auto& step) { return step && step->kind == PathStep::Kind::kIndex; };
  if (std::ranges::none_of(pattern, is_index)) return Ok();
  return Error::InvalidArgument(
      "an index does not identify an item of a list; name the item by its keys, as in [name=web], or all with [*]");
}

// A # in quotes or brackets is part of a key.
std::string_view WithoutComment(std::string_view line) {
  bool quoted = false;
  int depth = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    const bool begins = i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t';
    if (c == '#' && begins && !quoted && depth == 0) return line.substr(0, i);
  }
  return line;
}

// --- which rows

// Finds the items that a step names by fields that the path of a row does not have.
class NamedItems {
 public:
  explicit NamedItems(const IgnoreIn& objects) : objects_(objects) {}

  // Returns true if the step names the item at `path[i]`.
  bool Names(const PathStep& step, const FieldPath& path, size_t i) {
    const FieldPath list(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i));
    std::vector<std::string> keys;
    for (const auto& [name, value] : path[i].keys) keys.push_back(name);
    const auto [found, is_new] = items_.try_emplace(StrCat(ToString(list), "\n", ToString(step)));
    if (is_new) Find(step, list, keys, found->second);
    return found->second.contains(ToString(path[i]));
  }

 private:
  void Find(const PathStep& step, const FieldPath& list, const std::vector<std::string>& keys,
            std::set<std::string>& out) const {
    for (const Value* object : {&objects_.live, &objects_.modified}) {
      const Value* items = ValueAt(*object, list);
      if (items == nullptr || !items->is_array()) continue;
      for (const Value& item : items->Items()) {
        if (item.is_object() && NamesItem(step, item, -1)) out.insert(ToString(KeyStep(item, keys)));
      }
    }
  }

  const IgnoreIn objects_;
  std::map<std::string, std::set<std::string>> items_;  // of each list and step, as they are in paths
};

bool HasKeysOf(const PathStep& item, const PathStep& step) {
  return std::ranges::all_of(step.keys,
                             [&](const auto& key) { return std::ranges::find(item.keys, key) != item.keys.end(); });
}

// Returns true if nothing is written or deleted but what the patterns, which lead into the row's value, name.
bool IsSameWithout(const std::vector<PatternSteps>& patterns, const ReportRow& row) {
  if (row.op == RowOp::kSet ? row.outcome == nullptr : row.op != RowOp::kDelete) return false;
  Arena arena;
  const auto rest = [&](const Value* value) {
    Value out = value == nullptr ? Value() : *value;
    for (const PatternSteps steps : patterns) out = WithoutNamed(out, steps, arena);
    const bool nothing = !out.is_scalar() && out.empty();
    return nothing ? Value() : out;
  };
  return rest(row.live) == rest(row.op == RowOp::kDelete ? nullptr : row.outcome);
}

// Finds the patterns that may match a row without a look at each of them: there may be thousands of both.
class PatternIndex {
 public:
  explicit PatternIndex(const std::vector<IgnoredPath>& paths) {
    for (size_t i = 0; i < paths.size(); ++i) Add(paths[i].pattern, i);
  }

  // Returns their indices in ascending order. REQUIRES: no step of the path is an element, which a name may mean, too.
  std::vector<size_t> For(const FieldPath& path) const {
    std::vector<size_t> out = others_;
    const auto add = [&](const Patterns& patterns, const std::string& key) {
      const auto found = patterns.find(key);
      if (found != patterns.end()) out.insert(out.end(), found->second.begin(), found->second.end());
    };
    std::string key;
    const auto end =
        std::ranges::find_if(path, [](const PathStep& step) { return step.kind != PathStep::Kind::kField; });
    for (auto step = path.begin(); step != end; ++step) add(whole_, Append(key, *step));
    if (end == path.end()) add(longer_, key);
    const auto found = out.begin() + static_cast<std::ptrdiff_t>(others_.size());
    std::sort(found, out.end());
    std::inplace_merge(out.begin(), found, out.end());
    return out;
  }

 private:
  using Patterns = TextMap<std::vector<size_t>>;

  // Two paths may have one key: the patterns found are compared with the path.
  static const std::string& Append(std::string& key, const PathStep& step) { return key.append(step.name) += '\n'; }

  void Add(const PathPattern& pattern, size_t i) {
    const auto is_name = [](const auto& step) { return step && step->kind == PathStep::Kind::kField; };
    if (!std::ranges::all_of(pattern, is_name)) return others_.push_back(i);
    std::string key;
    for (const auto& step : pattern) {
      longer_[key].push_back(i);
      Append(key, *step);
    }
    whole_[key].push_back(i);
  }

  Patterns whole_, longer_;     // of names alone: by the whole path, by what it begins with
  std::vector<size_t> others_;  // with wildcards, keys of items and elements
};

class Matcher {
 public:
  Matcher(const std::vector<IgnoredPath>& paths, const IgnoreIn& objects)
      : paths_(paths), index_(paths), items_(objects) {}

  // Returns the path that the row is ignored by, one of several; nullptr if it is not.
  const IgnoredPath* Find(const ReportRow& row) {
    std::vector<PatternSteps> below;
    const IgnoredPath* by = nullptr;
    for (const size_t i : Candidates(row.path)) {
      const IgnoredPath& path = paths_[i];
      const PatternSteps steps = path.pattern;
      const size_t common = std::min(steps.size(), row.path.size());
      if (!MatchesSteps(steps.first(common), row.path)) continue;
      by = &path;
      if (common == steps.size()) return by;
      below.push_back(steps.subspan(common));
    }
    return !below.empty() && IsSameWithout(below, row) ? by : nullptr;
  }

 private:
  std::vector<size_t> Candidates(const FieldPath& path) const {
    const auto is_element = [](const PathStep& step) { return step.kind == PathStep::Kind::kElement; };
    if (std::ranges::none_of(path, is_element)) return index_.For(path);
    std::vector<size_t> all(paths_.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
  }

  bool MatchesSteps(PatternSteps steps, const FieldPath& path) {
    for (size_t i = 0; i < steps.size(); ++i) {
      if (steps[i] && !MatchesStep(*steps[i], path, i)) return false;
    }
    return true;
  }

  bool MatchesStep(const PathStep& step, const FieldPath& path, size_t i) {
    const PathStep& at = path[i];
    switch (at.kind) {
      case PathStep::Kind::kField: return NamesField(step, at.name);
      case PathStep::Kind::kElement: return step == at || step == FieldOf(at);
      case PathStep::Kind::kKey: return step.kind == at.kind && (HasKeysOf(at, step) || items_.Names(step, path, i));
      case PathStep::Kind::kIndex: return false;
    }
    return false;
  }

  // In a path, a quoted name may mean a field or an element of a set.
  static PathStep FieldOf(const PathStep& element) {
    const Result<Document> value = ParseJson(element.element);
    return value.ok() && value->root().is_string() ? PathStep::Field(value->root().AsString()) : element;
  }

  const std::vector<IgnoredPath>& paths_;
  const PatternIndex index_;
  NamedItems items_;
};

// Returns those that are meant for the object, as they name fields of live.
std::vector<IgnoredPath> MeantFor(const std::vector<IgnoredPath>& paths, const Value& object) {
  std::vector<IgnoredPath> out;
  for (const IgnoredPath& path : paths) {
    if (!IsMeantFor(path, object)) continue;
    out.push_back(path);
    if (IsSecret(object)) LeadIntoData(out.back().pattern);
  }
  return out;
}

// --- the states of -o diff

void TakeOutOfStates(const std::vector<IgnoredPath>& paths, ObjectReport& report) {
  if (!report.states) return;
  if (!report.differs()) return report.states.reset();
  Arena arena;
  arena.Retain(report.states->memory);
  for (Value* state : {&report.states->before, &report.states->after}) {
    for (const IgnoredPath& path : paths) *state = WithoutNamed(*state, path.pattern, arena);
  }
  report.states->memory = Document(std::move(arena), Value());
}

}  // namespace

Result<IgnoredPath> ParseIgnoredPath(std::string_view text, std::string_view by) {
  IgnoredPath out;
  out.by = by;
  out.text = text;
  const size_t colon = EndOfKind(text);
  if (colon != text.npos) SMP_TRY(ReadObjects(text.substr(0, colon), out));
  SMP_ASSIGN(out.pattern, ParsePathPattern(colon == text.npos ? text : text.substr(colon + 1)));
  SMP_TRY(CheckSteps(out.pattern));
  return out;
}

Result<std::vector<IgnoredPath>> ParseIgnoreFile(std::string_view text, const std::string& file) {
  std::vector<IgnoredPath> out;
  int number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the byte order mark of editors on Windows
  for (const std::string_view raw : Split(text, '\n')) {
    ++number;
    const std::string_view line = Trim(WithoutComment(raw));
    if (line.empty()) continue;
    Result<IgnoredPath> path = ParseIgnoredPath(line, file);
    if (!path.ok()) return Error{ErrorCode::kParse, path.error().message, {}, Source{file, number}};
    out.push_back(*std::move(path));
    out.back().source = Source{file, number};
  }
  return out;
}

bool IsMeantFor(const IgnoredPath& path, const Value& object) {
  return (path.kind.empty() || ToLower(object.StringOr("kind")) == path.kind) &&
         (path.group.empty() || GroupOf(object.StringOr("apiVersion")) == path.group) &&
         (path.name.empty() || TextAt(object, {"metadata", "name"}) == path.name);
}

bool NamesPartOf(const IgnoredPath& path, const Value& object) {
  PathPattern pattern = path.pattern;
  if (IsSecret(object)) LeadIntoData(pattern);
  return NamesPart(pattern, object);
}

void TakeOutIgnored(const std::vector<IgnoredPath>& paths, const IgnoreIn& objects, ObjectReport& report) {
  const bool changes = report.action == Action::kChange || report.action == Action::kRecord;
  if (paths.empty() || (!changes && report.action != Action::kUnchanged)) return;
  const std::vector<IgnoredPath> meant = MeantFor(paths, objects.modified);
  Matcher matcher(meant, objects);
  std::erase_if(report.rows, [&](const ReportRow& row) {
    const IgnoredPath* by = matcher.Find(row);
    if (by == nullptr) return false;
    ++report.hidden.ignored;
    report.ignored_by.insert(by->by);
    return true;
  });
  if (report.hidden.ignored > 0 && !HasChange(report)) report.action = Action::kUnchanged;
  TakeOutOfStates(meant, report);
}

}  // namespace smp::explain
