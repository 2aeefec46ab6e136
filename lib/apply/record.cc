#include "apply/record.h"

#include <utility>

#include "apply/last_applied.h"
#include "smp/json_merge.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::apply {

namespace {

constexpr int kMaxConflicts = 5;  // same limit as for apply

Document RecordPatch(const Value& live, const std::string& text) {
  Arena arena;
  Value root = WithAt(Value(), {"metadata", "annotations", kLastAppliedAnnotation}, arena.String(text), arena);
  if (const std::string_view version = TextAt(live, {"metadata", "resourceVersion"}); !version.empty()) {
    root = WithAt(root, {"metadata", "resourceVersion"}, arena.String(version), arena);
  }
  return Document(std::move(arena), root);
}

Document Merged(const Document& live, const Document& patch) {
  Arena arena;
  arena.Retain(live);
  arena.Retain(patch);
  const Value root = ApplyJsonMergePatch(live.root(), patch.root(), arena);
  return Document(std::move(arena), root);
}

Result<Document> Send(kube::Client& client, const kube::ObjectRef& ref, const Document& live, const Document& patch,
                      const RecordOptions& options) {
  if (options.dry_run == DryRun::kClient) return Merged(live, patch);
  return client.Patch(ref, kube::PatchType::kMerge, patch.root(),
                      {.dry_run = options.dry_run == DryRun::kServer, .field_manager = options.field_manager});
}

}  // namespace

Result<std::optional<Document>> ChangeRecord(kube::Client& client, const kube::ObjectRef& ref, Document live,
                                             const RecordChange& change, const RecordOptions& options) {
  for (int conflicts = 0;; ++conflicts) {
    SMP_ASSIGN(const std::optional<std::string> text, change(live));
    if (!text) return std::optional<Document>();
    Result<Document> answer = Send(client, ref, live, RecordPatch(live.root(), *text), options);
    if (answer.ok()) return std::optional(*std::move(answer));
    if (answer.error().code != ErrorCode::kConflict || conflicts == kMaxConflicts) return std::move(answer).error();
    SMP_ASSIGN(live, client.Get(ref));
  }
}

bool SameRecord(std::string_view a, std::string_view b) {
  const Result<Document> left = ParseJson(a), right = ParseJson(b);
  if (!left.ok() || !right.ok()) return a == b;
  return LastAppliedText(left->root()) == LastAppliedText(right->root());
}

}  // namespace smp::apply
