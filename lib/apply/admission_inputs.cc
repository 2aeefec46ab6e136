#include "apply/admission_inputs.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "apply/judged_alike.h"
#include "base/strings.h"
#include "kube/object_ref.h"
#include "smp/last_applied_change.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int kForbidden = 403;

// --- what admission reads

bool Always(const Value&) { return true; }
bool Never(const Value&) { return false; }
bool IsGlobalDefault(const Value& priority_class) { return IsTrueAt(priority_class, {"globalDefault"}); }
bool IsCalledDefault(const Value& account) { return TextAt(account, {"metadata", "name"}) == "default"; }

bool IsDefaultClass(const Value& object) {
  constexpr std::string_view kMarks[] = {"ingressclass.kubernetes.io/is-default-class",
                                         "storageclass.kubernetes.io/is-default-class",
                                         "storageclass.beta.kubernetes.io/is-default-class"};
  return std::ranges::any_of(kMarks, [&](std::string_view mark) {
    return TextAt(object, {"metadata", "annotations", mark}) == "true";
  });
}

// When the server stores an object of the kind `reader`, admission reads the object of the kind `input` that the field
// spec.NAME names or, without a name, those that are defaults. Kinds as in "networking.k8s.io/Ingress".
struct Reading {
  std::string_view reader;
  std::string_view name;  // "": no field names it
  std::string_view input;
  bool namespaced;
  bool (*is_default)(const Value& input);
};

// Source: kubernetes/plugin/pkg/admission
constexpr Reading kReadings[] = {
    {"Pod", "", "LimitRange", true, Always},
    {"Pod", "serviceAccountName", "ServiceAccount", true, IsCalledDefault},
    {"Pod", "priorityClassName", "scheduling.k8s.io/PriorityClass", false, IsGlobalDefault},
    {"Pod", "runtimeClassName", "node.k8s.io/RuntimeClass", false, Never},
    {"PersistentVolumeClaim", "", "LimitRange", true, Always},
    {"PersistentVolumeClaim", "storageClassName", "storage.k8s.io/StorageClass", false, IsDefaultClass},
    {"networking.k8s.io/Ingress", "ingressClassName", "networking.k8s.io/IngressClass", false, IsDefaultClass},
};

// It adds nothing to an object, and a refusal names it.
constexpr std::string_view kQuota = "ResourceQuota";

std::string KindOf(const GroupVersionKind& gvk) {
  return gvk.group.empty() ? gvk.kind : StrCat(gvk.group, "/", gvk.kind);
}

// Returns the object as the patch makes it.
const Value& ObjectOf(const Prepared& prepared) {
  return prepared.patch ? prepared.patch->outcome.root() : prepared.desired.root();
}

bool IsRead(const Manifest& input, const Reading& reading, const Prepared& by, const Target& target) {
  if (reading.reader != KindOf(by.ref.gvk) || reading.input != KindOf(input.gvk)) return false;
  const std::string& name_space = input.name_space.empty() ? target.name_space : input.name_space;
  if (reading.namespaced && name_space != by.ref.name_space) return false;
  const std::string_view name = reading.name.empty() ? "" : TextAt(ObjectOf(by), {"spec", reading.name});
  return name.empty() ? reading.is_default(input.document.root()) : name == input.name;
}

// Returns true if the text has the name of an object, not only as a part of another name.
bool Names(std::string_view text, std::string_view name) {
  const auto joins = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.'; };
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !joins(text[at - 1]);
    if (begins && (end == text.size() || !joins(text[end]))) return true;
  }
  return false;
}

// The server names what it refuses.
bool IsItself(const Manifest& input, const Prepared& prepared, const Target& target) {
  const kube::ObjectRef& ref = prepared.ref;
  const std::string& name_space = input.name_space.empty() ? target.name_space : input.name_space;
  return input.gvk == ref.gvk && input.name == ref.name && (ref.name_space.empty() || name_space == ref.name_space);
}

// The labels of a CRD, which name a release often, mean nothing to its objects.
bool WouldChange(const Prepared& input) {
  if (!input.live) return true;
  if (!input.patch || input.patch->empty()) return false;
  if (!kube::IsDefinition(input.ref.gvk)) return !ChangesOnlyLastApplied(input.patch->plan);
  return !SameOrBothAbsent(input.live->root().Find("spec"), input.patch->outcome.root().Find("spec"));
}

}  // namespace

bool IsReadByAdmission(const GroupVersionKind& gvk) {
  const std::string kind = KindOf(gvk);
  return kind == kQuota ||
         std::ranges::any_of(kReadings, [&](const Reading& reading) { return reading.input == kind; });
}

// Source: apiserver, admission/plugin/webhook/errors and admission/plugin/policy/validating.
bool IsDenied(const Error& refusal) {
  return refusal.message.find(" denied the request") != std::string::npos ||
         refusal.message.find(" denied request: ") != std::string::npos;
}

const AdmissionInputs::Pending& AdmissionInputs::PendingOf(const Manifest& input) {
  const std::lock_guard lock(mutex_);
  const auto [at, unknown] = pending_.try_emplace(&input);
  Pending& pending = at->second;
  if (!unknown) return pending;
  Target target = target_;
  target.read_ahead = nullptr;  // it has each object once, for the object's own plan
  Result<Prepared> found = Prepare(input, target);
  if (found.ok() && !WouldChange(*found)) return pending;
  const bool exists = found.ok() && found->live;
  pending.why = StrCat(Label(input.gvk, input.name), " is in the same input, and a dry run does not ",
                       exists ? "change" : "create", " it");
  if (exists) pending.change = *std::move(found);
  return pending;
}

bool AdmissionInputs::WillBeJudgedOtherwise(const Prepared& prepared, const Manifest& crd) {
  const Pending& pending = PendingOf(crd);
  if (pending.why.empty()) return false;
  if (!pending.change) return true;
  const auto alike = [&](const Value& object) {
    return AreJudgedAlike(pending.change->live->root(), ObjectOf(*pending.change), prepared.ref.gvk.version, object);
  };
  return !alike(ObjectOf(prepared)) || (prepared.live && !alike(prepared.live->root()));
}

std::string AdmissionInputs::WhyNotYet(const Prepared& prepared) {
  if (target_.definitions == nullptr) return {};
  for (const Manifest* input : target_.definitions->read_by_admission) {
    const bool is_read = std::ranges::any_of(
        kReadings, [&](const Reading& reading) { return IsRead(*input, reading, prepared, target_); });
    if (!is_read) continue;
    if (std::string why = WhyPending(*input); !why.empty()) return why;
  }
  return {};
}

std::string AdmissionInputs::WhyNotYet(const Prepared& prepared, const Error& refusal) {
  if (target_.definitions == nullptr) return {};
  for (const Manifest* input : target_.definitions->read_by_admission) {
    if (!Names(refusal.message, input->name) || IsItself(*input, prepared, target_)) continue;
    if (std::string why = WhyPending(*input); !why.empty()) return why;
  }
  return refusal.http_status == kForbidden ? WhyNotYet(prepared) : "";
}

}  // namespace smp::apply
