#include "cmd/apply_summary.h"

#include <algorithm>
#include <map>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/text_rows.h"
#include "schema/facts/immutable.h"
#include "yaml/input.h"

namespace smp::cmd {

namespace {

using Fate = apply::ObjectResult::Fate;

constexpr size_t kMostPlaces = 5;
constexpr size_t kMostFailed = 20;  // failed objects

std::string SecondsText(int64_t milliseconds) {
  constexpr int64_t kTenthsShownBelowMs = 100'000;
  if (milliseconds < 1000) return StrCat(milliseconds, " ms");
  if (milliseconds >= kTenthsShownBelowMs) return StrCat(milliseconds / 1000, " s");
  return StrCat(milliseconds / 1000, ".", milliseconds % 1000 / 100, " s");
}

// Returns true if the manifest must change: it cannot be read, or the server or the schema calls it invalid.
bool IsManifestAtFault(const Error& error) {
  if (error.message == yaml::kTemplateMessage) return false;
  constexpr int kBadRequest = 400, kUnprocessable = 422;
  switch (error.code) {
    case ErrorCode::kParse:
    case ErrorCode::kSchema:
    case ErrorCode::kPatchFormat:
    case ErrorCode::kMergeKey: return true;
    default: return error.http_status == kBadRequest || error.http_status == kUnprocessable;
  }
}

// Several objects may be on one line.
void AddOnce(const std::string& place, std::vector<std::string>& places) {
  if (places.empty() || places.back() != place) places.push_back(place);
}

}  // namespace

std::string_view ActionOf(const apply::ObjectResult& result) {
  switch (result.fate) {
    case Fate::kDone: return apply::DoneWord(result.submitted.done);
    case Fate::kFailed: return "failed";
    case Fate::kNotTried: return "not-tried";
  }
  return "not-tried";
}

const std::vector<std::string_view>& Actions() {
  static const std::vector<std::string_view> actions = {
      "created", "configured", "recreated", "unchanged", "serverside-applied", "failed", "not-tried"};
  return actions;
}

std::string CountsText(const std::vector<apply::ObjectResult>& results, int64_t milliseconds) {
  std::map<std::string_view, size_t> counts;
  for (const apply::ObjectResult& result : results) ++counts[ActionOf(result)];
  std::vector<std::string> parts;
  for (const std::string_view action : Actions()) {
    const std::string_view words = action == "not-tried" ? "not tried" : action;
    if (counts[action] > 0) parts.push_back(StrCat(counts[action], " ", words));
  }
  return StrCat(Join(parts, ", "), " in ", SecondsText(milliseconds));
}

std::vector<std::string> NamesOfFailed(const apply::Manifests& manifests,
                                       const std::vector<apply::ObjectResult>& results) {
  std::vector<std::string> out;
  for (const apply::ObjectResult& result : results) {
    if (result.fate != Fate::kFailed) continue;
    const Result<apply::Manifest>& manifest = manifests.items[result.index];
    const std::string place = ToString(manifest.ok() ? manifest->source() : manifest.error().source);
    const std::string name = manifest.ok() ? apply::Label(manifest->gvk, manifest->name) : "";
    out.push_back(name.empty() || place.empty() ? name + place : StrCat(name, " (", place, ")"));
  }
  return out;
}

std::string FailedText(std::vector<std::string> failed, size_t width) {
  explain::TextOptions options;
  options.width = width;
  return explain::PrintWrapped(StrCat("failed: ", NameSome(std::move(failed), kMostFailed)), 0, options);
}

std::vector<std::string> WaysOut(const std::vector<apply::ObjectResult>& results, bool may_force) {
  std::vector<std::string> wrong, immutable;
  bool unanswered = false;
  for (const apply::ObjectResult& result : results) {
    if (result.fate != Fate::kFailed) continue;
    const std::string place = ToString(result.error->source);
    unanswered |= result.error->code == ErrorCode::kTransport && !place.empty();
    if (place.empty() || !IsManifestAtFault(*result.error)) continue;
    AddOnce(place, may_force && IsOnlyImmutableChange(*result.error, std::nullopt) ? immutable : wrong);
  }
  std::vector<std::string> out;
  if (!immutable.empty()) {
    out.push_back(StrCat("undo the change of an immutable field in ", NameSome(std::move(immutable), kMostPlaces),
                         ", or use --force to delete and recreate such objects"));
  }
  if (!wrong.empty()) {
    out.push_back(StrCat("fix ", NameSome(std::move(wrong), kMostPlaces), ", then run the same command again"));
  }
  if (out.empty() && unanswered) out.emplace_back("run the same command again when the server answers");
  return out;
}

}  // namespace smp::cmd
