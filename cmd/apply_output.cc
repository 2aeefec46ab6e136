#include "cmd/apply_output.h"

#include <algorithm>
#include <utility>

#include "apply/deletion.h"
#include "apply/last_applied.h"
#include "base/clock.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/apply_summary.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/object_printer.h"
#include "explain/text.h"
#include "kube/brief_message.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp::cmd {

namespace {

using Fate = apply::ObjectResult::Fate;

constexpr size_t kFewObjects = 10;   // with at most this many objects, the names of the failed ones are not repeated
constexpr size_t kMostUntried = 20;  // objects that were not tried; of the rest only the number is printed
constexpr size_t kMostNames = 5;     // in a warning

std::string LabelOf(const apply::Manifest& manifest) {
  return cmd::LabelOf(kube::ObjectRef{manifest.gvk, "", "", manifest.name});
}

Error Labelled(const Result<apply::Manifest>& manifest, Error error) {
  if (!manifest.ok()) return error;
  if (error.source.file.empty()) error.source = manifest->source();
  error.path = StrCat(apply::Label(manifest->gvk, manifest->name), error.path.empty() ? "" : ": ", error.path);
  return error;
}

// Returns what the verb alone does not tell.
std::string_view Remark(const apply::Submitted& submitted) {
  if (submitted.too_large) return " (too large for last-applied)";
  return submitted.last_applied_only ? " (last-applied only)" : "";
}

std::string ResourceName(const kube::ObjectRef& ref) {
  return StrCat(Visible(ref.plural, Newlines::kEscape), "/", Visible(ref.name, Newlines::kEscape));
}

// Returns kubectl's message, which users may recognize.
std::string MissingLastApplied(const std::vector<std::string>& names) {
  return StrCat(names.size() == 1 ? "resource " : "resources ", NameSome(names, kMostNames),
                names.size() == 1 ? " is" : " are", " missing the ", kLastAppliedAnnotation,
                " annotation which is required by apply. apply should only be used on resources created declaratively "
                "by either create --save-config or apply. The missing annotation will be patched automatically.");
}

std::string BeingDeleted(const kube::ObjectRef& ref) {
  return StrCat("Detected changes to resource ", Visible(ref.name, Newlines::kEscape),
                " which is currently being deleted.");
}

// The server does not say why: it drops what a schema does not know, or its admission sets the old value again.
std::string NotKept(const apply::Manifest& manifest, const std::vector<FieldPath>& paths) {
  std::vector<std::string> names;
  for (const FieldPath& path : paths) names.push_back(ToString(path));
  return StrCat(ToString(manifest.source()), ": ", LabelOf(manifest),
                ": the server does not keep what the manifest says of ", NameSome(std::move(names), kMostNames));
}

std::vector<std::string> WarningsOf(const Result<apply::Manifest>& manifest, const apply::ObjectResult& result) {
  std::vector<std::string> out;
  if (result.fate == Fate::kDone && apply::IsBeingDeleted(result.submitted.object.root())) {
    out.push_back(BeingDeleted(*result.ref));
  }
  for (const Error& warning : result.warnings) out.push_back(ToString(Labelled(manifest, warning)));
  if (!result.submitted.not_kept.empty()) out.push_back(NotKept(*manifest, result.submitted.not_kept));
  if (!result.submitted.unasked.empty()) {
    out.push_back(StrCat(LabelOf(*manifest), ": not checked by the server: ", result.submitted.unasked));
  }
  return out;
}

Value SourceValue(const Source& source, Arena& arena) {
  return arena.Object({{"file", arena.String(source.file)}, {"line", Value::Int(source.line)}});
}

Value ErrorValue(const Error& error, Arena& arena) {
  std::vector<Member> members = {{"code", Value::UnownedString(ErrorCodeName(error.code))},
                                 {"message", arena.String(error.message)}};
  if (!error.path.empty()) members.push_back({"path", arena.String(error.path)});
  if (!error.reason.empty()) members.push_back({"reason", arena.String(error.reason)});
  if (error.http_status != 0) members.push_back({"status", Value::Int(error.http_status)});
  return arena.Object(std::move(members));
}

Value ReasonsValue(const std::vector<Reason>& reasons, Arena& arena) {
  std::vector<Value> names;
  for (const Reason reason : reasons) names.push_back(Value::UnownedString(ReasonName(reason)));
  return arena.Array(names);
}

Value PathsValue(const std::vector<FieldPath>& paths, Arena& arena) {
  std::vector<Value> texts;
  for (const FieldPath& path : paths) texts.push_back(arena.String(ToString(path)));
  return arena.Array(texts);
}

Value ResultValue(const Result<apply::Manifest>& manifest, const apply::ObjectResult& result, Arena& arena) {
  std::vector<Member> members = {{"action", Value::UnownedString(ActionOf(result))},
                                 {"tries", Value::Int(result.tries)},
                                 {"milliseconds", Value::Int(result.milliseconds)}};
  if (manifest.ok()) {
    members.push_back({"apiVersion", arena.String(manifest->gvk.ApiVersion())});
    members.push_back({"kind", arena.String(manifest->gvk.kind)});
    members.push_back({"name", arena.String(manifest->name)});
    const std::string& name_space = result.ref ? result.ref->name_space : manifest->name_space;
    if (!name_space.empty()) members.push_back({"namespace", arena.String(name_space)});
  }
  const Source source = manifest.ok() ? manifest->source() : manifest.error().source;
  if (!source.file.empty()) members.push_back({"source", SourceValue(source, arena)});
  if (result.submitted.last_applied_only) members.push_back({"lastAppliedOnly", Value::Bool(true)});
  if (result.submitted.last_applied_lost) members.push_back({"lastAppliedLost", Value::Bool(true)});
  if (!result.submitted.not_kept.empty()) {
    members.push_back({"notKept", PathsValue(result.submitted.not_kept, arena)});
  }
  if (result.submitted.too_large) members.push_back({"tooLarge", Value::Bool(true)});
  if (!result.reasons.empty()) members.push_back({"reasons", ReasonsValue(result.reasons, arena)});
  if (result.error) members.push_back({"error", ErrorValue(*result.error, arena)});
  return arena.Object(std::move(members));
}

std::string PrintResults(const apply::Manifests& manifests, const std::vector<apply::ObjectResult>& results) {
  Arena arena;
  std::vector<Value> objects;
  std::map<std::string_view, int64_t> counts;
  for (size_t i = 0; i < results.size(); ++i) {
    objects.push_back(ResultValue(manifests.items[i], results[i], arena));
    ++counts[ActionOf(results[i])];
  }
  std::vector<Member> summary;
  for (const std::string_view action : Actions()) summary.push_back({action, Value::Int(counts[action])});
  const Value root = arena.Object(
      {{"version", Value::Int(1)}, {"objects", arena.Array(objects)}, {"summary", arena.Object(std::move(summary))}});
  return VisibleJson(WriteIndentedJson(root)) + "\n";
}

}  // namespace

ApplyOutput::ApplyOutput(const apply::Manifests& manifests, Style style, Io& io)
    : manifests_(manifests),
      style_(std::move(style)),
      io_(io),
      errors_(io),
      lines_(manifests.items.size()),
      results_(manifests.items.size()),
      live_(io) {}

void ApplyOutput::Add(apply::ObjectResult result) {
  const size_t index = result.index;
  const Result<apply::Manifest>& manifest = manifests_.items[index];
  if (result.lacks_last_applied && !result.submitted.last_applied_lost) {
    if (style_.as_kubectl || results_.size() == 1) {
      Warn(io_, MissingLastApplied({ResourceName(*result.ref)}));
    } else {
      unrecorded_.push_back(ResourceName(*result.ref));
    }
  }
  for (const std::string& warning : WarningsOf(manifest, result)) Warn(io_, warning);
  if (result.fate == Fate::kFailed) errors_.Tell(Labelled(manifest, Said(*result.error)));
  std::string line = LineOf(manifest, result);
  Keep(std::move(result));
  PrintLine(index, std::move(line));
}

// Differs from kubectl: it prints all that the server says, which may be a whole object.
Error ApplyOutput::Said(Error error) const { return style_.as_kubectl ? error : kube::Brief(std::move(error)); }

std::string ApplyOutput::LineOf(const Result<apply::Manifest>& manifest, const apply::ObjectResult& result) const {
  if (result.fate != Fate::kDone) return {};
  if (style_.format.form == ObjectForm::kName) return StrCat(LabelOf(*manifest), "\n");
  const bool left_out = style_.format.form == ObjectForm::kChanged && result.submitted.done == apply::Done::kUnchanged;
  if (!style_.format.PrintsActions() || left_out) return {};
  return StrCat(LabelOf(*manifest), " ", apply::DoneWord(result.submitted.done), Remark(result.submitted),
                DryRunSuffix(style_.dry_run), "\n");
}

void ApplyOutput::PrintLine(size_t index, std::string line) {
  lines_[index] = std::move(line);
  std::string ready;
  for (; printed_ < lines_.size() && lines_[printed_]; ++printed_) ready += *std::exchange(lines_[printed_], "");
  if (!ready.empty()) Print(io_, ready);
}

void ApplyOutput::Keep(apply::ObjectResult result) {
  if (!style_.format.PrintsObjects()) result.submitted.object = Document();
  results_[result.index] = std::move(result);
}

void ApplyOutput::Show(const apply::Progress& progress) { live_.Show(progress); }

// Names the objects that failed, if there are so many objects that their errors may have scrolled off the screen, and says
// what to do. Differs from kubectl: it prints no summary.
void ApplyOutput::Summarize() {
  const bool any_failed =
      std::ranges::any_of(results_, [](const apply::ObjectResult& result) { return result.fate != Fate::kDone; });
  if (results_.size() < 2 || style_.as_kubectl || (!style_.format.PrintsActions() && !any_failed)) return;
  Tell(io_, StrCat(CountsText(results_, MonotonicMs() - begin_ms_), DryRunSuffix(style_.dry_run), "\n"));
  std::vector<std::string> failed = NamesOfFailed(manifests_, results_);
  if (!failed.empty() && results_.size() > kFewObjects) {
    Tell(io_, FailedText(std::move(failed), TerminalWidth().value_or(explain::TextOptions().width)));
  }
  for (const std::string& way_out : WaysOut(results_, style_.may_force))
    Tell(io_, Visible(way_out, Newlines::kEscape) + "\n");
}

void ApplyOutput::TellOfUntried(bool interrupted) {
  std::vector<std::string> untried;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].fate == Fate::kNotTried) untried.push_back(LabelOf(*manifests_.items[i]));
  }
  const size_t n = untried.size();
  const std::string_view tried = n == 1 ? " more object was not tried" : " more objects were not tried";
  if (n > 0 && !interrupted) (void)Fail(io_, Error::Transport(StrCat(n, tried)), kExitFailed);
  if (!interrupted) return;
  Tell(io_, StrCat("interrupted: ", results_.size() - n, " of ", results_.size(), " objects were tried",
                   n == 0 ? "" : "; these were not:", "\n"));
  for (size_t i = 0; i < std::min(n, kMostUntried); ++i) Tell(io_, StrCat("  ", Visible(untried[i]), "\n"));
  if (n > kMostUntried) Tell(io_, StrCat("  and ", n - kMostUntried, " more\n"));
}

void ApplyOutput::WarnOfLostLastApplied() {
  std::vector<std::string> names;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i].submitted.last_applied_lost) names.push_back(LabelOf(*manifests_.items[i]));
  }
  if (names.empty()) return;
  Warn(io_, StrCat("the server did not keep the last-applied annotation of ", NameSome(std::move(names), kMostNames),
                   ", so the next apply cannot know which fields were removed from the manifest; let the admission "
                   "policy or webhook that removes ",
                   kLastAppliedAnnotation, " keep it, or use --server-side"));
}

int ApplyOutput::Finish(bool interrupted) {
  live_.Stop();
  if (!unrecorded_.empty()) Warn(io_, MissingLastApplied(unrecorded_));
  WarnOfLostLastApplied();
  errors_.Finish();
  TellOfUntried(interrupted);
  Summarize();
  const bool all_done = std::all_of(results_.begin(), results_.end(),
                                    [](const apply::ObjectResult& result) { return result.fate == Fate::kDone; });
  if (style_.format.form == ObjectForm::kResultJson) {
    Print(io_, PrintResults(manifests_, results_));
  } else if (all_done && style_.format.PrintsObjects()) {
    // As in kubectl, objects are printed at the end, and only if everything succeeded.
    std::vector<Document> objects;
    for (const apply::ObjectResult& result : results_) objects.push_back(result.submitted.object);
    const Result<std::string> text = PrintObjects(objects, style_.format);
    if (!text.ok()) return Fail(io_, text.error(), kExitFailed);
    Print(io_, *text);
  }
  if (interrupted) return kExitInterrupted;
  return all_done ? kExitOk : kExitFailed;
}

}  // namespace smp::cmd
