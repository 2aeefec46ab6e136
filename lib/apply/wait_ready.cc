#include "apply/wait_ready.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.h"
#include "schema/builtin.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int64_t kFirstPauseMs = 100, kLongestPauseMs = 2000;

ReadyState StateOf(const Result<Document>& answer, const std::string& uid) {
  constexpr const char* kDeleted = "was deleted in the meantime";
  if (answer.ok()) {
    const bool is_another = !uid.empty() && TextAt(answer->root(), {"metadata", "uid"}) != uid;
    return is_another ? ReadyState{Readiness::kFailed, StrCat(kDeleted, ", and another object has its name")}
                      : ReadyStateOf(answer->root());
  }
  switch (answer.error().code) {
    case ErrorCode::kNotFound: return {Readiness::kFailed, kDeleted};
    case ErrorCode::kTransport: return {Readiness::kNotYet, answer.error().message};
    default: break;
  }
  const int status = answer.error().http_status;
  const bool busy = status == 429 || status >= 500 || status == 404;  // a proxy's page
  return {busy ? Readiness::kNotYet : Readiness::kFailed, answer.error().message};
}

// The states of custom resources that have no Ready condition: by the CRD of their kind, read once.
class ByDefinition {
 public:
  explicit ByDefinition(kube::Client& client) : client_(client) {}

  // Returns kUnknown without a reason for kinds without a CRD.
  ReadyState StateOf(const kube::ObjectRef& ref) {
    if (BuiltinSchema()->FindType(ref.gvk) != kNoType) return {};
    const auto [at, unread] = states_.try_emplace(ref.gvk);
    if (!unread) return at->second;
    const Result<Document> crd = client_.Get(kube::DefinitionRef(StrCat(ref.plural, ".", ref.gvk.group)));
    if (crd.ok()) at->second = StateWithoutCondition(crd->root(), ref.gvk.version);
    const bool is_known = crd.ok() || crd.error().code == ErrorCode::kNotFound;
    if (!is_known)
      at->second.reason = StrCat("it has no Ready condition, and its CRD cannot be read: ", crd.error().message);
    return at->second;
  }

 private:
  kube::Client& client_;
  std::map<GroupVersionKind, ReadyState> states_;
};

// Reads the waiting objects again. Returns true if the state of any changed.
bool LookAgain(kube::Client& client, std::vector<WaitedObject>& objects, ByDefinition& definitions,
               const WaitOptions& options) {
  std::vector<kube::ObjectRef> refs;
  std::vector<WaitedObject*> waiting;
  for (WaitedObject& object : objects) {
    if (object.done()) continue;
    refs.push_back(object.ref);
    waiting.push_back(&object);
  }
  const std::vector<Result<Document>> answers = client.GetAll(refs);
  bool any = false;
  for (size_t i = 0; i < waiting.size(); ++i) {
    ReadyState state = StateOf(answers[i], waiting[i]->uid);
    if (state.readiness == Readiness::kUnknown) state = definitions.StateOf(waiting[i]->ref);
    if (state == waiting[i]->state) continue;
    any = true;
    waiting[i]->state = std::move(state);
    waiting[i]->error = answers[i].ok() ? std::nullopt : std::optional(answers[i].error());
    const bool said = waiting[i]->state.readiness != Readiness::kUnknown || !waiting[i]->state.reason.empty();
    if (said && options.changed) options.changed(*waiting[i]);
  }
  return any;
}

bool AllDone(const std::vector<WaitedObject>& objects) {
  return std::all_of(objects.begin(), objects.end(), [](const WaitedObject& object) { return object.done(); });
}

}  // namespace

std::vector<WaitedObject> WaitUntilReady(kube::Client& client, std::vector<WaitedObject> objects,
                                         const WaitOptions& options, Clock& clock) {
  const int64_t end_ms = clock.NowMs() + options.timeout_ms;
  ByDefinition definitions(client);
  int64_t pause_ms = kFirstPauseMs;
  while (true) {
    const bool changed = LookAgain(client, objects, definitions, options);
    const int64_t left_ms = end_ms - clock.NowMs();
    if (AllDone(objects) || left_ms <= 0 || clock.interrupted()) return objects;
    pause_ms = changed ? kFirstPauseMs : std::min(2 * pause_ms, kLongestPauseMs);
    (void)clock.SleepMs(std::min(pause_ms, left_ms));
  }
}

}  // namespace smp::apply
