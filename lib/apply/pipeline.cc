#include "apply/pipeline.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "apply/ask_server.h"
#include "apply/established.h"
#include "apply/harm.h"
#include "apply/keep_annotation.h"
#include "apply/planned_server_side.h"
#include "apply/selection.h"
#include "base/parallel.h"
#include "base/strings.h"

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

// Returns true if the input may provide what is missing: a namespace, kind, service account, webhook's Service.
bool MayBeCured(const Error& error) {
  constexpr int kInternalError = 500;
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kForbidden ||
         (error.http_status == kInternalError && error.message.find("webhook") != error.message.npos);
}

// After this many consecutive objects without a response, the server is considered gone and the remaining objects are
// not tried.
constexpr int kMostUnanswered = 20;

bool IsUnanswered(const ObjectResult& result) { return result.error && result.error->code == ErrorCode::kTransport; }

class Pipeline {
 public:
  Pipeline(const Manifests& manifests, const Target& target, const PipelineOptions& options,
           const PipelineEvents& events)
      : manifests_(manifests),
        target_(target),
        options_(options),
        events_(events),
        live_(*target.client, *options.submit.clock),
        definitions_(DefinitionsOf(manifests)) {
    target_.read_ahead = &live_;
    // Only for dry runs: a real apply creates these definitions.
    if (options.submit.dry_run != DryRun::kNone) target_.definitions = &definitions_;
    progress_.total = manifests.items.size();
  }

  void Run() {
    ReportUnreadable();
    const std::vector<Step> steps = StepsOf(manifests_, options_.order, target_.name_space);
    progress_.steps = steps.size();
    for (const Step& step : steps) {
      ++progress_.step;
      RunStep(step);
    }
    last_chance_ = true;
    for (const Step& step : steps) RunAgain(step);
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
    if (!options_.server_side) ReadAhead(step);
    ParallelFor(step.size(), ThreadsFor(step), [&](size_t i) { RunOne(step[i]); });
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

  void RunAgain(const Step& step) {
    Step again;
    for (const size_t i : step) {
      if (!held_back_.contains(i)) continue;
      if (held_back_.at(i).successes < successes_ && !Stopped()) {
        again.push_back(i);
      } else {
        Report(std::move(held_back_.at(i).result));
      }
    }
    ParallelFor(again.size(), options_.parallel, [&](size_t i) { RunOne(again[i]); });
  }

  bool Stopped() const { return options_.submit.clock->interrupted(); }

  void RunOne(size_t index) {
    if (Stopped() || told_unreachable_ || unanswered_ >= kMostUnanswered) return Report({.index = index});
    const size_t successes = successes_;
    const int64_t begin = options_.submit.clock->NowMs();
    ObjectResult result = options_.server_side ? ApplyOnServer(index) : Apply(index);
    result.milliseconds = options_.submit.clock->NowMs() - begin;
    // If the server is unreachable, only the first object reports the error; the others are kNotTried.
    if (target_.schemas->unreachable() && told_unreachable_.exchange(true)) return Report({.index = index});
    CountUnanswered(result);
    if (result.fate == ObjectResult::Fate::kFailed && !last_chance_ && MayBeCured(*result.error)) {
      return HoldBack(std::move(result), successes);
    }
    if (result.fate == ObjectResult::Fate::kDone && result.submitted.done != Done::kUnchanged) ++successes_;
    Report(std::move(result));
  }

  // Called from several threads, hence the atomic counter: no increment or reset may be lost.
  void CountUnanswered(const ObjectResult& result) {
    if (IsUnanswered(result)) {
      ++unanswered_;
    } else {
      unanswered_ = 0;
    }
  }

  ObjectResult Apply(size_t index) {
    ObjectResult out = {.index = index};
    const Manifest& manifest = *manifests_.items[index];
    Result<Prepared> prepared = Prepare(manifest, target_);
    if (!prepared.ok()) return Failed(std::move(out), std::move(prepared).error());
    out.ref = prepared->ref;
    out.lacks_last_applied = prepared->lacks_last_applied();
    out.unmatched = prepared->unmatched;
    out.warnings = std::move(prepared->type_errors);
    std::move(prepared->duplicates.begin(), prepared->duplicates.end(), std::back_inserter(out.warnings));
    std::move(prepared->deviations.begin(), prepared->deviations.end(), std::back_inserter(out.warnings));
    if (prepared->refusal) out.warnings.push_back(*prepared->refusal);
    Result<Submitted> submitted = Submit(*prepared, target_, options_.submit);
    out.tries = prepared->tries;
    out.reasons = ReasonsOf(*prepared);
    if (!submitted.ok()) return Failed(std::move(out), std::move(submitted).error());
    if (target_.planning.dialect != compat::Dialect::kKubectl) AddHarm(*prepared, out);
    return Finished(std::move(out), *std::move(submitted));
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
    out.tries = 1;
    ServerSideOptions options = *options_.server_side;
    options.warn = [&out](const std::string& text) { out.warnings.push_back(Error{ErrorCode::kServer, text}); };
    if (HasKeepAnnotation(manifest.document.root())) {
      options.warn(StrCat("the annotation ", kKeepLiveAnnotation, " has no effect with --server-side"));
    }
    Result<Document> object = ApplyServerSide(*target_.client, *ref, DocumentIn(manifest, ref->name_space), options);
    if (!object.ok()) return Failed(std::move(out), std::move(object).error());
    return Finished(std::move(out), {Done::kServerSide, *std::move(object)});
  }

  ObjectResult Finished(ObjectResult out, Submitted submitted) {
    out.submitted = std::move(submitted);
    if (Status status = Await(*manifests_.items[out.index], out); !status.ok())
      return Failed(std::move(out), std::move(status).error());
    out.fate = ObjectResult::Fate::kDone;
    return out;
  }

  ObjectResult Failed(ObjectResult out, Error error) const {
    if (error.source.file.empty()) error.source = manifests_.items[out.index]->source();
    out.fate = ObjectResult::Fate::kFailed;
    out.error = std::move(error);
    return out;
  }

  Status Await(const Manifest& manifest, const ObjectResult& result) {
    const bool changed = options_.submit.dry_run == DryRun::kNone && result.submitted.done != Done::kUnchanged;
    if (!changed || !IsDefinition(manifest.gvk)) return Ok();
    const std::string what = StrCat("waiting for ", Label(manifest.gvk, manifest.name));
    const auto waiting = BeginWaiting(what);
    Status status = AwaitEstablished(*target_.client, *target_.schemas, *result.ref, *options_.submit.clock);
    EndWaiting(waiting);
    return status;
  }

  void HoldBack(ObjectResult result, size_t successes) {
    const std::lock_guard lock(mutex_);
    const size_t index = result.index;
    held_back_.insert_or_assign(index, HeldBack{std::move(result), successes});
  }

  void Report(ObjectResult result) {
    const std::lock_guard lock(mutex_);
    ++progress_.done;
    progress_.doing = FirstOfWaiting();
    events_.on_result(std::move(result));
    if (events_.on_progress) events_.on_progress(progress_);
  }

  void Doing(std::string what) {
    const std::lock_guard lock(mutex_);
    progress_.doing = std::move(what);
    if (events_.on_progress) events_.on_progress(progress_);
  }

  std::multiset<std::string>::iterator BeginWaiting(const std::string& what) {
    Doing(what);
    const std::lock_guard lock(mutex_);
    return waiting_.insert(what);
  }

  void EndWaiting(std::multiset<std::string>::iterator waiting) {
    const std::lock_guard lock(mutex_);
    waiting_.erase(waiting);
  }

  std::string FirstOfWaiting() const { return waiting_.empty() ? "" : *waiting_.begin(); }

  const Manifests& manifests_;
  Target target_;
  const PipelineOptions& options_;
  const PipelineEvents& events_;
  LiveObjects live_;
  const InputDefinitions definitions_;
  std::mutex mutex_;
  Progress progress_;
  std::multiset<std::string> waiting_;  // descriptions of the current waits (Progress::doing)
  std::map<size_t, HeldBack> held_back_;
  std::atomic<size_t> successes_ = 0;  // objects that were changed
  bool last_chance_ = false;
  std::atomic<bool> told_unreachable_ = false;
  std::atomic<int> unanswered_ = 0;  // consecutive objects without a response
};

Step AllOf(const Manifests& manifests) {
  Step all;
  for (size_t i = 0; i < manifests.items.size(); ++i) {
    if (manifests.items[i].ok()) all.push_back(i);
  }
  return all;
}

// Objects planned before they are passed to the callback; limits the memory for a large input.
constexpr size_t kChunk = 256;

}  // namespace

void ApplyAll(const Manifests& manifests, const Target& target, const PipelineOptions& options,
              const PipelineEvents& events) {
  Pipeline(manifests, target, options, events).Run();
}

Status PrepareAll(const Manifests& manifests, Target target, const PlanningOptions& options,
                  const std::function<void(const Result<Manifest>&, Result<Prepared>)>& on_prepared) {
  LiveObjects live(*target.client, *options.clock);
  target.read_ahead = &live;
  live.ReadAhead(WantedBy(AllOf(manifests), manifests, target), options.parallel);
  ServerQuestions questions(target, *options.clock);
  for (size_t begin = 0; begin < manifests.items.size(); begin += kChunk) {
    const size_t n = std::min(kChunk, manifests.items.size() - begin);
    std::vector<std::optional<Result<Prepared>>> chunk(n);
    ParallelFor(n, options.parallel, [&](size_t i) {
      const Result<Manifest>& manifest = manifests.items[begin + i];
      chunk[i] = manifest.ok() ? Prepare(*manifest, target) : Result<Prepared>(manifest.error());
      if (options.ask_server && chunk[i]->ok()) questions.Ask(**chunk[i]);
    });
    SMP_TRY(questions.status());
    for (size_t i = 0; i < n; ++i) on_prepared(manifests.items[begin + i], *std::move(chunk[i]));
  }
  return Ok();
}

}  // namespace smp::apply
