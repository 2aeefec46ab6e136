#include "apply/pipeline.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <ranges>
#include <utility>

#include "apply/apply_set.h"
#include "apply/ask_server.h"
#include "apply/chosen_server_side.h"
#include "apply/guard.h"
#include "apply/harm.h"
#include "apply/keep_annotation.h"
#include "apply/kind_hints.h"
#include "apply/last_applied.h"
#include "apply/new_kinds.h"
#include "apply/reviewed_apply.h"
#include "apply/selection.h"
#include "apply/step_queue.h"
#include "apply/version_loss.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "kube/status_error.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

// Returns the references of the step's objects, except those of unknown kinds; empty if a LIST is not worthwhile.
std::vector<kube::ObjectRef> WantedBy(const Step& step, const Manifests& manifests, const Target& target) {
  std::vector<kube::ObjectRef> wanted;
  if (step.size() < LiveObjects::kFewest) return wanted;
  for (const size_t i : step) {
    if (target.schemas->unreachable()) return {};
    if (auto ref = FindRef(*manifests.items[i], target); ref.ok()) wanted.push_back(*std::move(ref));
  }
  return wanted;
}

// Returns where the objects of a small input are supposed to be; a large one is listed.
std::vector<kube::ObjectRef> Supposed(const Manifests& manifests, const Target& target) {
  std::vector<kube::ObjectRef> out;
  if (manifests.items.size() >= LiveObjects::kFewest) return out;
  for (const Result<Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    if (auto ref = GuessRef(*manifest, target)) out.push_back(*std::move(ref));
  }
  return out;
}

// Returns true if the input may provide what is missing: a namespace, kind, service account, webhook's Service, or a node port or an
// address that another of its Services gives up.
bool MayBeCured(const Error& error) {
  constexpr int kInternalError = 500;
  const auto says = [&](std::string_view words) { return error.message.find(words) != error.message.npos; };
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kForbidden ||
         (error.http_status == kInternalError && says("webhook")) ||
         (error.http_status == kube::kInvalidStatus && says("already allocated"));
}

// After this many consecutive objects without a response, the server is considered gone and the remaining objects are
// not tried.
constexpr int kMostUnanswered = 20;

// Counts consecutive objects without a response. Called from several threads, hence the atomic counter: no increment or
// reset may be lost.
class Unanswered {
 public:
  void Count(bool answered) {
    if (answered) {
      n_ = 0;
    } else {
      ++n_;
    }
  }
  bool server_is_gone() const { return n_ >= kMostUnanswered; }

 private:
  std::atomic<int> n_ = 0;
};

bool IsUnanswered(const std::optional<Error>& error) { return error && error->code == ErrorCode::kTransport; }

// The server lists a kind a moment before it takes its objects.
bool IsNotTakenYet(const ObjectResult& result) { return result.error && result.error->reason == kube::kNoSuchPath; }

// The server judges an object by the former CRD for a moment after it stored the new one. Source: apiextensions-apiserver,
// customresource_handler.go: each server learns of a change from its own watch. An unknown field is then one of the new
// CRD, as Prepare refuses the others; a value may be wrong by both.
bool IsUnknownToFormer(const ObjectResult& result) {
  return result.error && result.error->message.find("strict decoding error: unknown field") != std::string::npos;
}

bool IsRefusedValue(const ObjectResult& result) {
  return result.error && result.error->http_status == kube::kInvalidStatus;
}

constexpr int kMostRounds = 8;   // in which objects that others may have cured are tried again
constexpr int kMostReviews = 5;  // of an object that changes again and again

// kLongestFormerMs: since the kind was found to be served.
constexpr int64_t kLongestUntilTakenMs = 10'000, kLongestFormerMs = 2'000, kPauseUntilTakenMs = 200;

// A dry run does not store the migration from client-side apply, so its answer lacks what the apply would then remove.
bool HidesMigration(const Document& live, const ServerSideOptions& options) {
  if (!options.dry_run) return false;
  Arena arena;
  return EntriesAfterMigration(live.root(), options.field_manager, arena) != ManagedFields(live.root());
}

class Pipeline {
 public:
  Pipeline(const Manifests& manifests, const Target& target, const PipelineOptions& options,
           const PipelineEvents& events)
      : manifests_(manifests),
        target_(target),
        options_(options),
        events_(events),
        live_(*target.client, *options.submit.clock),
        definitions_(DefinitionsOf(manifests)),
        new_kinds_(*target.client, *target.schemas, *options.submit.clock),
        hints_(*target.client) {
    target_.read_ahead = &live_;
    target_.definitions = options.submit.dry_run == DryRun::kNone ? &brought_ : &definitions_;
    progress_.total = manifests.items.size();
  }

  void Run() {
    ReportUnreadable();
    live_.GuessAhead(Supposed(manifests_, target_));
    const std::vector<Step> steps = StepsOf(manifests_, options_.order, target_.name_space, definitions_);
    progress_.steps = steps.size();
    for (const Step& step : steps) {
      ++progress_.step;
      RunStep(step);
    }
    // What one round cures another object may have waited for: a node port that is passed on.
    for (int round = 1; round <= kMostRounds && !held_back_.empty(); ++round) {
      last_chance_ = round == kMostRounds;
      if (!RunAgain(steps)) break;
    }
    for (auto& [_, held] : held_back_) Report(std::move(held.result));
  }

 private:
  struct HeldBack {
    ObjectResult result;
    size_t successes = 0;  // successes_ before this object was tried
  };

  void ReportUnreadable() {
    for (size_t i = 0; i < manifests_.items.size(); ++i) {
      const Result<Manifest>& manifest = manifests_.items[i];
      if (!manifest.ok()) {
        Report({.index = i, .fate = ObjectResult::Fate::kFailed, .error = manifest.error()});
      }
    }
  }

  void RunStep(const Step& step) {
    DropSettled();
    const SplitStep split = Split(step);
    ReadAhead(split.ready);
    RunSplit(split, ThreadsFor(split.ready));
  }

  // Finds the objects of kinds that the input has just brought. The schema of such a kind is then the input's: the server
  // publishes it only a moment after it serves the kind.
  SplitStep Split(const Step& step) {
    SplitStep split;
    for (const size_t i : step) {
      const GroupVersionKind& kind = manifests_.items[i]->gvk;
      (new_kinds_.IsToAwait(kind) ? split.waiting[kind] : split.ready).push_back(i);
    }
    for (const auto& [kind, objects] : split.waiting) {
      const auto defined = definitions_.kinds.find(kind);
      if (defined != definitions_.kinds.end()) brought_.kinds.insert(*defined).first->second.stored = true;
    }
    return split;
  }

  void RunSplit(const SplitStep& split, int threads) {
    StepQueue queue(split);
    const auto run = [&] { ParallelFor(queue.size(), threads, [&](size_t) { RunOne(queue.Next()); }); };
    if (split.waiting.empty()) return run();
    ParallelFor(2, 2, [&](size_t i) { i == 0 ? AwaitKinds(split, queue) : run(); });
  }

  void ReadAhead(const Step& step) {
    if (step.size() >= LiveObjects::kFewest) Doing(StrCat("reading ", step.size(), " live objects"));
    live_.ReadAhead(WantedBy(step, manifests_, target_), options_.parallel);
  }

  // Looks up the first object before the others: if the server is unreachable, that object shall report it.
  int ThreadsFor(const Step& step) const {
    if (step.size() > 1 && !Stopped()) (void)FindRef(*manifests_.items[step.front()], target_).ok();
    return target_.schemas->unreachable() ? 1 : options_.parallel;
  }

  // Returns true if there was an object to try again.
  bool RunAgain(const std::vector<Step>& steps) {
    bool any = false;
    for (const Step& step : steps) {
      const Step again = TakeCurable(step);
      any = any || !again.empty();
      RunSplit(Split(again), options_.parallel);
    }
    return any;
  }

  // Takes those of the step that were held back before the last success.
  Step TakeCurable(const Step& step) {
    Step out;
    for (const size_t i : step) {
      const auto held = held_back_.find(i);
      if (held == held_back_.end() || held->second.successes >= successes_ || Stopped()) continue;
      held_back_.erase(held);
      out.push_back(i);
    }
    return out;
  }

  bool Stopped() const { return options_.submit.clock->interrupted(); }

  void RunOne(size_t index) {
    if (Stopped() || told_unreachable_ || unanswered_.server_is_gone()) return Report({.index = index});
    const size_t successes = successes_;
    const int64_t begin = options_.submit.clock->NowMs();
    ObjectResult result = ApplyWhenServed(index);
    result.milliseconds = options_.submit.clock->NowMs() - begin;
    // If the server is unreachable, only the first object reports the error; the others are kNotTried.
    if (target_.schemas->unreachable() && told_unreachable_.exchange(true)) return Report({.index = index});
    unanswered_.Count(!IsUnanswered(result.error));
    NoteSettled(result);
    if (result.fate == ObjectResult::Fate::kFailed && !last_chance_ && MayBeCured(*result.error)) {
      return HoldBack(std::move(result), successes);
    }
    if (result.fate == ObjectResult::Fate::kDone && result.submitted.done != Done::kUnchanged) ++successes_;
    Report(std::move(result));
  }

  ObjectResult ApplyWhenServed(size_t index) {
    const std::optional<NewKind> kind = new_kinds_.Find(manifests_.items[index]->gvk);
    if (kind && !kind->served.ok()) return Failed({.index = index}, kind->served.error());
    const auto apply = [&] { return options_.server_side ? ApplyOnServer(index) : Apply(index); };
    ObjectResult result = apply();
    if (!kind) return result;
    for (int64_t waited = 0; IsTooEarly(result, *kind) && waited < kLongestUntilTakenMs; waited += kPauseUntilTakenMs) {
      if (!options_.submit.clock->SleepMs(kPauseUntilTakenMs)) break;
      result = apply();
    }
    return result;
  }

  bool IsTooEarly(const ObjectResult& result, const NewKind& kind) const {
    const bool is_new = options_.submit.clock->NowMs() - kind.since_ms < kLongestFormerMs;
    return IsNotTakenYet(result) || IsUnknownToFormer(result) || (is_new && IsRefusedValue(result));
  }

  ObjectResult Apply(size_t index) {
    ObjectResult out = {.index = index};
    const Manifest& manifest = *manifests_.items[index];
    Result<Prepared> prepared = Prepare(manifest, target_);
    if (!prepared.ok()) return Failed(std::move(out), std::move(prepared).error());
    out.ref = prepared->ref;
    out.lacks_last_applied = prepared->lacks_last_applied();
    out.unmatched = prepared->unmatched;
    TakeFindings(*prepared, out);
    std::move(prepared->deviations.begin(), prepared->deviations.end(), std::back_inserter(out.warnings));
    if (prepared->refusal) out.warnings.push_back(*prepared->refusal);
    Result<Submitted> submitted = Submit(*prepared, target_, options_.submit);
    out.tries = prepared->tries;
    out.reasons = ReasonsOf(*prepared);
    if (!submitted.ok()) return Failed(std::move(out), std::move(submitted).error());
    if (target_.planning.dialect != compat::Dialect::kKubectl) AddHarm(*prepared, out);
    if (prepared->live) out.set_left = SetLeftBy(prepared->live->root(), submitted->object.root());
    return Finished(std::move(out), *std::move(submitted));
  }

  static void TakeFindings(Prepared& prepared, ObjectResult& out) {
    out.warnings = std::move(prepared.type_errors);
    std::move(prepared.duplicates.begin(), prepared.duplicates.end(), std::back_inserter(out.warnings));
  }

  // Differs from kubectl: it takes fields from controllers, and drops items of others, without a word.
  static void AddHarm(const Prepared& prepared, ObjectResult& out) {
    std::vector<std::string> lines = HarmWarnings(prepared);
    const std::string conflicts = prepared.server_side ? TakeoverWarning(prepared) : ConflictWarning(prepared);
    for (std::string line : {conflicts, AdoptionWarning(prepared)}) {
      if (!line.empty()) lines.push_back(std::move(line));
    }
    lines.insert(lines.end(), prepared.notes.begin(), prepared.notes.end());
    for (std::string& line : lines) out.warnings.push_back(Error{ErrorCode::kConflict, std::move(line)});
  }

  ObjectResult ApplyOnServer(size_t index) {
    ObjectResult out = {.index = index};
    const Manifest& manifest = *manifests_.items[index];
    Result<kube::ObjectRef> ref = FindRef(manifest, target_);
    if (!ref.ok()) return Failed(std::move(out), std::move(ref).error());
    out.ref = *ref;
    Result<std::optional<Prepared>> checked = CheckForServer(manifest, out);
    if (!checked.ok()) return Failed(std::move(out), std::move(checked).error());
    out.tries = 1;
    const bool reviewed = options_.submit.approve != nullptr;
    std::optional<Document> live = reviewed ? std::nullopt : LiveBefore(*ref);
    if (live && *checked) TellLoss(**std::move(checked), *live, out);
    ServerSideOptions options = *options_.server_side;
    options.warn = [&out](const std::string& text) { out.warnings.push_back(Error{ErrorCode::kServer, text}); };
    if (std::string text = KeepsNothingServerSide(manifest.document.root()); !text.empty()) options.warn(text);
    Result<Document> object =
        reviewed ? ApplyReviewed(manifest, options, live)
                 : ApplyServerSide(*target_.client, *ref, DocumentIn(manifest, ref->name_space), options);
    if (!object.ok() && options.dry_run && LacksNamespaceOfInput(*ref, object.error(), target_)) {
      return Finished(std::move(out), {.done = Done::kServerSide,
                                       .object = DocumentIn(manifest, ref->name_space),
                                       .unasked = std::string(kNamespaceNotThere)});
    }
    if (!object.ok()) return Failed(std::move(out), std::move(object).error());
    if (live) out.set_left = SetLeftBy(live->root(), object->root());
    const bool changed = !live || HidesMigration(*live, options) || HasChanged(*live, *object, options_.submit.dry_run);
    return Finished(std::move(out), {changed ? Done::kServerSide : Done::kUnchanged, *std::move(object)});
  }

  // Finds what the server would refuse. A subresource takes only a part of the manifest, so all is left to the server: returns nullopt.
  Result<std::optional<Prepared>> CheckForServer(const Manifest& manifest, ObjectResult& out) const {
    if (!options_.server_side->subresource.empty()) return std::optional<Prepared>();
    SMP_ASSIGN(Prepared resolved, Resolve(manifest, target_));
    TakeFindings(resolved, out);
    return std::optional(std::move(resolved));
  }

  void TellLoss(Prepared resolved, const Document& live, ObjectResult& out) const {
    resolved.live = live;
    NoteLossByWrite(resolved, target_);
    for (std::string& line : resolved.notes) out.warnings.push_back(Error{ErrorCode::kConflict, std::move(line)});
  }

  // Sends only what was approved for the object as it is. Plans and asks again if the object has changed since. Sets `live`.
  Result<Document> ApplyReviewed(const Manifest& manifest, ServerSideOptions options, std::optional<Document>& live) {
    SMP_ASSIGN(Prepared prepared, Prepare(manifest, target_));
    for (int tries = 1;; ++tries) {
      SMP_TRY(options_.submit.Approved(prepared));
      live = prepared.live;
      if (options.subresource.empty() && IsRecordedAlready(prepared)) return *prepared.live;
      SMP_ASSIGN(const bool may_send, MaySend(prepared, options_.submit, [&] {
                   return RehearseServerSide(prepared, target_, options.field_validation);
                 }));
      if (!may_send) return *prepared.live;
      options.guard = GuardOf(live, options.dry_run);
      options.may_change = !ShowsNoChange(prepared);
      options.keeps_removed = prepared.server_side && prepared.server_side->keeps_removed;
      Result<Document> answer = ApplyServerSide(*target_.client, prepared.ref, prepared.manifest, options);
      if (answer.ok() || answer.error().code != ErrorCode::kConflict || tries == kMostReviews) return answer;
      SMP_TRY(PrepareAgain(prepared, target_));
      if (GuardOf(prepared.live, options.dry_run) == options.guard) return answer;  // a conflict of managers
    }
  }

  // Differs from kubectl: it does not read the object, and says "serverside-applied" also if nothing has changed. nullopt
  // if the object does not exist or may not be read.
  std::optional<Document> LiveBefore(const kube::ObjectRef& ref) {
    std::optional<LiveObjects::Listed> listed = live_.Take(ref);
    Result<Document> live = listed ? std::move(listed->live) : target_.client->Get(ref);
    if (!live.ok()) return std::nullopt;
    SecretRegistry::Instance().Remember(live->root());
    return *std::move(live);
  }

  ObjectResult Finished(ObjectResult out, Submitted submitted) {
    out.submitted = std::move(submitted);
    NoteDefinition(out);
    out.fate = ObjectResult::Fate::kDone;
    return out;
  }

  ObjectResult Failed(ObjectResult out, Error error) const {
    if (error.source.file.empty()) error.source = manifests_.items[out.index]->source();
    out.fate = ObjectResult::Fate::kFailed;
    out.error = std::move(error);
    return out;
  }

  void NoteDefinition(const ObjectResult& result) {
    if (options_.submit.dry_run != DryRun::kNone || result.submitted.done == Done::kUnchanged) return;
    new_kinds_.Note(*manifests_.items[result.index], *result.ref, result.submitted.object.root());
  }

  // Remembers a CRD or Namespace that changes nothing in this dry run, because the server refuses it or has it already.
  void NoteSettled(const ObjectResult& result) {
    const bool changes = result.fate == ObjectResult::Fate::kDone && result.submitted.done != Done::kUnchanged;
    if (options_.submit.dry_run == DryRun::kNone || changes) return;
    const Manifest& manifest = *manifests_.items[result.index];
    if (!kube::IsDefinition(manifest.gvk) && !kube::IsNamespace(manifest.gvk)) return;
    const std::lock_guard lock(mutex_);
    settled_.push_back(&manifest);
  }

  // What such a CRD defines is then as the server has it.
  void DropSettled() {
    for (const Manifest* definition : std::exchange(settled_, {})) {
      if (kube::IsNamespace(definition->gvk)) definitions_.namespaces.erase(definition->name);
      std::erase_if(definitions_.kinds, [&](const auto& kind) { return kind.second.definition == definition; });
    }
  }

  // Releases the objects of each kind when the server is ready for them.
  void AwaitKinds(const SplitStep& split, StepQueue& queue) {
    const auto kinds = std::views::keys(split.waiting);
    const auto release = [&](const GroupVersionKind& kind) {
      if (new_kinds_.Find(kind)->served.ok()) ReadAhead(split.waiting.at(kind));
      queue.Release(kind);
    };
    const auto on_wait = [&](const kube::ObjectRef& ref) { Doing(StrCat("waiting for ", Label(ref.gvk, ref.name))); };
    new_kinds_.Await({kinds.begin(), kinds.end()}, release, on_wait);
  }

  void HoldBack(ObjectResult result, size_t successes) {
    const std::lock_guard lock(mutex_);
    const size_t index = result.index;
    held_back_.insert_or_assign(index, HeldBack{std::move(result), successes});
  }

  void Report(ObjectResult result) {
    if (result.fate == ObjectResult::Fate::kFailed) Explain(result);
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    progress_.doing.clear();
    events_.on_result(std::move(result));
    if (events_.on_progress) events_.on_progress(progress_);
  }

  // Differs from kubectl: of every unknown kind it says "ensure CRDs are installed first".
  void Explain(ObjectResult& result) {
    const Result<Manifest>& manifest = manifests_.items[result.index];
    if (!manifest.ok() || target_.planning.dialect == compat::Dialect::kKubectl) return;
    if (kube::IsDefinition(manifest->gvk)) hints_.AddFailed(*manifest);
    result.error = hints_.Explained(*std::move(result.error), manifest->gvk);
  }

  void Doing(std::string what) {
    const std::lock_guard lock(mutex_);
    progress_.doing = std::move(what);
    if (events_.on_progress) events_.on_progress(progress_);
  }

  const Manifests& manifests_;
  Target target_;
  const PipelineOptions& options_;
  const PipelineEvents& events_;
  LiveObjects live_;
  InputDefinitions definitions_;  // changed between steps only
  std::mutex mutex_;
  Progress progress_;
  InputDefinitions brought_;  // of these, the kinds that were written in this run
  NewKinds new_kinds_;
  std::vector<const Manifest*> settled_;  // CRDs and Namespaces, since the step began; guarded by mutex_
  std::map<size_t, HeldBack> held_back_;
  std::atomic<size_t> successes_ = 0;  // objects that were changed
  bool last_chance_ = false;
  std::atomic<bool> told_unreachable_ = false;
  Unanswered unanswered_;
  KindHints hints_;
};

Step AllOf(const Manifests& manifests) {
  Step all;
  for (size_t i = 0; i < manifests.items.size(); ++i) {
    if (manifests.items[i].ok()) all.push_back(i);
  }
  return all;
}

Error AtObject(Error error, const Manifest& manifest) {
  error.source = manifest.source();
  error.path.clear();
  return error;
}

// Counts the objects that are read, in several threads.
class ReadingProgress {
 public:
  ReadingProgress(size_t total, const std::function<void(const Progress&)>& show)
      : progress_{.total = total}, show_(show) {
    if (show_) show_(progress_);
  }

  void AddOne() {
    if (!show_) return;
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    show_(progress_);
  }

 private:
  std::mutex mutex_;  // guards progress_, and the calls of show_
  Progress progress_;
  const std::function<void(const Progress&)>& show_;
};

// Objects planned before they are passed to the callback; limits the memory for a large input.
constexpr size_t kChunk = 128;

}  // namespace

void ApplyAll(const Manifests& manifests, const Target& target, const PipelineOptions& options,
              const PipelineEvents& events) {
  Pipeline(manifests, target, options, events).Run();
}

Status PrepareAll(const Manifests& manifests, Target target, const PlanningOptions& options,
                  const std::function<void(const Result<Manifest>&, Result<Prepared>)>& on_prepared) {
  ReadingProgress progress(manifests.items.size(), options.on_progress);
  LiveObjects live(*target.client, *options.clock);
  target.read_ahead = &live;
  live.GuessAhead(Supposed(manifests, target));
  live.ReadAhead(WantedBy(AllOf(manifests), manifests, target), options.parallel);
  ServerQuestions questions(target, *options.clock, options.field_validation);
  KindHints hints(*target.client);
  Unanswered unanswered;
  std::optional<Error> gone;  // the error of an object before the server was considered gone; guarded by `mutex`
  std::mutex mutex;
  const auto prepare = [&](const Manifest& manifest) -> Result<Prepared> {
    if (unanswered.server_is_gone()) {
      const std::lock_guard lock(mutex);
      return AtObject(*gone, manifest);
    }
    Result<Prepared> prepared = Prepare(manifest, target);
    if (prepared.ok()) {
      unanswered.Count(true);
      return prepared;
    }
    Error error = hints.Explained(std::move(prepared).error(), manifest.gvk);
    const std::lock_guard lock(mutex);
    if (error.code == ErrorCode::kTransport) gone = error;
    unanswered.Count(error.code != ErrorCode::kTransport);
    return error;
  };
  for (size_t begin = 0; begin < manifests.items.size(); begin += kChunk) {
    const size_t n = std::min(kChunk, manifests.items.size() - begin);
    std::vector<std::optional<Result<Prepared>>> chunk(n);
    ParallelFor(n, options.parallel, [&](size_t i) {
      const Result<Manifest>& manifest = manifests.items[begin + i];
      chunk[i] = manifest.ok() ? prepare(*manifest) : Result<Prepared>(manifest.error());
      if (options.ask_server && chunk[i]->ok()) questions.Ask(**chunk[i]);
      progress.AddOne();
    });
    SMP_TRY(questions.status());
    for (size_t i = 0; i < n; ++i) on_prepared(manifests.items[begin + i], *std::move(chunk[i]));
  }
  return Ok();
}

}  // namespace smp::apply
